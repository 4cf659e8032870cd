import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(memcached);
});
afterEach(() => cluster.stop());

const wish = (name: string) =>
  cluster.apply({ apiVersion: Memcached.apiVersion, kind: Memcached.kind, metadata: { name }, spec: { size: 0 } });
const observed = async (name: string) => (await cluster.get(Memcached, name)).status?.observedGeneration;

it.each([
  ['after a child was created', { verb: 'create', kind: Deployment }],
  ['before the status is said', { verb: 'apply', subresource: 'status' }],
] as const)('K-03: a process that begins anew after one that died %s has said all within a second', async (_, call) => {
  controller.faults[call.verb === 'create' ? 'crashAfter' : 'crashBefore'](call);
  await wish('cache');
  await cluster.settled();
  expect([controller.isRunning, await observed('cache')]).toEqual([false, undefined]);
  controller.restart();
  await cluster.advance(1);
  expect(await observed('cache')).toBe(1);
});

it('K-05: a process that dies every two seconds, whatever it is at, gets on in each life, and writes once for each change', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `cache-${index}`);
  for (const name of names) await wish(name);
  await cluster.settled();
  const before = cluster.writes().length;
  const drifted = async () =>
    (await cluster.list(Deployment)).filter(({ spec }) => spec?.replicas !== 0).map(({ metadata }) => metadata.name);
  let changes = 0;
  const change = async (names: readonly string[]) => {
    const already = await drifted();
    for (const name of names.filter((name) => !already.includes(name))) {
      await cluster.patch(Deployment, name, { spec: { replicas: 7 } });
      changes++;
    }
  };
  // A write is there after 0.7 s, and its answer after as long again: most lives end in the midst of some.
  controller.faults.slowDown(({ verb }, leg) => ((verb === 'apply' || verb === 'patch') && leg !== 'event' ? 700 : 0));
  await change(names.map((name) => `${name}-server`));
  for (let death = 0; death < 20; death++) {
    controller.crash();
    await cluster.advance(2);
    await change([`cache-${death % names.length}-server`]);
    const wrong = [(await drifted()).length];
    controller.restart();
    for (let look = 0; look < 4; look++) {
      await cluster.advance(0.5);
      wrong.push((await drifted()).length);
    }
    expect(wrong).toEqual(wrong.toSorted((a, b) => b - a));
    expect(wrong.at(-1)).toBeLessThan(wrong[0] as number);
  }
  await cluster.settled();
  expect(await drifted()).toEqual([]);
  expect(cluster.writes(before).filter(({ kind }) => kind === 'Deployment')).toHaveLength(changes);
});
