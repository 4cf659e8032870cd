import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Json, KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { seededRandom } from '../../../src/testing/seeded-random.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { storageOf, TestDesk } from './desk.js';

const rbac = 'rbac.authorization.k8s.io';
const namespaces = ['default', 'kube-public', 'kube-system'];
const users = ['ann', 'bob', 'system:serviceaccount:default:sa', 'system:serviceaccount:kube-system:sa', ''];
const groups = ['dev', 'ops', 'system:authenticated', 'system:serviceaccounts'];
const names = ['r1', 'r2', 'r3', 'missing'];
const review = 'authorization.k8s.io/v1/subjectaccessreviews';

onRealCluster('the authorizer', {}, (plane) => {
  let server: AskServer;
  beforeAll(() => {
    server = new AskServer(plane());
  });
  afterAll(() => server?.close());

  it.each([1, 2, 3])('decides as the server does (seed %i)', async (seed) => {
    const random = new Chance(seed);
    const desk = new TestDesk();
    for (const object of await bootstrap(server)) desk.put(object, object.metadata.uid);
    // Names differ by seed, since what another seed made is still there.
    const made = policyOf(random, `s${seed}-`);
    for (const object of made) {
      const created = await server.ask('POST', pathOf(object), { body: object });
      expect(created).toMatchObject({ code: 201 });
      desk.put(created.body as unknown as KubeObject);
    }
    await settled(server, `s${seed}-`);

    const verdicts: boolean[] = [];
    for (let round = 0; round < 130; round++) {
      const body = questionOf(random);
      const theirs = await server.ask('POST', `/apis/${review}`, { body });
      const ours = desk.ask(review, body);
      expect({ ...body, status: statusOf(ours) }).toEqual({ ...body, status: statusOf(theirs.body) });
      verdicts.push(statusOf(theirs.body).allowed);
    }
    expect(new Set(verdicts).size).toBe(2);
  });
});

interface Status {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Which of several bindings is the reason is a matter of chance, and so is the order of what is missing. */
function statusOf(answer: Json): Status & { readonly missing: readonly string[] } {
  const { status } = answer as unknown as { readonly status: Status };
  const { reason = '', allowed } = status;
  const missing = allowed ? [] : reason.replace(/^RBAC: \[?|\]$/g, '').split(', ');
  return { ...status, reason: reason.slice(0, 16), missing: missing.sort() };
}

/** What another seed bound to the same subjects would count too. */
async function bootstrap(server: AskServer): Promise<readonly KubeObject[]> {
  const lists = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(async (plural) => {
    const { body } = await server.ask('GET', `/apis/${rbac}/v1/${plural}`);
    const kind = String(body['kind']).replace(/List$/, '');
    return (body['items'] as unknown as KubeObject[]).map((item) => ({ ...item, apiVersion: `${rbac}/v1`, kind }));
  });
  return (await Promise.all(lists)).flat();
}

/** The server decides by what it hears of each kind, in order: when the last of each counts, all do. */
async function settled(server: AskServer, prefix: string): Promise<void> {
  const name = `${prefix}last`;
  const subjects = [{ kind: 'User', name, apiGroup: rbac }];
  const metadata = { name, namespace: 'default' };
  const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
  for (const object of [
    clusterRole(name, [{ nonResourceURLs: ['/last'], verbs: ['get'] }]),
    binding('ClusterRoleBinding', name, undefined, 'ClusterRole', name, subjects),
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: [rule] },
    binding('RoleBinding', name, 'default', 'Role', name, subjects),
  ]) {
    await server.ask('POST', pathOf(object), { body: object });
  }
  for (const attributes of [
    { nonResourceAttributes: { path: '/last', verb: 'get' } },
    { resourceAttributes: { namespace: 'default', resource: 'pods', verb: 'get' } },
  ]) {
    for (let allowed = false; !allowed; ) {
      const { body } = await server.ask('POST', `/apis/${review}`, { body: { spec: { user: name, ...attributes } } });
      allowed = (body as unknown as { readonly status: Status }).status.allowed;
    }
  }
}

type Rule = Readonly<Record<string, readonly string[]>>;

