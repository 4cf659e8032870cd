import { expect, it } from '@jest/globals';
import { Service } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { sleep } from '../../../src/kube/clock.js';
import { startCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Shop = customResource({
  group: 'shops.example.com',
  version: 'v1',
  kind: 'Shop',
  spec: s.object({}),
  status: s.object({ address: s.string({ optional: true }) }),
});

it('a custom resource of several slow services says what came of them, though they take longer together than a round may lose', async () => {
  const cluster = await startCluster();
  let isSlow = false;
  /** Each within the time of a call. */
  const one = {
    pollSeconds: 3600,
    async observe() {
      if (isSlow) await sleep(cluster.clock, 25_000);
      return {};
    },
    ensure: async () => ({}),
    remove: async () => {},
  };
  const shop = operator(Shop, {
    owns: [Service],
    external: { bank: one, register: one, insurance: one },
    compose(scope) {
      const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] } as const;
      return { door: new Service(scope, 'door', { metadata: { name: 'door' }, spec }) };
    },
    status: ({ door }) => ({ address: door?.status?.loadBalancer?.ingress?.[0]?.ip }),
  });
  const isAt = (ip: string) =>
    cluster.patch(Service, 'door', { status: { loadBalancer: { ingress: [{ ip }] } } }, { subresource: 'status' });
  const corner = async () => {
    const found = await cluster.get(Shop, 'corner');
    return { address: found.status?.address, ready: conditionIn(found)?.status };
  };

  const controller = await cluster.run(shop);
  await cluster.apply({ apiVersion: Shop.apiVersion, kind: Shop.kind, metadata: { name: 'corner' }, spec: {} });
  await cluster.settled();
  await isAt('192.0.2.1');
  await cluster.settled();
  expect(await corner()).toEqual({ address: '192.0.2.1', ready: 'True' });

  // Of what it says first after a start it asks whether its stores are late.
  controller.crash();
  await isAt('192.0.2.2');
  isSlow = true;
  controller.restart();
  await cluster.advance(80);
  expect(await corner()).toEqual({ address: '192.0.2.2', ready: 'True' });
  await cluster.stop();
});
