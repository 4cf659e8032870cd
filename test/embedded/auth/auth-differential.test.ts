// Longer than most files: everything here asks one control plane, and what is asked is most of it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../src/embedded/api-server.js';
import { defaultRoles } from '../../../src/embedded/auth/default-roles.js';
import { refuseEscalation } from '../../../src/embedded/auth/escalation.js';
import type { Action } from '../../../src/embedded/auth/policy-rule.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json, KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { untilSeen } from '../until-seen.js';
import { admin, storageOf, TestDesk } from './desk.js';

const rbac = 'rbac.authorization.k8s.io';
const authorization = 'authorization.k8s.io/v1';
const tokenPath = '/api/v1/namespaces/default/serviceaccounts/sa/token';

const pods = { verb: 'get', resource: 'pods' };
const questions: readonly (readonly [string, Json])[] = [
  ['subjectaccessreviews', { spec: { user: 'a', resourceAttributes: pods } }],
  [
    'subjectaccessreviews',
    { spec: { user: 'a', resourceAttributes: pods, nonResourceAttributes: { path: '/x', verb: 'get' } } },
  ],
  ['subjectaccessreviews', { metadata: { name: 'x', namespace: 'y' }, spec: { resourceAttributes: pods } }],
  ['subjectaccessreviews', { spec: { groups: ['system:masters'] } }],
  [
    'subjectaccessreviews',
    { spec: { groups: ['system:masters'], foo: 1, nonResourceAttributes: { path: '/x', verb: 'get' } } },
  ],
  [
    'subjectaccessreviews',
    {
      spec: {
        user: 'u',
        groups: ['system:authenticated'],
        uid: 'x',
        extra: { a: ['b'] },
        nonResourceAttributes: { path: '/openapi/v2', verb: 'get' },
      },
    },
  ],
  ['subjectaccessreviews', { spec: { user: 3 } }],
  ['subjectaccessreviews', {}],
  [
    'selfsubjectaccessreviews',
    {
      spec: {
        resourceAttributes: {
          ...pods,
          labelSelector: {},
          fieldSelector: { rawSelector: 'a=b', requirements: [{ key: '', operator: 'In', values: [] }] },
        },
      },
    },
  ],
  [
    'selfsubjectaccessreviews',
    {
      spec: {
        resourceAttributes: { ...pods, labelSelector: { rawSelector: 'a==!' }, fieldSelector: { rawSelector: 'a=b' } },
      },
    },
  ],
  ['selfsubjectaccessreviews', { spec: { resourceAttributes: { ...pods, fieldSelector: { rawSelector: 'a' } } } }],
  [
    'selfsubjectaccessreviews',
    {
      spec: {
        resourceAttributes: {
          ...pods,
          labelSelector: {
            requirements: [
              { key: 'a b', operator: 'Foo', values: ['a'] },
              { key: 'c', operator: 'In' },
            ],
          },
        },
      },
    },
  ],
  [
    'selfsubjectaccessreviews',
    {
      spec: {
        resourceAttributes: {
          ...pods,
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'Foo' },
              { key: 'c', operator: 'Exists' },
            ],
          },
          fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] },
        },
      },
    },
  ],
  ['selfsubjectaccessreviews', {}],
  ['namespaces/default/localsubjectaccessreviews', { spec: { user: 'a', resourceAttributes: pods } }],
  [
    'namespaces/default/localsubjectaccessreviews',
    { metadata: { name: 'a' }, spec: { user: 'a', resourceAttributes: { ...pods, namespace: 'default' } } },
  ],
  ['namespaces/default/localsubjectaccessreviews', { metadata: { namespace: 'other' }, spec: { user: 'a' } }],
  [
    'namespaces/default/localsubjectaccessreviews',
    { spec: { user: 'a', nonResourceAttributes: { verb: 'get', path: '/' } } },
  ],
  [
    'namespaces/default/localsubjectaccessreviews',
    { spec: { user: 'a', resourceAttributes: { ...pods, namespace: 'default' } } },
  ],
  ['selfsubjectrulesreviews', { spec: { namespace: 'default' } }],
  ['selfsubjectrulesreviews', {}],
  ['selfsubjectreviews', { metadata: { name: 'x' } }],
  ['tokenreviews', {}],
  ['tokenreviews', { metadata: { name: 'x' }, spec: { token: 'foo' } }],
  ['tokenreviews', { spec: { token: 'a.b.c', audiences: ['x'] } }],
  ['tokenreviews', { spec: { token: 'TOKEN' } }],
  ['tokenreviews', { spec: { token: 'TOKEN', audiences: ['x', 'https://kubernetes.default.svc'] } }],
  ['tokenreviews', { spec: { token: 'TOKEN', audiences: ['x'] } }],
];

