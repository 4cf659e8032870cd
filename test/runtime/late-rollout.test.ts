import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Service } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Shop = customResource({ group: 'shops.example.com', version: 'v1', kind: 'Shop', spec: s.object({}) });
/** The operator as of one version, which the port tells. */
const shops = (port: number) =>
  operator(Shop, {
    owns: [Service],
    compose(scope, { metadata: { name } }) {
      new Service(scope, 'door', { metadata: { name }, spec: { type: 'LoadBalancer', ports: [{ port }] } });
    },
  });

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

it.each([
  ['got ready', [], ['192.0.2.1'], 'True'],
  ['is ready no more', ['192.0.2.1'], [], 'False'],
])(
  'who comes to lead and has not heard that a child %s says nothing older of one whose turn is still to come',
  async (_, before, after, truth) => {
    const isAt = (name: string, ips: readonly string[]) => {
      const status = { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } };
      return cluster.patch(Service, name, { status }, { subresource: 'status' });
    };
    const leader = await cluster.run(shops(80), { leaderElect: true });
    const standby = await cluster.run(shops(81), { leaderElect: true, rolloutLimit: 1 });
    for (const name of ['a', 'b']) {
      await cluster.apply({ apiVersion: Shop.apiVersion, kind: Shop.kind, metadata: { name }, spec: {} });
      await isAt(name, ['192.0.2.1']);
    }
    await isAt('b', before);
    await cluster.settled();
    const letGo = standby.faults.holdWatch(Service);
    await isAt('b', after);
    await cluster.settled();
    expect(conditionIn(await cluster.get(Shop, 'b'))).toMatchObject({ status: truth });

    const heard = new Set<string>();
    cluster.server.store.listen(({ object }) => {
      if (object.kind === Shop.kind && object.metadata.name === 'b')
        heard.add(conditionIn(object)?.status ?? 'nothing');
    });
    leader.crash();
    await cluster.advance(20);
    expect(standby.leads).toBe(true);
    letGo();
    await cluster.settled();
    const ports = await Promise.all(
      ['a', 'b'].map(async (name) => (await cluster.get(Service, name)).spec?.ports?.[0]?.port),
    );
    expect(ports).toEqual([81, 81]);
    expect(conditionIn(await cluster.get(Shop, 'b'))).toMatchObject({ status: truth });
    expect([...heard].filter((ready) => ready !== truth)).toEqual([]);
  },
);
