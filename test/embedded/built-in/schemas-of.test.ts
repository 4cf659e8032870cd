import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtInKinds } from '../../../src/embedded/built-in/built-in-kinds.js';
import { schemasOf } from '../../../src/embedded/built-in/schemas-of.js';
import type { Json } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';

const versions = [
  ...new Set(builtInKinds().map(({ group, version }) => (group === '' ? version : `${group}/${version}`))),
];

onRealCluster('the schemas of a group', {}, (plane) => {
  let server: AskServer;
  beforeAll(() => {
    server = new AskServer(plane());
  });
  afterAll(() => server.close());

  it.each(versions)('are those of the server: %s', async (apiVersion) => {
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
    const { body } = await server.ask('GET', `/openapi/v3/${path}`);
    const { schemas } = body['components'] as { schemas: Record<string, Json> };
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const ours = schemasOf(group as string, version as string);
    expect(Object.keys(ours).length).toBeGreaterThan(10);
    // The server has more: what discovery, watches and patches are made of.
    const theirs = Object.fromEntries(Object.keys(ours).map((name) => [name, schemas[name]]));
    expect(plain(JSON.parse(JSON.stringify(ours)) as Json)).toEqual(plain(theirs as Json));
  });

  it('are none for a group that is not built in', () => {
    expect(schemasOf('example.com', 'v1')).toEqual({});
  });
});

const unsaid = ['description', 'x-kubernetes-unions'];

/** Without descriptions, without defaults of what has none, and in one spelling of references and kinds. */
function plain(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema as Readonly<Record<string, Json>>).flatMap(([name, value]): [string, Json][] => {
    // Properties may be called as keywords are.
    if (name === 'properties') {
      return [
        [name, Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, plain(each as Json)]))],
      ];
    }
    if (unsaid.includes(name)) return [];
    // In the order of the Go fields there, of names here.
    if (name === 'required') return [[name, [...(value as readonly string[])].sort()]];
    if (name === 'default' && (isEmptyMap(value) || value === '' || value === false || value === 0)) return [];
    // Those of options and answers are of every group.
    if (name === 'x-kubernetes-group-version-kind') return [[name, (value as readonly Json[])[0] as Json]];
    return [[name, plain(value)]];
  });
  const result = Object.fromEntries(kept);
  const [only] = kept.length === 1 && Array.isArray(result['allOf']) ? (result['allOf'] as readonly Json[]) : [];
  return only ?? result;
}

function isEmptyMap(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}