const rule = (verbs: string[], apiGroups: string[], resources: string[], resourceNames?: string[]) => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames ? { resourceNames } : {}),
});
const role = (kind: string, rules: readonly object[], more: object = {}): Manifest => ({
  apiVersion: `${rbac}/v1`,
  kind,
  metadata: { name: 'new', ...(kind === 'Role' ? { namespace: 'default' } : {}) },
  rules,
  ...more,
});
const binding = (kind: string, roleKind: string, name: string, subjects: readonly object[] = []): Manifest => ({
  apiVersion: `${rbac}/v1`,
  kind,
  metadata: { name: 'new', ...(kind === 'RoleBinding' ? { namespace: 'default' } : {}) },
  roleRef: { apiGroup: rbac, kind: roleKind, name },
  subjects,
});
const account = { kind: 'ServiceAccount', name: 'sa', namespace: 'default' };
const changing = ['create', 'update', 'patch'];

/** What the ServiceAccount may do, while it hands out rights. */
const held: readonly Manifest[] = [
  {
    ...role('ClusterRole', [
      rule(changing, [rbac], ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']),
      rule(['get', 'list'], [''], ['pods', 'pods/log']),
      rule(['*'], ['apps'], ['*/scale']),
      rule(['get'], [''], ['secrets'], ['one', 'two']),
      rule(['bind'], [rbac], ['clusterroles'], ['edit']),
      { verbs: ['get'], nonResourceURLs: ['/metrics*'] },
    ]),
    metadata: { name: 'held' },
  },
  { ...role('Role', [rule(['*'], [''], ['configmaps'])]), metadata: { name: 'held', namespace: 'default' } },
  { ...binding('ClusterRoleBinding', 'ClusterRole', 'held', [account]), metadata: { name: 'held' } },
  { ...binding('RoleBinding', 'Role', 'held', [account]), metadata: { name: 'held', namespace: 'default' } },
];

const grants: readonly Manifest[] = [
  role('Role', [rule(['get'], [''], ['pods'])]),
  role('Role', [rule(['get', 'delete', 'watch'], [''], ['pods', 'services'])]),
  role('Role', [rule(['*'], [''], ['pods']), rule(['get'], ['*'], ['pods/log'])]),
  role('Role', [rule(['delete'], [''], ['configmaps'])]),
  role('ClusterRole', [rule(['delete'], [''], ['configmaps'])]),
  role('Role', [rule(['update'], ['apps'], ['deployments/scale', 'deployments/status'])]),
  role('Role', [rule(['get'], [''], ['secrets'])]),
  role('Role', [rule(['get'], [''], ['secrets'], ['one', 'three'])]),
  role('Role', [rule(['get'], [''], ['secrets'], ['two'])]),
  role('Role', []),
  role('ClusterRole', [{ verbs: ['get', 'post'], nonResourceURLs: ['/metrics', '/metrics/cadvisor', '/healthz'] }]),
  role('ClusterRole', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }),
  binding('RoleBinding', 'Role', 'held'),
  binding('RoleBinding', 'ClusterRole', 'held'),
  binding('RoleBinding', 'ClusterRole', 'edit'),
  binding('RoleBinding', 'ClusterRole', 'cluster-admin'),
  binding('RoleBinding', 'Role', 'missing'),
  binding('ClusterRoleBinding', 'ClusterRole', 'system:basic-user'),
  binding('ClusterRoleBinding', 'ClusterRole', 'missing'),
  binding('ClusterRoleBinding', 'ClusterRole', 'system:auth-delegator'),
];

const wishes: readonly Json[] = [
  {},
  { metadata: { labels: { a: 'b' } }, spec: { audiences: ['a', 'b'], expirationSeconds: 600 } },
  { metadata: { name: 'x' } },
  { metadata: { namespace: 'x' } },
  { metadata: { uid: 'x' } },
  { spec: { audiences: null, expirationSeconds: 60 } },
  { spec: { audiences: null, expirationSeconds: 6_000_000_000 } },
  { spec: { audiences: null, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'x' } } },
  { spec: { audiences: null, boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'x' } } },
  { spec: { audiences: null, boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's' } } },
  { spec: { audiences: null, boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'z' } } },
  { spec: { audiences: null, boundObjectRef: { kind: 'Secrt', apiVersion: 'apps/v2', name: 's' } } },
];

