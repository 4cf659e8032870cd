import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { customResource, operator, s } from '../../../src/index.js';
import { tellStrays } from '../../../src/runtime/author/stray-owners.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Booked = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Booked',
  plural: 'bookeds',
  spec: s.object({ seat: s.string() }),
});
const trip = (seat: string) => ({
  apiVersion: Booked.apiVersion,
  kind: Booked.kind,
  metadata: { name: 'trip' },
  spec: { seat },
});

/** Goes on where an author's code left something behind. */
let behind: <T>(body: () => T) => T;
/** What is booked outside the cluster, by the key of whom it is for. */
let bookings: Map<string, string>;
const bookedEvery = (pollSeconds: number) =>
  operator(Booked, {
    owns: [],
    compose() {},
    external: {
      booking: {
        pollSeconds,
        observe: async (_, { key }) => bookings.get(key),
        ensure: async ({ spec }, _, { key }) => {
          bookings.set(key, spec.seat);
          behind = AsyncLocalStorage.snapshot();
          return spec.seat;
        },
        remove: async (_, { key }) => {
          bookings.delete(key);
        },
      },
    },
  });
const booked = bookedEvery(3600);

let cluster: TestCluster;
beforeEach(async () => {
  bookings = new Map();
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

/** A controller that begins anew, with a list of the past, which no watch contradicts for a while. */
const beginLate = async (meanwhile: () => Promise<unknown>) => {
  const controller = await cluster.run(booked);
  await cluster.apply(trip('1A'));
  await cluster.settled();
  expect([...bookings.values()]).toEqual(['1A']);
  const untilNow = controller.faults.goBack(Booked);
  await meanwhile();
  await cluster.settled();
  const letGo = controller.faults.holdWatch(Booked);
  controller.restart();
  await cluster.advance(60);
  return () => {
    untilNow();
    letGo();
  };
};

it('nothing is booked for whom is gone by a process that does not know it yet', async () => {
  const hear = await beginLate(() => cluster.delete(Booked, 'trip'));
  expect([...bookings.values()]).toEqual([]);
  hear();
  await cluster.settled();
  expect([...bookings.values()]).toEqual([]);
});

it('nothing of another of its name is removed by a process that takes it for the one that is gone', async () => {
  let isRefused = true;
  // By name, as a DNS record or a bucket is.
  const named = operator(Booked, {
    owns: [],
    compose() {},
    external: {
      booking: {
        pollSeconds: 3600,
        observe: async ({ metadata }) => bookings.get(metadata.name),
        ensure: async ({ spec, metadata }) => {
          bookings.set(metadata.name, spec.seat);
          return spec.seat;
        },
        remove: async ({ metadata }) => {
          if (isRefused) throw new Error('not now');
          bookings.delete(metadata.name);
        },
      },
    },
  });
  const controller = await cluster.run(named);
  await cluster.apply(trip('1A'));
  await cluster.settled();
  await cluster.delete(Booked, 'trip');
  await cluster.advance(1);
  const untilNow = controller.faults.goBack(Booked);
  isRefused = false;
  await cluster.settled();
  expect([...bookings.values()]).toEqual([]);
  await cluster.apply(trip('2B'));
  await cluster.settled();
  const letGo = controller.faults.holdWatch(Booked);
  controller.restart();
  await cluster.advance(60);
  expect([...bookings.values()]).toEqual(['2B']);
  untilNow();
  letGo();
  await cluster.settled();
  expect([...bookings.values()]).toEqual(['2B']);
});

it('nothing is booked anew for whom was let go by hand, before the store shows it', async () => {
  const controller = await cluster.run(bookedEvery(5));
  await cluster.apply(trip('1A'));
  await cluster.settled();
  const letGo = controller.faults.holdWatch(Booked);
  await cluster.patch(Booked, 'trip', { metadata: { finalizers: null } });
  await cluster.delete(Booked, 'trip');
  bookings.clear();
  await cluster.advance(10);
  letGo();
  await cluster.settled();
  expect([...bookings.values()]).toEqual([]);
});

it('no older wish takes the place of a newer one by a process that does not know that yet', async () => {
  const hear = await beginLate(() => cluster.apply(trip('2B')));
  expect([...bookings.values()]).toEqual(['2B']);
  hear();
  await cluster.settled();
  expect([...bookings.values()]).toEqual(['2B']);
});

it('what failed behind its author is told, though the first round that could tell it meets another writer', async () => {
  const before = process.listeners('unhandledRejection');
  tellStrays(() => {});
  const controller = await cluster.run(booked);
  await cluster.apply(trip('1A'));
  await cluster.settled();
  const letGo = controller.faults.holdWatch(Booked);
  await cluster.apply(trip('2B'));
  behind(() => process.emit('unhandledRejection', new Error('no answer'), Promise.resolve()));
  await cluster.advance(1);
  expect([...bookings.values()]).toEqual(['1A']);
  const told = () => JSON.stringify(controller.log).includes('a promise of booking was rejected, which nobody handles');
  expect(told()).toBe(false);
  letGo();
  await cluster.advance(1);
  expect([...bookings.values()]).toEqual(['2B']);
  expect(told()).toBe(true);
  for (const listener of process.listeners('unhandledRejection'))
    if (!before.includes(listener)) process.off('unhandledRejection', listener);
});

it('what failed behind its author is not held against another custom resource that has its name by then', async () => {
  const before = process.listeners('unhandledRejection');
  tellStrays(() => {});
  const controller = await cluster.run(booked);
  await cluster.apply(trip('1A'));
  await cluster.settled();
  const behindTheFirst = behind;
  await cluster.delete(Booked, 'trip');
  await cluster.settled();
  await cluster.apply(trip('2B'));
  await cluster.settled();
  behindTheFirst(() => process.emit('unhandledRejection', new Error('no answer'), Promise.resolve()));
  await cluster.advance(1);
  expect(conditionIn(await cluster.get(Booked, 'trip'), 'Ready')).toMatchObject({ status: 'True' });
  expect(JSON.stringify(controller.log)).not.toContain('which nobody handles');
  // Of the one that has the name it is told still.
  behind(() => process.emit('unhandledRejection', new Error('no answer'), Promise.resolve()));
  await cluster.advance(1);
  expect(JSON.stringify(controller.log)).toContain('which nobody handles');
  for (const listener of process.listeners('unhandledRejection'))
    if (!before.includes(listener)) process.off('unhandledRejection', listener);
});
