import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/client/cluster.js';
import { FlightTicket, flightticket } from '../../../src/operators/flightticket.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';
import { BookingService } from '../../booking/booking-service.js';
import { conditionOf, flight, settings, spec } from '../a-flight.js';
import { runOn } from '../a-run.js';

let cluster: TestCluster;
let service: BookingService;
/** So long the service takes for each answer. */
let seconds: number;

beforeEach(() => {
  service = new BookingService();
  seconds = 0;
});

const fetch: typeof globalThis.fetch = (input, init) =>
  new Promise((resolve, reject) => {
    const { signal, ...rest } = init ?? {};
    const answer = () => resolve(service.fetch(input as string, rest));
    const cancel = seconds === 0 ? answer() : cluster.clock.after(seconds * 1000, answer);
    signal?.addEventListener('abort', () => {
      cancel?.();
      reject(signal.reason as Error);
    });
  });

const ticket = () => cluster.get(FlightTicket, 'trip');
const written = (since = 0) =>
  cluster
    .writes(since)
    .filter(({ kind }) => kind === 'FlightTicket')
    .map(({ verb, subresource = '' }) => `${verb} ${subresource}`.trim());

describe('a custom resource whose service is slow', () => {
  let controller: TestController;
  const start = async (options: { readonly leaderElect?: boolean } = {}) => {
    controller = await cluster.run(flightticket, { settings, fetch, ...options });
  };
  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  it('says after a second that it is under way, and what came of it then', async () => {
    await start();
    seconds = 5;
    await cluster.apply(flight());
    await cluster.advance(0.9);
    expect((await ticket()).status).toBeUndefined();
    await cluster.advance(0.2);
    const message = 'FlightTicket/default/trip: booking has not answered yet';
    const begun = (await ticket()).status;
    expect(begun).toMatchObject({
      observedGeneration: 1,
      conditions: [
        { type: 'Ready', status: 'False', reason: 'Progressing', message, observedGeneration: 1 },
        { type: 'Reconciling', status: 'True', reason: 'Progressing', message, observedGeneration: 1 },
      ],
    });
    expect(begun).not.toHaveProperty('bookingId');
    await cluster.advance(10);
    expect(service.bookings).toMatchObject([{ id: 'B1', ...spec }]);
    expect((await ticket()).status).toMatchObject({ bookingId: 'B1', observedGeneration: 1 });
    expect(await conditionOf(cluster)).toMatchObject({ status: 'True' });
    expect(await conditionOf(cluster, 'Reconciling')).toBeUndefined();
    await cluster.advance(300);
    expect(written()).toEqual(['patch', 'apply status', 'apply status']);
  });

  it('says so of an edit, and keeps what it said of what it has, but no request that is not handled yet', async () => {
    await start();
    await cluster.apply(flight());
    await cluster.settled();
    const before = written().length;
    seconds = 5;
    await cluster.apply({ ...flight({ 'requested-at': 'now' }), spec: { ...spec, number: 7 } });
    await cluster.advance(2);
    const { status } = await ticket();
    expect(status).toMatchObject({ bookingId: 'B1', state: 'booked', observedGeneration: 2 });
    expect(status).not.toHaveProperty('lastHandledReconcileAt');
    expect(await conditionOf(cluster)).toMatchObject({ status: 'False', reason: 'Progressing' });
    await cluster.advance(20);
    expect((await ticket()).status).toMatchObject({ bookingId: 'B1', lastHandledReconcileAt: 'now' });
    expect(written().slice(before)).toEqual(['apply status', 'apply status']);
  });

  it('is written to as ever where the service answers within a second', async () => {
    await start();
    seconds = 0.4;
    await cluster.apply(flight());
    await cluster.advance(60);
    expect(service.bookings).toHaveLength(1);
    expect(written()).toEqual(['patch', 'apply status']);
  });

  it('is not written to for a look at what was said before', async () => {
    await start();
    await cluster.apply(flight());
    await cluster.settled();
    const before = written().length;
    seconds = 5;
    await cluster.advance(600);
    expect(written().slice(before)).toEqual([]);
  });

  it.each([
    ['before it was said that it is under way', 0.5],
    ['after that', 3],
    ['while what was booked is not known yet', 7],
  ])('that is edited %s is looked at again at once, and loses nothing', async (_, after) => {
    await start();
    seconds = 5;
    await cluster.apply(flight());
    await cluster.advance(after);
    await cluster.patch(FlightTicket, 'trip', { spec: { number: 7 } });
    // The round ends, of which nothing can be said, and the next one asks again.
    await cluster.advance(10.5 - after);
    seconds = 0;
    await cluster.advance(5);
    expect(service.bookings).toMatchObject([{ id: 'B1', number: 7 }]);
    expect((await ticket()).status).toMatchObject({ bookingId: 'B1', observedGeneration: 2 });
    expect(await conditionOf(cluster)).toMatchObject({ status: 'True', observedGeneration: 2 });
  });

  it.each<[string, () => void]>([
    ['is lost', () => controller.faults.loseCall({ verb: 'apply', subresource: 'status' })],
    [
      'is carried out, and its answer lost',
      () => controller.faults.loseAnswer({ verb: 'apply', subresource: 'status' }),
    ],
    ['is refused', () => controller.faults.refuse({ verb: 'apply', subresource: 'status' }, { code: 500 })],
    [
      'is asked to wait',
      () => controller.faults.refuse({ verb: 'apply', subresource: 'status' }, { code: 429, retryAfterSeconds: 3 }),
    ],
    ['meets another writer', () => controller.faults.refuse({ verb: 'apply', subresource: 'status' }, { code: 409 })],
    [
      'is the last thing its controller does',
      () => controller.faults.crashAfter({ verb: 'apply', subresource: 'status' }),
    ],
  ])('is booked once, and says so, though the write %s that says that it is under way', async (_, plan) => {
    await start();
    seconds = 5;
    plan();
    await cluster.apply(flight());
    await cluster.advance(30);
    if (!controller.isRunning) controller.restart();
    await cluster.advance(60);
    expect(service.bookings).toMatchObject([{ id: 'B1', state: 'booked' }]);
    expect((await ticket()).status).toMatchObject({ bookingId: 'B1' });
    expect(await conditionOf(cluster)).toMatchObject({ status: 'True' });
    expect(await conditionOf(cluster, 'Reconciling')).toBeUndefined();
  });

  it('is written to no more by whoever has lost the Lease meanwhile', async () => {
    await start({ leaderElect: true });
    await cluster.advance(1);
    seconds = 20;
    await cluster.apply(flight());
    await cluster.advance(0.5);
    expect(written()).toEqual(['patch']);
    controller.loseLease();
    await cluster.advance(10);
    expect(written()).toEqual(['patch']);
    expect(controller.leftOver).toEqual({ timers: 0, listeners: 0 });
  });

  it('leaves no timer behind', async () => {
    await start();
    seconds = 20;
    await cluster.apply(flight());
    await cluster.advance(0.5);
    const stopped = controller.stop();
    await cluster.advance(60);
    await stopped;
    expect(controller.leftOver).toEqual({ timers: 0, listeners: 0 });
  });
});

