import { describe, expect, it } from '@jest/globals';
import { PersistentVolumeClaim, Pod } from '../../../imports/k8s.js';
import { podSpec, SmallWorld } from './small-world.js';

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];

describe('a claim that is deleted', () => {
  const withPod = async (spec: object) => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, succeedAfterSeconds: 5 } });
    await world.create(PersistentVolumeClaim, claim);
    await world.create(Pod, { metadata: { name: 'user' }, spec: { ...podSpec(), volumes, ...spec } });
    await world.settle();
    await world.cluster.delete(PersistentVolumeClaim, { namespace: 'default', name: 'data' });
    await world.settle();
    return world;
  };

  it.each([
    ['runs', {}],
    ['has come to its end', { restartPolicy: 'Never' }],
  ])('stays as long as a Pod that uses it is there, though that %s', async (_, spec) => {
    const world = await withPod(spec);
    expect(await world.names(PersistentVolumeClaim)).toEqual(['data']);
    await world.cluster.delete(Pod, { namespace: 'default', name: 'user' });
    await world.settle();
    expect(await world.names(PersistentVolumeClaim)).toEqual([]);
  });

  it('goes though a Pod that no Node takes would use it', async () => {
    const world = await withPod({ nodeSelector: { disk: 'none' } });
    expect(await world.names(PersistentVolumeClaim)).toEqual([]);
  });
});
