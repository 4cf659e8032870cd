import { afterEach, expect, it } from '@jest/globals';
import { EventsEvent, Lease } from '../../imports/k8s.js';
import { type ExternalCall, operator } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { Booked, trip } from './a-booked-kind.js';
import { aNote, note } from './a-note.js';

let cluster: TestCluster;
afterEach(() => cluster.stop());

it('K-07: a write that is not answered is given up four seconds after the process was asked to end', async () => {
  cluster = await startCluster();
  const controller = await cluster.run(note);
  controller.faults.delay({ verb: 'create', kind: 'ConfigMap' }, 3600);
  await cluster.apply(aNote);
  await cluster.advance(1);
  void controller.stop();
  await cluster.advance(3);
  expect(controller.isRunning).toBe(true);
  await cluster.advance(2);
  expect(controller.isRunning).toBe(false);
});

it.each<[string, (controller: TestController) => unknown]>([
  ['is asked to end', (controller) => void controller.stop()],
  ['has lost the Lease', () => cluster.patch(Lease, 'kilter', { spec: { holderIdentity: 'another' } })],
])('a write that is given up because the process %s is no failure that anybody is told of', async (_, end) => {
  cluster = await startCluster();
  const controller = await cluster.run(note, { leaderElect: true });
  controller.faults.delay({ verb: 'create', kind: 'ConfigMap' }, 3600);
  await cluster.apply(aNote);
  await cluster.advance(1);
  await end(controller);
  await cluster.advance(10);
  expect(controller.isRunning).toBe(false);
  expect(controller.log.filter(({ message }) => message.startsWith('Failed to write the status'))).toEqual([]);
  expect(await cluster.list(EventsEvent)).toEqual([]);
});

it('what a call has left behind outside the cluster is ended before the Lease is given back', async () => {
  cluster = await startCluster();
  const isGivenBack = () => controller.log.some(({ message }) => message === 'Released the Lease');
  /** Of each request that was ended, whether the Lease was given back by then. */
  const ended: boolean[] = [];
  const fetch: typeof globalThis.fetch = (url, init) =>
    String(url).endsWith('first')
      ? Promise.reject(new Error('sold out'))
      : new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => {
            ended.push(isGivenBack());
            reject(init.signal?.reason as Error);
          });
        });
  // By the first that fails the call is over, and the second goes on.
  const both = async (_: unknown, call: ExternalCall) => {
    await Promise.all([call.fetch('http://seats/first'), call.fetch('http://seats/second')]);
    return 'there';
  };
  const seat = { pollSeconds: 10, observe: both, ensure: async () => 'there', remove: async () => {} };
  const booked = operator(Booked, { owns: [], compose() {}, external: { seat } });
  const controller = await cluster.run(booked, { leaderElect: true, fetch });
  await cluster.apply(trip);
  await cluster.advance(0.5);
  const stopped = controller.stop();
  await cluster.advance(10);
  await stopped;
  expect(isGivenBack()).toBe(true);
  expect([...new Set(ended)]).toEqual([false]);
});