const refused: readonly (readonly [string, Action])[] = [
  [
    '/api/v1/namespaces/default/services',
    { verb: 'list', group: '', version: 'v1', resource: 'services', namespace: 'default' },
  ],
  ['/apis/apps/v1/deployments', { verb: 'list', group: 'apps', version: 'v1', resource: 'deployments' }],
  [
    '/apis/apps/v1/namespaces/default/deployments/x/status',
    {
      verb: 'get',
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      subresource: 'status',
      name: 'x',
      namespace: 'default',
    },
  ],
  ['/api/v1/nodes/x', { verb: 'get', group: '', version: 'v1', resource: 'nodes', name: 'x' }],
  ['/secret?x=<y>', { verb: 'get', path: '/secret' }],
  ['/a<b>&"', { verb: 'get', path: '/a<b>&"' }],
];

onRealCluster('the real server', {}, (plane) => {
  const desk = new TestDesk();
  let server: AskServer;
  let token: string;
  let caller: Caller;

  beforeAll(async () => {
    server = new AskServer(plane());
    token = await plane().serviceAccountToken('default', 'sa');
    for (const manifest of held) {
      expect(await server.ask('POST', pathOf(manifest), { body: manifest })).toMatchObject({ code: 201 });
      desk.put(manifest);
    }
    for (const manifest of defaultRoles()) desk.put(manifest);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' } };
    await server.ask('POST', '/api/v1/namespaces/default/secrets', { body: secret });
    for (const [kind, path] of Object.entries({ ServiceAccount: 'serviceaccounts/sa', Secret: 'secrets/s' })) {
      const { body } = await server.ask('GET', `/api/v1/namespaces/default/${path}`);
      desk.put({ ...body, apiVersion: 'v1', kind } as unknown as KubeObject);
    }
    const { groups, name } = {
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      name: 'system:serviceaccount:default:sa',
    };
    caller = { name, groups };
    // It hears of each kind by a watch of its own: of those for the whole cluster, and of those for one namespace.
    for (const plural of ['pods', 'configmaps']) {
      const path = `/api/v1/namespaces/default/${plural}/x`;
      await untilSeen(async () => (await server.ask('GET', path, { token })).code === 404);
    }
  });
  afterAll(() => server?.close());

  describe('answers as ours does', () => {
    it.each(questions)('of %s: %j', async (path, body) => {
      const plural = path.replace(/.*\//, '');
      const apiVersion =
        plural.includes('access') || plural.includes('rules') ? authorization : 'authentication.k8s.io/v1';
      const theirs = filled(body, plane().adminToken);
      const ours = filled(body, 'secret');
      const at = path.startsWith('namespaces') ? { namespace: 'default' } : {};
      const answer = await server.ask('POST', `/apis/${apiVersion}/${path}`, { body: theirs });
      expect(comparable(desk.ask(`${apiVersion}/${plural}`, ours, admin, at), 'secret')).toEqual(
        comparable(answer.body, plane().adminToken),
      );
    });

    it.each(wishes)('a request for a token: %j', async (body) => {
      const theirs = await server.ask('POST', tokenPath, { body });
      const ours = desk.ask('/v1/serviceaccounts/token', body, admin, { namespace: 'default', name: 'sa' });
      expect(readable(ours)).toEqual(readable(theirs.body));
    });

    it('a token of a ServiceAccount', async () => {
      const body = { spec: { audiences: ['b', 'a'], expirationSeconds: 600 } };
      const { body: theirs } = await server.ask('POST', tokenPath, { body });
      const ours = desk.ask('/v1/serviceaccounts/token', body, admin, { namespace: 'default', name: 'sa' });
      for (const audiences of [[], ['a', 'c', 'b'], ['c']]) {
        const key = 'authentication.k8s.io/v1/tokenreviews';
        const reviewOf = (answer: Json) => ({ spec: { token: tokenOf(answer), audiences } });
        const answer = await server.ask('POST', `/apis/${key}`, { body: reviewOf(theirs) });
        const review = desk.ask(key, reviewOf(ours));
        expect(comparable(review, tokenOf(ours))).toEqual(comparable(answer.body, tokenOf(theirs)));
      }
    });
  });

  it('lists what a ServiceAccount may do', async () => {
    const key = 'authorization.k8s.io/v1/selfsubjectrulesreviews';
    const body = { spec: { namespace: 'default' } };
    const theirs = await server.ask('POST', `/apis/${key}`, { body, token });
    expect(sortedRules(desk.ask(key, body, caller))).toEqual(sortedRules(theirs.body));
  });

  it.each(refused)('refuses GET %s in our words', async (path, action) => {
    const theirs = await server.ask('GET', encodeURI(path), { token });
    expect(theirs.code).toBe(403);
    expect(statusOf(() => desk.authorizer.authorize(caller, action))).toEqual(theirs.body);
  });

  it.each(grants.map((each) => [each.kind, JSON.stringify(each['rules'] ?? each['roleRef']), each] as const))(
    'lets a ServiceAccount grant by a %s what we let it grant: %s',
    async (_kind, _what, object) => {
      const theirs = await server.ask('POST', `${pathOf(object)}?dryRun=All`, { body: object, token });
      const ours = statusOf(() =>
        refuseEscalation(storageOf(object), caller, object as KubeObject, undefined, desk.authorizer),
      );
      expect(ours ?? 'allowed').toEqual(theirs.code === 201 ? 'allowed' : theirs.body);
    },
  );

  it('has our default roles and bindings', async () => {
    const lists = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(async (plural) => {
      const { body } = await server.ask('GET', `/apis/${rbac}/v1/${plural}`);
      const kind = String(body['kind']).replace(/List$/, '');
      return (body['items'] as unknown as KubeObject[]).map((item) =>
        bare({ ...item, apiVersion: `${rbac}/v1`, kind }),
      );
    });
    const theirs = (await Promise.all(lists)).flat().filter(({ metadata }) => metadata.name !== 'held');
    expect(sortedByName(defaultRoles())).toEqual(sortedByName(theirs));
  });
});

function pathOf(object: Manifest): string {
  const { namespace } = object.metadata;
  const plural = storageOf(object).replace(/\..*/, '');
  return `/apis/${rbac}/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}`;
}

function statusOf(run: () => void): object | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
}

