import { expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { Podroute, podroute } from '../../src/operators/podroute.js';
import { startCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

it('a child whose name the child of another has says who that is, and is made when the other is deleted', async () => {
  const cluster = await startCluster();
  await cluster.run([memcached, podroute]);
  const metadata = { name: 'one' };
  await cluster.apply({ apiVersion: Memcached.apiVersion, kind: 'Memcached', metadata, spec: { size: 1 } });
  await cluster.settled();
  await cluster.apply({ apiVersion: Podroute.apiVersion, kind: 'Podroute', metadata, spec: { image: 'x' } });
  await cluster.settled();
  const ready = async () => conditionIn(await cluster.get(Podroute, 'one'));
  expect(await ready()).toMatchObject({
    reason: 'ApplyConflict',
    message:
      'Deployment/default/one-server is not ours: it exists, and belongs to Memcached/one; ' +
      'give the child another name, or delete Memcached/one, which would make it again',
  });

  await cluster.delete(Memcached, 'one');
  await cluster.advance(5);
  expect((await cluster.get(Deployment, 'one-server')).metadata.ownerReferences?.[0]?.kind).toBe('Podroute');
  await cluster.settled();
  expect(await ready()).toMatchObject({ status: 'True' });
  await cluster.stop();
});
