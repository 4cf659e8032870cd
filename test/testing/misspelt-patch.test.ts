import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { InvalidError } from '../../src/client/api-error.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await startCluster();
  await cluster.run(memcached);
  const { apiVersion, kind } = Memcached;
  await cluster.apply({ apiVersion, kind, metadata: { name: 'cache' }, spec: { size: 3 } });
  await cluster.settled();
});

afterEach(() => cluster.stop());

it.each([
  ['a custom resource', Memcached, 'cache'],
  ['a child', Deployment, 'cache-server'],
])(
  'a patch of a field that %s does not have changes nothing, and is no test of what is put back',
  async (_, kind, name) => {
    const before = await cluster.get<object>(kind, name);
    const patched = cluster.patch<object>(kind, name, { spec: { replcas: 9 } }, { manager: 'somebody' });
    await expect(patched).rejects.toThrow(InvalidError);
    await expect(patched).rejects.toThrow('unknown field "spec.replcas"');
    expect(await cluster.get<object>(kind, name)).toEqual(before);
  },
);