function filled(body: Json, token: string): Json {
  return JSON.parse(JSON.stringify(body).replaceAll('TOKEN', token)) as Json;
}

/** Without what differs between any two servers: tokens, times, identifiers, and who manages the fields of a question. */
function comparable(answer: Json, token: string): unknown {
  const text = JSON.stringify(unmanaged(answer))
    .replaceAll(token, 'TOKEN')
    .replaceAll(/,?\\"managedFields\\":\[.*?\}\}\]/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/JTI=[0-9a-f-]{36}/g, 'JTI');
  return sortedRules(JSON.parse(text) as Json);
}

function unmanaged(answer: Json): Json {
  const { metadata, ...rest } = answer as unknown as KubeObject;
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept } as unknown as Json;
}

/** With the claims of the token in place of it. */
function readable(answer: Json): unknown {
  if (tokenOf(answer) === undefined) return answer;
  const { status, metadata, ...rest } = unmanaged(answer) as unknown as {
    readonly metadata: { readonly creationTimestamp: string };
    readonly status: { readonly token: string; readonly expirationTimestamp: string };
  };
  const { creationTimestamp, ...about } = metadata;
  const payload = Buffer.from(status.token.split('.')[1] ?? '', 'base64url').toString();
  const { jti, iat, ...claims } = JSON.parse(payload) as { jti: string; iat: number; exp: number; nbf: number };
  const lifetime = (Date.parse(status.expirationTimestamp) - Date.parse(creationTimestamp)) / 1000;
  return { ...rest, about, lifetime, claims: { ...claims, exp: claims.exp - iat, nbf: claims.nbf - iat } };
}

function tokenOf(answer: Json): string {
  return (answer as unknown as { readonly status?: { readonly token?: string } }).status?.token as string;
}

/** In which order bindings are gone through is a matter of chance. */
function sortedRules(answer: Json): unknown {
  const { status, ...rest } = answer as unknown as { readonly status?: Readonly<Record<string, unknown>> };
  if (typeof status !== 'object' || !('resourceRules' in status)) return answer;
  const sorted = (list: unknown) => (list as readonly unknown[]).map((each) => JSON.stringify(canonical(each))).sort();
  return {
    ...rest,
    status: {
      ...status,
      resourceRules: sorted(status['resourceRules']),
      nonResourceRules: sorted(status['nonResourceRules']),
    },
  };
}

function canonical(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function bare({ metadata, ...object }: KubeObject): Manifest {
  const { name, namespace, labels, annotations } = metadata;
  const kept = { name, ...(namespace ? { namespace } : {}), labels, annotations } as Manifest['metadata'];
  const given = Object.entries(object).filter(([, value]) => value !== null);
  return { ...(Object.fromEntries(given) as unknown as Manifest), metadata: kept };
}

function sortedByName(objects: readonly Manifest[]): readonly Manifest[] {
  const key = ({ kind, metadata }: Manifest) => `${kind} ${metadata.namespace} ${metadata.name}`;
  return [...objects].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