it('a custom resource whose service is slow is never written to twice at a time', async () => {
  const underWay = { now: 0, most: 0 };
  const slowly = (real: Cluster, wait: () => Promise<void>): Partial<Cluster> => {
    const counted = async <T>(kind: { readonly kind: string }, write: () => Promise<T>): Promise<T> => {
      if (kind.kind !== 'FlightTicket') return write();
      underWay.most = Math.max(underWay.most, ++underWay.now);
      await wait();
      return write().finally(() => underWay.now--);
    };
    return {
      apply: (kind, manifest, options) => counted(kind, () => real.apply(kind, manifest, options)),
      patch: (kind, target, patch, options) => counted(kind, () => real.patch(kind, target, patch, options)),
    };
  };
  const run = await runOn(
    [flightticket],
    (real, clock) => slowly(real, () => new Promise((resolve) => clock.after(3000, resolve))),
    { settings, fetch },
  );
  cluster = run.cluster;
  seconds = 1;
  await cluster.apply(flight());
  // The service has answered twice before what began after a second has been written.
  await cluster.advance(60);
  expect(underWay.most).toBe(1);
  expect((await ticket()).status).toMatchObject({ bookingId: 'B1' });
  expect(await conditionOf(cluster)).toMatchObject({ status: 'True' });
  expect(service.bookings).toHaveLength(1);
  await run.stop();
});
