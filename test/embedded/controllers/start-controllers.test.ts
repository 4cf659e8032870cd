import { describe, expect, it } from '@jest/globals';
import { Deployment, type DeploymentObject, Namespace, Node, Pod } from '../../../imports/k8s.js';
import { SmallWorld, workload } from './small-world.js';

describe('the small controllers', () => {
  it('take up what they find when they are stopped and started anew, at any moment', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 2 } });
    await world.create(Deployment, workload('web', { replicas: 2 }));
    for (let moment = 0; moment < 12; moment++) {
      await world.clock.advance(700);
      world.controllers.stop();
      // The server's own, which waits for the Events to be an hour old.
      expect(world.clock.timers).toBeLessThanOrEqual(1);
      world.start();
    }
    await world.settle();
    expect((await world.get<DeploymentObject>(Deployment, 'web')).status).toMatchObject({
      readyReplicas: 2,
      replicas: 2,
    });
    expect(await world.names(Pod)).toHaveLength(2);
  });

  it('do nothing once they are stopped', async () => {
    const world = new SmallWorld();
    await world.settle();
    world.controllers.stop();
    await world.create(Deployment, workload('web'));
    await world.clock.advance(60_000);
    expect(await world.names(Pod)).toEqual([]);
  });

  it.each([
    [{ deployments: false }, 0, undefined],
    [{ scheduler: false }, 1, 'Pending'],
    [{ nodes: [] }, 1, 'Pending'],
    [{ pods: false as const }, 1, 'Pending'],
    [{}, 1, 'Running'],
  ])('are switched by %j', async (options, count, phase) => {
    const world = new SmallWorld(options);
    await world.create(Deployment, workload('web'));
    await world.settle();
    const pods = await world.list(Pod);
    expect(pods).toHaveLength(count);
    expect((pods[0] as { status?: { phase?: string } } | undefined)?.status?.phase).toBe(phase);
  });

  it('tell whether all is settled: not while a Pod is on its way', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 5 } });
    await world.create(Deployment, workload('web'));
    expect(world.controllers.settled()).toBe(false);
    await world.clock.advance(4000);
    expect(world.controllers.settled()).toBe(false);
    await world.clock.advance(2000);
    expect(world.controllers.settled()).toBe(true);
  });

  it('say why a Pod finds no Node, and put it on one that comes', async () => {
    const world = new SmallWorld({ nodes: [] });
    await world.create(Pod, { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'web:1' }] } });
    await world.settle();
    const { status } = await world.get<{ status: { conditions: { reason: string; message: string }[] } }>(Pod, 'web');
    expect(status.conditions[0]).toMatchObject({
      reason: 'Unschedulable',
      message: 'no nodes available to schedule pods',
    });
    await world.create(Node, { metadata: { name: 'late' } });
    await world.patch(Node, 'late', { spec: { taints: null } });
    await world.settle();
    expect(await world.get(Pod, 'web')).toMatchObject({ spec: { nodeName: 'late' }, status: { phase: 'Running' } });
  });

  it('give a Pod the grace that it asks for', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, stopAfterSeconds: 60 } });
    const spec = { containers: [{ name: 'web', image: 'web:1' }], terminationGracePeriodSeconds: 20 };
    await world.create(Pod, { metadata: { name: 'web' }, spec });
    await world.settle();
    await world.cluster.delete(Pod, { namespace: 'default', name: 'web' });
    await world.clock.advance(18_000);
    expect(await world.names(Pod)).toEqual(['web']);
    await world.clock.advance(3000);
    expect(await world.names(Pod)).toEqual([]);
  });

  it('go on with others when a key fails, and try it again', async () => {
    const world = new SmallWorld();
    await world.settle();
    const { verbs } = world.server;
    const create = verbs.create.bind(verbs);
    let refusals = 3;
    verbs.create = (...call) => {
      if (call[0].plural === 'replicasets' && refusals-- > 0) throw new Error('not now');
      return create(...call);
    };
    await world.create(Deployment, workload('web'));
    await world.create(Namespace, { metadata: { name: 'other' } });
    await expect(world.settle()).rejects.toThrow('a controller failed');
    expect(world.problems).toHaveLength(3);
    expect(await world.names(Pod)).toHaveLength(1);
  });
});
