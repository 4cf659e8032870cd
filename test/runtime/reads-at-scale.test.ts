import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';

const Reader = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Reader',
  spec: s.object({ configMap: s.string() }),
  status: s.object({ colour: s.string() }),
});

const many = 10_000;
const readers = 10;

it('reconciles exactly the ten of ten thousand that read a ConfigMap', async () => {
  const composed: string[] = [];
  const operators = operator(Reader, {
    owns: [],
    reads: { config: one(ConfigMap, (cr) => ({ name: cr.spec.configMap })) },
    compose(_, cr) {
      composed.push(cr.metadata.name);
    },
    status: (_, { config }) => ({ colour: config?.data?.['colour'] ?? 'none' }),
  });
  const cluster = await startCluster();
  await cluster.run(operators, {});
  for (let index = 0; index < many; index++) {
    const configMap = index % (many / readers) === 0 ? 'shared' : `own-${index}`;
    const { apiVersion, kind } = Reader;
    const reader = {
      apiVersion,
      kind,
      metadata: { name: `reader-${index}`, namespace: 'default' },
      spec: { configMap },
    };
    await cluster.server.cluster().create(Reader, reader, { fieldManager: 'test' });
  }
  await cluster.settled();
  expect(new Set(composed).size).toBe(many);
  const told = async () =>
    (await cluster.list(Reader)).filter(({ status }) => status?.colour === 'red').map(({ metadata }) => metadata.name);

  composed.length = 0;
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' }, data: { colour: 'red' } });
  await cluster.settled();
  expect(composed).toHaveLength(readers);
  expect((await told()).sort()).toEqual([...composed].sort());

  composed.length = 0;
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'nobody-reads' }, data: {} });
  await cluster.delete(ConfigMap, 'shared');
  await cluster.settled();
  expect(composed).toHaveLength(readers);
  expect(await told()).toEqual([]);
  await cluster.stop();
}, 600_000);
