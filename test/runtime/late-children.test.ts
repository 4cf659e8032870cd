import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Service } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

/** Of what a store that is late has of a child nobody is told. */
const Shop = customResource({
  group: 'shops.example.com',
  version: 'v1',
  kind: 'Shop',
  spec: s.object({ port: s.int32() }),
  status: s.object({ address: s.string({ optional: true }) }),
});
const shop = operator(Shop, {
  owns: [Service],
  compose(scope, { spec }) {
    const door = new Service(scope, 'door', {
      metadata: { name: 'door' },
      spec: { type: 'LoadBalancer', ports: [{ port: spec.port }] },
    });
    return { door };
  },
  status: ({ door }) => ({ address: door?.status?.loadBalancer?.ingress?.[0]?.ip }),
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const corner = (port = 80) =>
  cluster.apply({ apiVersion: Shop.apiVersion, kind: Shop.kind, metadata: { name: 'corner' }, spec: { port } });
const isAt = (...ips: readonly string[]) => {
  const status = { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } };
  return cluster.patch(Service, 'door', { status }, { subresource: 'status' });
};
const said = async () => {
  const found = await cluster.get(Shop, 'corner');
  return { address: found.status?.address, ready: conditionIn(found)?.status };
};
/** One that has died, and whose child has changed since. */
const gone = async () => {
  const controller = await cluster.run(shop);
  await corner();
  await isAt('192.0.2.1');
  await cluster.settled();
  controller.crash();
  await isAt('192.0.2.2');
  return controller;
};
/** Of all that was said from now on. */
const hears = () => {
  const heard = new Set<string>();
  cluster.server.store.listen(({ object }) => {
    if (object.kind === Shop.kind) heard.add(conditionIn(object)?.status ?? 'nothing');
  });
  return heard;
};

it.each([
  ['got ready', [], ['192.0.2.1'], { address: '192.0.2.1', ready: 'True' }],
  ['is ready no more', ['192.0.2.1'], [], { address: undefined, ready: 'False' }],
])(
  'who comes to lead and has not heard that a child %s does not take back what was said',
  async (_, before, after, truth) => {
    const leader = await cluster.run(shop, { leaderElect: true });
    const standby = await cluster.run(shop, { leaderElect: true });
    await corner();
    await isAt(...before);
    await cluster.settled();
    const letGo = standby.faults.holdWatch(Service);
    await isAt(...after);
    await cluster.settled();
    expect(await said()).toEqual(truth);

    const heard = hears();
    leader.crash();
    await cluster.advance(20);
    expect(standby.leads).toBe(true);
    expect(await said()).toEqual(truth);
    letGo();
    await cluster.settled();
    expect(await said()).toEqual(truth);
    expect([...heard].filter((ready) => ready !== truth.ready)).toEqual([]);

    await isAt('192.0.2.7');
    await cluster.settled();
    expect(await said()).toEqual({ address: '192.0.2.7', ready: 'True' });
  },
);

it('who comes to lead says nothing of a child that is gone, though the store has it still', async () => {
  const leader = await cluster.run(shop, { leaderElect: true });
  const standby = await cluster.run(shop, { leaderElect: true });
  await corner();
  await cluster.settled();
  await isAt('192.0.2.1');
  const letGo = standby.faults.holdWatch(Service);
  await cluster.delete(Service, 'door');
  await cluster.settled();
  expect(await said()).toEqual({ address: undefined, ready: 'False' });

  const heard = hears();
  leader.crash();
  await cluster.advance(20);
  letGo();
  await cluster.settled();
  expect([...heard].filter((ready) => ready !== 'False')).toEqual([]);
  expect(await said()).toEqual({ address: undefined, ready: 'False' });
});

it('who comes to lead and has not heard of a child at all does not take back what was said of it, however long that goes on', async () => {
  const leader = await cluster.run(shop, { leaderElect: true });
  const standby = await cluster.run(shop, { leaderElect: true });
  const letGo = standby.faults.holdWatch(Service);
  await corner();
  await isAt('192.0.2.1');
  await cluster.settled();
  leader.crash();
  // So long that the conflict over the child is told of.
  await cluster.advance(80);
  expect(standby.leads).toBe(true);
  expect(await said()).toEqual({ address: '192.0.2.1', ready: 'False' });
  letGo();
  await cluster.settled();
  expect(await said()).toEqual({ address: '192.0.2.1', ready: 'True' });
});

it('a child that changes whenever it is asked for keeps nobody from saying how it is', async () => {
  const controller = await gone();
  let asked = 0;
  const end = controller.faults.observe(({ verb, kind }) => {
    if (verb === 'list' && kind === 'Service') void isAt(`192.0.2.${100 + asked++}`);
  });
  controller.restart();
  await cluster.advance(60);
  end();
  expect(asked).toBeGreaterThan(0);
  expect(await said()).toEqual({ address: `192.0.2.${99 + asked}`, ready: 'True' });
});

it('what cannot be asked for a while is said in the end', async () => {
  const controller = await gone();
  controller.faults.refuse({ verb: 'list', kind: Service }, { code: 503, times: 3 });
  controller.restart();
  await cluster.advance(120);
  expect(controller.faults.pending).toEqual([]);
  expect(await said()).toEqual({ address: '192.0.2.2', ready: 'True' });
});