function policyOf(random: Chance, prefix: string): readonly Manifest[] {
  const objects: Manifest[] = [];
  for (const name of names.slice(0, 3)) {
    objects.push(clusterRole(prefix + name, ruleList(random, true)));
    for (const namespace of namespaces.slice(0, 2)) {
      const metadata = { name: prefix + name, namespace };
      objects.push({ apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: ruleList(random, false) });
    }
  }
  for (let index = 0; index < 12; index++) {
    const subjects = Array.from({ length: 1 + Math.floor(random.next() * 2) }, () => subjectOf(random));
    const isCluster = random.next() < 0.35;
    objects.push(
      binding(
        isCluster ? 'ClusterRoleBinding' : 'RoleBinding',
        `${prefix}b${index}`,
        isCluster ? undefined : random.pick(namespaces),
        isCluster || random.next() < 0.4 ? 'ClusterRole' : 'Role',
        prefix + random.pick(names),
        subjects,
      ),
    );
  }
  return objects;
}

function ruleList(random: Chance, takesPaths: boolean): readonly Rule[] {
  return Array.from({ length: 1 + Math.floor(random.next() * 2) }, () => {
    const verbs = random.some(['get', 'list', 'create', 'delete', '*'], 0.3, 'get');
    if (takesPaths && random.next() < 0.35) {
      return {
        verbs,
        nonResourceURLs: random.some(['/healthz', '/metrics', '/api/*', '/logs*', '*'], 0.25, '/metrics'),
      };
    }
    return {
      verbs,
      apiGroups: random.some(['', 'apps', 'example.com', '*'], 0.4, 'apps'),
      resources: random.some(
        ['pods', 'deployments', 'deployments/scale', '*/scale', '*/status', 'pods/log', '*'],
        0.25,
        'pods',
      ),
      ...(random.next() < 0.25 ? { resourceNames: random.some(['one', 'two'], 0.5, 'one') } : {}),
    };
  });
}

function subjectOf(random: Chance) {
  switch (random.pick(['User', 'Group', 'ServiceAccount'])) {
    case 'User':
      return { kind: 'User', apiGroup: rbac, name: random.pick(users.slice(0, 4)) };
    case 'Group':
      return { kind: 'Group', apiGroup: rbac, name: random.pick(groups.slice(0, 2)) };
    default:
      return { kind: 'ServiceAccount', name: 'sa', namespace: random.pick(namespaces) };
  }
}

function questionOf(random: Chance): { readonly spec: { readonly [field: string]: Json } } {
  const who = { user: random.pick(users), groups: random.some(groups, 0.4, 'dev') };
  const verb = random.pick(['get', 'list', 'create', 'delete', 'watch']);
  if (random.next() < 0.2) {
    const path = random.pick(['/healthz', '/metrics', '/metrics/x', '/api', '/api/v1', '/logs', '/logsx', '/']);
    return { spec: { ...who, nonResourceAttributes: { verb, path } } };
  }
  const [resource, subresource] = random
    .pick(['pods', 'pods/log', 'deployments', 'deployments/scale', 'deployments/status', 'things/scale'])
    .split('/') as [string, string | undefined];
  return {
    spec: {
      ...who,
      resourceAttributes: {
        verb,
        group: random.pick(['', 'apps', 'example.com']),
        resource,
        ...(subresource === undefined ? {} : { subresource }),
        ...(random.next() < 0.5 ? { name: random.pick(['one', 'two', 'three']) } : {}),
        ...(random.next() < 0.8 ? { namespace: random.pick(namespaces) } : {}),
      },
    },
  };
}

function clusterRole(name: string, rules: readonly Rule[]): Manifest {
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules };
}

function binding(
  kind: string,
  name: string,
  namespace: string | undefined,
  roleKind: string,
  role: string,
  subjects: readonly object[],
): Manifest {
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata,
    roleRef: { apiGroup: rbac, kind: roleKind, name: role },
    subjects,
  };
}

function pathOf(object: Manifest): string {
  const { namespace } = object.metadata;
  const plural = storageOf(object).replace(/\..*/, '');
  return `/apis/${rbac}/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}`;
}

/** What chance decides, the same for the same seed. */
class Chance {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)] as T;
  }

  some(values: readonly string[], share: number, otherwise: string): string[] {
    const taken = values.filter(() => this.next() < share);
    return taken.length > 0 ? taken : [otherwise];
  }
}
