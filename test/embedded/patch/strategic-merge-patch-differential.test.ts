// Longer than most files: the objects, the patches that people write, and the maker of random ones belong together.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shapeOf } from '../../../src/embedded/built-in/built-in-shape.js';
import type { PatchType } from '../../../src/embedded/patch/patch-type.js';
import { strategicMergePatch } from '../../../src/embedded/patch/strategic-merge-patch.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json, Manifest } from '../../../src/kube/manifest.js';
import { seededRandom } from '../../../src/testing/seeded-random.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { type Answer, AskServer } from '../ask-server.js';

type Body = { readonly [field: string]: Json };

const containers = ['x', 'y', 'z'].map((name) => ({
  name,
  image: name,
  args: ['a', 'b'],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', value: '1' },
    { name: 'C', value: '1' },
  ],
  ports: [{ containerPort: 80 }, { containerPort: 81, name: 'p' }],
}));
const template = {
  metadata: { labels: { a: 'b' } },
  spec: {
    containers,
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'w', configMap: { name: 'w' } },
    ],
    tolerations: [{ key: 'k', operator: 'Exists' }],
    securityContext: { supplementalGroups: [1, 2] },
    hostAliases: [{ ip: '1.1.1.1', hostnames: ['h'] }],
    imagePullSecrets: [{ name: 's' }],
  },
};
const metadata = {
  name: 'thing',
  labels: { l: '1', m: '1' },
  annotations: { n: '1' },
  finalizers: ['a.io/a', 'a.io/b', 'a.io/c'],
  ownerReferences: ['1', '2'].map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid })),
};
const objects: Readonly<Record<string, { readonly path: string; readonly manifest: Manifest }>> = {
  Deployment: {
    path: '/apis/apps/v1/namespaces/default/deployments',
    manifest: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    },
  },
  Service: {
    path: '/api/v1/namespaces/default/services',
    manifest: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        selector: { a: 'b' },
        ports: [
          { name: 'h', port: 80 },
          { name: 's', port: 443 },
        ],
      },
    },
  },
  ConfigMap: {
    path: '/api/v1/namespaces/default/configmaps',
    manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1', b: '1' } },
  },
  PodTemplate: {
    path: '/api/v1/namespaces/default/podtemplates',
    manifest: { apiVersion: 'v1', kind: 'PodTemplate', metadata, template },
  },
  ServiceAccount: {
    path: '/api/v1/namespaces/default/serviceaccounts',
    manifest: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata,
      secrets: [{ name: 's' }, { name: 't' }],
      imagePullSecrets: [{ name: 'i' }],
    },
  },
};

const inPod = (spec: Json): Json => ({ spec: { template: { spec } } });

