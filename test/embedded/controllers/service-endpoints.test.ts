import { describe, expect, it } from '@jest/globals';
import { Deployment, EndpointSlice, type EndpointSliceObject, Node, Service } from '../../../imports/k8s.js';
import { SmallWorld, workload } from './small-world.js';

const zone = 'topology.kubernetes.io/zone';

describe('the endpoints of a Service', () => {
  const shownIn = async (world: SmallWorld) => {
    await world.settle();
    const slices = (await world.list(EndpointSlice)) as unknown as readonly EndpointSliceObject[];
    const all = slices
      .filter(({ metadata }) => metadata?.name?.startsWith('web'))
      .flatMap(({ endpoints }) => endpoints);
    return all.map((each) => [each?.nodeName, each?.zone, each?.hints]);
  };
  const withService = async (spec: object = {}) => {
    const world = new SmallWorld({ nodes: ['a'] });
    await world.patch(Node, 'a', { metadata: { labels: { [zone]: 'north' } } });
    await world.create(Deployment, workload('web'));
    await world.create(Service, {
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
    });
    return world;
  };

  it('say in which zone they are, and follow when that is another', async () => {
    const world = await withService();
    expect(await shownIn(world)).toEqual([['a', 'north', undefined]]);
    await world.patch(Node, 'a', { metadata: { labels: { [zone]: 'south' } } });
    expect(await shownIn(world)).toEqual([['a', 'south', undefined]]);
    await world.patch(Node, 'a', { metadata: { labels: { [zone]: null } } });
    expect(await shownIn(world)).toEqual([['a', undefined, undefined]]);
  });

  it.each([
    ['PreferClose', { forZones: [{ name: 'north' }] }],
    ['PreferSameZone', { forZones: [{ name: 'north' }] }],
    ['PreferSameNode', { forZones: [{ name: 'north' }], forNodes: [{ name: 'a' }] }],
  ])('say for whom they are by the traffic distribution %s', async (trafficDistribution, hints) => {
    const world = await withService({ trafficDistribution });
    expect(await shownIn(world)).toEqual([['a', 'north', hints]]);
    await world.patch(Service, 'web', { spec: { trafficDistribution: null } });
    expect(await shownIn(world)).toEqual([['a', 'north', undefined]]);
  });
});
