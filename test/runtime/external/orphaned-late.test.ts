import { expect, it } from '@jest/globals';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster } from '../../../src/testing/index.js';

const Trip = customResource({ group: 'web.example.com', version: 'v1', kind: 'Trip', spec: s.object({}) });

it('what is outside is left once somebody says so, though what was there beside it is being removed', async () => {
  const there = new Set(['seat', 'meal']);
  let answer = () => {};
  const external = (name: string, remove: () => Promise<void>) => ({
    pollSeconds: 60,
    observe: () => Promise.resolve(name),
    ensure: () => Promise.resolve(name),
    remove: () => remove().then(() => void there.delete(name)),
  });
  const trip = operator(Trip, {
    owns: [],
    compose: () => {},
    external: {
      seat: external('seat', () => Promise.resolve()),
      meal: external('meal', () => new Promise((resolve) => (answer = resolve))),
    },
  });
  const cluster = await startCluster();
  await cluster.run(trip);
  await cluster.apply({ apiVersion: Trip.apiVersion, kind: Trip.kind, metadata: { name: 'home' }, spec: {} });
  await cluster.settled();
  await cluster.delete(Trip, 'home');
  await cluster.advance(2);
  const annotations = { 'web.example.com/deletion-policy': 'orphan' };
  await cluster.patch(Trip, 'home', { metadata: { annotations } });
  await cluster.advance(1);
  answer();
  await cluster.settled();
  expect([...there]).toEqual(['seat']);
  expect(await cluster.find(Trip, 'home')).toBeUndefined();
  await cluster.stop();
});