/** Those that a person or kubectl writes, and those that nobody should. */
const written: readonly (readonly [string, Json])[] = [
  ['Deployment', {}],
  ['Deployment', inPod({ containers: [{ name: 'q', image: 'q' }] })],
  ['Deployment', inPod({ containers: [{ name: 'y', image: 'new', args: ['c'] }] })],
  ['Deployment', inPod({ containers: [{ name: 'y', $patch: 'delete' }] })],
  ['Deployment', inPod({ containers: [{ $patch: 'replace' }, { name: 'q', image: 'q' }] })],
  ['Deployment', inPod({ containers: [{ image: 'q' }] })],
  ['Deployment', inPod({ containers: [{ name: 'y', $patch: 'remove' }] })],
  ['Deployment', inPod({ containers: ['y'] })],
  ['Deployment', inPod({ containers: [{ $patch: 'delete' }] })],
  ['Deployment', inPod({ containers: [{ $patch: 'merge' }] })],
  ['Deployment', inPod({ '$setElementOrder/containers': [{ name: 'z' }, { name: 'x' }] })],
  ['Deployment', inPod({ '$setElementOrder/containers': [{ name: 'z' }, {}] })],
  ['Deployment', inPod({ '$setElementOrder/containers': [{ name: 'x' }], containers: [{ name: 'y' }] })],
  ['Deployment', inPod({ '$setElementOrder/containers': ['x'] })],
  ['Deployment', inPod({ '$setElementOrder/nothing': [] })],
  ['Deployment', inPod({ '$setElementOrder/Containers': [{ name: 'z' }] })],
  ['Deployment', inPod({ '$setElementOrder/hostNetwork': [] })],
  ['Deployment', inPod({ '$setElementOrder/securityContext': [] })],
  // What stands where the deleted item was decides about the order.
  [
    'Deployment',
    inPod({
      '$setElementOrder/containers': [{ name: 'q' }, { name: 'x' }],
      containers: [
        { name: 'y', $patch: 'delete' },
        { name: 'q', image: 'q' },
      ],
    }),
  ],
  ['Deployment', inPod({ volumes: [{ name: 'v', emptyDir: null, configMap: { name: 'c' } }] })],
  ['Deployment', inPod({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] })],
  ['Deployment', inPod({ volumes: [{ name: 'v', $retainKeys: ['name'], configMap: { name: 'c' } }] })],
  ['Deployment', inPod({ volumes: null })],
  ['Deployment', inPod({ tolerations: [{ key: 'other', operator: 'Exists' }] })],
  ['Deployment', inPod({ securityContext: { supplementalGroups: [3] } })],
  ['Deployment', inPod({ '$deleteFromPrimitiveList/tolerations': [{ key: 'k' }] })],
  ['Deployment', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }],
  ['Deployment', { spec: { strategy: { type: 'Recreate' } } }],
  ['Deployment', { spec: { strategy: { $patch: 'replace', type: 'Recreate' } } }],
  ['Deployment', { spec: { strategy: { $retainKeys: 3 } } }],
  ['Deployment', { spec: { $patch: 'merge' } }],
  ['Deployment', { spec: { $patch: 3 } }],
  ['Deployment', { spec: { replicas: null } }],
  ['Deployment', { $patch: 'delete' }],
  ['Deployment', null],
  ['Deployment', []],
  ['ConfigMap', { data: { b: null, c: '1', constructor: '1', toString: null } }],
  ['ConfigMap', JSON.parse('{"data":{"__proto__":"1"}}')],
  ['ConfigMap', { data: { $patch: 'replace', c: '1' } }],
  ['ConfigMap', { data: { $patch: 'delete' } }],
  ['ConfigMap', { binaryData: { c: 'YQ==', d: null } }],
  ['ConfigMap', { metadata: { labels: { $patch: 'delete' } } }],
  ['ConfigMap', { metadata: { labels: { '$setElementOrder/l': [] } } }],
  ['ConfigMap', { metadata: { finalizers: ['a.io/d', 'a.io/b'] } }],
  ['ConfigMap', { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.io/b', 'a.io/q'] } }],
  ['ConfigMap', { metadata: { '$deleteFromPrimitiveList/finalizers': null } }],
  ['ConfigMap', { metadata: { $deleteFromPrimitiveList: ['a.io/b'] } }],
  ['ConfigMap', { metadata: { $setElementOrder: ['a.io/b'] } }],
  ['ConfigMap', { metadata: { '$setElementOrder/finalizers': ['a.io/c', 'a.io/d'], finalizers: ['a.io/d'] } }],
  ['ConfigMap', { metadata: { '$setElementOrder/finalizers': ['a.io/c'], finalizers: ['a.io/d'] } }],
  ['ConfigMap', { metadata: { '$setElementOrder/finalizers': ['a.io/c'], finalizers: null } }],
  ['ConfigMap', { metadata: { finalizers: [3] } }],
  ['ConfigMap', { metadata: { ownerReferences: [{ uid: '2', $patch: 'delete' }] } }],
  ['ConfigMap', { metadata: { ownerReferences: [{ uid: '2', controller: true }] } }],
  ['ServiceAccount', { imagePullSecrets: [{ name: 'j' }] }],
  ['ServiceAccount', { secrets: [{ name: 't', $patch: 'delete' }, { name: 'a' }] }],
  ['Service', { spec: { ports: [{ port: 80, targetPort: 'web' }] } }],
  ['Service', { spec: { ports: [{ name: 'h', targetPort: 'web' }] } }],
  ['Service', { spec: { selector: { a: null, c: 'd' } } }],
  ['Service', { spec: { selector: { $patch: 'replace', c: 'd' } } }],
];

onRealCluster('a strategic merge patch', {}, (plane) => {
  let server: AskServer;
  const types: Record<string, PatchType> = {};
  const live: Record<string, Body> = {};

  beforeAll(async () => {
    server = new AskServer(plane());
    for (const [kind, { path, manifest }] of Object.entries(objects)) {
      types[kind] = shapeOf(manifest.apiVersion, kind)?.patchType as PatchType;
      const created = await server.ask('POST', path, { body: manifest });
      expect(created).toMatchObject({ code: 201 });
      live[kind] = created.body;
    }
  });
  afterAll(() => server?.close());

  /** What the server makes of the patch, and what it makes of our result. */
  async function both(kind: string, patch: Json): Promise<{ readonly theirs: Answer; readonly ours: Answer }> {
    const path = `${objects[kind]?.path}/thing?dryRun=All&fieldValidation=Ignore`;
    const contentType = 'application/strategic-merge-patch+json';
    const theirs = await server.ask('PATCH', path, { body: JSON.stringify(patch), contentType }).catch(() => panic);
    try {
      const merged = strategicMergePatch(live[kind] as Json, patch, types[kind] as PatchType);
      return { theirs: shown(theirs), ours: shown(await server.ask('PUT', path, { body: JSON.stringify(merged) })) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const refusal = { code: error.status.code, body: error.status as unknown as Body };
      return { theirs: shown(theirs), ours: error.message.includes('panic') ? shown(panic) : shown(refusal) };
    }
  }

  it.each(written)('of a %s gives what the server gives: %j', async (kind, patch) => {
    const { theirs, ours } = await both(kind, patch);
    expect(ours).toEqual(theirs);
  });

  it.each([1, 2, 3, 4])('at random gives what the server gives (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const codes: number[] = [];
    for (let round = 0; round < 60; round++) {
      const kind = pick(random, Object.keys(objects));
      const patch = patchOf(random, live[kind] as Body, types[kind] as PatchType);
      const { theirs, ours } = await both(kind, patch);
      // Of several faults in one patch the server finds now one first and now another.
      const answers = [ours, theirs].map((answer) => (isOfPatch(answer) ? 'refused' : answer));
      expect({ kind, patch, answer: answers[0] }).toEqual({ kind, patch, answer: answers[1] });
      codes.push(theirs.code);
    }
    expect(codes.filter((code) => code === 200).length).toBeGreaterThan(20);
  });
});

/** The server hangs up on who makes it panic. */
const panic: Answer = { code: 0, body: { metadata: {} } };

/** The patch cannot be merged, or its result is no such object. */
function isOfPatch({ code, body }: Answer): boolean {
  return [0, 400, 500].includes(code) || JSON.stringify(body['details'] ?? {}).includes('"field":"patch"');
}

/** Without what every write changes, and without what a refusal says of the patch itself. */
function shown({ code, body }: Answer): Answer {
  const { metadata: about, ...rest } = body;
  const { managedFields, generation, ...kept } = about as Body;
  return { code, body: { ...rest, metadata: kept } };
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

function shuffled<T>(random: () => number, values: readonly T[]): T[] {
  return values
    .map((value) => [random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}

const untouched = ['apiVersion', 'kind', 'name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'status'];

/** A patch that fits the shape of `object`: some fields deleted, some changed, lists edited, ordered and replaced. */
function patchOf(random: () => number, object: Body, type: PatchType): Body {
  const patch: Record<string, Json> = {};
  if (random() < 0.03) patch['$patch'] = pick(random, ['replace', 'delete', 'merge']);
  for (const [key, value] of Object.entries(object)) {
    if (untouched.includes(key) || key === 'managedFields' || random() < 0.35) continue;
    const field = type.type === 'map' ? type.fields[key] : undefined;
    const itsType = field?.type() ?? { type: 'leaf' };
    if (random() < 0.06) patch[key] = null;
    else if (Array.isArray(value)) {
      const item = itsType.type === 'list' ? itsType.item() : itsType;
      Object.assign(patch, listOf(random, key, value, item, field?.mergeKey ?? ''));
    } else if (typeof value === 'object' && value !== null) patch[key] = patchOf(random, value as Body, itsType);
    else if (typeof value === 'string' && random() < 0.3) patch[key] = value;
  }
  if (random() < 0.04) patch['$retainKeys'] = Object.keys({ ...object, ...patch }).filter(() => random() < 0.8);
  return patch;
}

function listOf(random: () => number, name: string, list: readonly Json[], type: PatchType, mergeKey: string): Body {
  if (mergeKey === '' && typeof list[0] === 'object') return { [name]: shuffled(random, list.slice(1)) };
  const fields: Record<string, Json> = {};
  const keys = list.map((item) => (mergeKey === '' ? item : ((item as Body)[mergeKey] as Json)));
  const fresh = keys.every((key) => typeof key === 'string') ? [`${keys[0]}1`, `${keys[0]}2`] : [8080, 9090];
  const named = shuffled(random, [...keys, ...fresh]).filter(() => random() < 0.6);
  if (mergeKey === '') {
    if (random() < 0.6) fields[name] = named;
    if (random() < 0.3)
      fields[`$deleteFromPrimitiveList/${name}`] = keys.filter((key) => random() < 0.4 && !named.includes(key));
  } else if (random() < 0.9) {
    const items = named.map((key): Json => {
      const old = list.find((item) => (item as Body)[mergeKey] === key) as Body | undefined;
      if (random() < 0.25) return { [mergeKey]: key, $patch: 'delete' };
      if (old) return { ...patchOf(random, old, type), [mergeKey]: key };
      return { ...(list[0] as Body), [mergeKey]: key };
    });
    fields[name] = random() < 0.08 ? [...items, { $patch: 'replace' }] : items;
  }
  if (random() < 0.5) {
    // Mostly in the order of the patch, which is all that the server takes.
    const missing = keys.filter((key) => !named.includes(key) && random() < 0.7);
    const order = random() < 0.1 ? shuffled(random, [...named, ...missing]) : [...named, ...missing];
    fields[`$setElementOrder/${name}`] = mergeKey === '' ? order : order.map((key) => ({ [mergeKey]: key }));
  }
  return fields;
}
