/** Longer than most files: one booking in all its adversities. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Event } from '../../imports/k8s.js';
import type { Condition } from '../../src/index.js';
import { FlightTicket, flightticket } from '../../src/operators/flightticket.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { BookingService } from '../booking/booking-service.js';
import { expectGolden } from './golden.js';

const metadata = { name: 'trip', namespace: 'default' };
const spec = { from: 'Frankfurt', to: 'Lisbon', number: 2 };
const settings = { BOOKING_URL: 'http://bookings' };
const trip = { apiVersion: FlightTicket.apiVersion, kind: FlightTicket.kind, metadata, spec };

describe('flightticket', () => {
  it('is defined for the API server', () => {
    expectGolden('flightticket-definition', [FlightTicket.crd()]);
  });

  it('composes nothing in the cluster', () => {
    expect(flightticket.desired({ metadata, spec })).toEqual([]);
  });

  it.each([
    [{ ...spec, from: 'Fr' }, 'spec.from'],
    [{ ...spec, to: '123' }, 'spec.to'],
    [{ ...spec, to: spec.from }, 'from and to must be different'],
    [{ ...spec, number: 11 }, 'spec.number'],
    [{ ...spec, number: 0 }, 'spec.number'],
    [{ from: 'Frankfurt', to: 'Lisbon' }, 'spec.number: Required value'],
  ])('refuses %j', (bad, words) => {
    expect(() => flightticket.desired({ metadata, spec: bad as typeof spec })).toThrow(words);
  });
});

describe('a FlightTicket', () => {
  let cluster: TestCluster;
  let service: BookingService;
  let controller: TestController;
  /** What happens at a call to the service; it may be the end of the controller. */
  let before = (_: string): void => {};
  let after = (_: string): void => {};

  const run = (environment: Readonly<Record<string, string>> = settings) =>
    cluster.run(flightticket, {
      settings: environment,
      fetch: async (input, init) => {
        before(init?.method ?? '');
        if (!controller.isRunning) return new Promise(() => {});
        const answer = await service.fetch(input as string, init);
        after(init?.method ?? '');
        return answer;
      },
    });
  const ticket = () => cluster.get(FlightTicket, 'trip');
  const condition = async (type = 'Ready') =>
    ((await ticket()).status?.conditions as readonly Condition[] | undefined)?.find((each) => each.type === type);

  beforeEach(async () => {
    before = after = () => {};
    cluster = await startCluster();
    service = new BookingService();
    controller = await run();
  });
  afterEach(() => cluster.stop());

  it('is booked once, under its uid, and kept by a finalizer until it is cancelled', async () => {
    await cluster.apply(trip);
    await cluster.settled();
    const { status, metadata: stored } = await ticket();
    expect(service.bookings).toEqual([{ id: 'B1', key: stored.uid, state: 'booked', ...spec }]);
    expect(status).toMatchObject({ bookingId: 'B1', state: 'booked' });
    expect(stored.finalizers).toEqual(['flights.com/finalizer']);

    await cluster.delete(FlightTicket, 'trip');
    await cluster.settled();
    expect(service.booked).toEqual([]);
    expect(await cluster.find(FlightTicket, 'trip')).toBeUndefined();
  });

  it('is changed when its spec is, and never written to while nothing happens', async () => {
    await cluster.apply(trip);
    await cluster.settled();
    await cluster.patch(FlightTicket, 'trip', { spec: { from: 'Hamburg', to: 'Porto', number: 5 } });
    await cluster.settled();
    expect(service.bookings).toMatchObject([{ id: 'B1', from: 'Hamburg', to: 'Porto', number: 5 }]);

    const writes = cluster.writes().length;
    await cluster.advance(3600);
    expect(cluster.writes(writes)).toEqual([]);
  });

  it('is booked again when somebody cancels it outside', async () => {
    await cluster.apply(trip);
    await cluster.settled();
    service.cancel('B1');
    await cluster.until(async () => (await ticket()).status?.bookingId === 'B2', 'it is booked again', {
      timeoutSeconds: 60,
    });
    expect(service.booked).toMatchObject([{ id: 'B2', ...spec }]);
  });

  const points: readonly (readonly [string, () => void])[] = [
    ['before its finalizer is written', () => controller.faults.crashBefore({ verb: 'patch', kind: 'FlightTicket' })],
    ['after its finalizer was written', () => controller.faults.crashAfter({ verb: 'patch', kind: 'FlightTicket' })],
    ['before the service is asked for a booking', () => dieAt('GET', 'before')],
    ['after the service said that there is none', () => dieAt('GET', 'after')],
    ['before the service is asked to book', () => dieAt('POST', 'before')],
    ['after the service booked', () => dieAt('POST', 'after')],
    ['before its status is written', () => controller.faults.crashBefore({ verb: 'apply', subresource: 'status' })],
    ['after its status was written', () => controller.faults.crashAfter({ verb: 'apply', subresource: 'status' })],
  ];
  const dieAt = (method: string, when: 'before' | 'after') => {
    const die = (asked: string) => {
      if (asked !== method) return;
      before = after = () => {};
      controller.crash();
    };
    if (when === 'before') before = die;
    else after = die;
  };

  it.each(points)('K-04: is booked once when its controller dies %s', async (_, plan) => {
    plan();
    await cluster.apply(trip);
    await cluster.until(() => !controller.isRunning, 'the controller dies');
    await cluster.advance(60);
    controller.restart();
    await cluster.settled();

    expect(service.bookings).toMatchObject([{ id: 'B1', state: 'booked' }]);
    expect((await ticket()).status).toMatchObject({ bookingId: 'B1', state: 'booked' });
    expect(await condition()).toMatchObject({ status: 'True' });
  });

  it.each([
    ['before the service is asked to cancel', () => dieAt('DELETE', 'before')],
    ['after the service cancelled', () => dieAt('DELETE', 'after')],
    [
      'before its finalizer is taken away',
      () => controller.faults.crashBefore({ verb: 'patch', kind: 'FlightTicket' }),
    ],
    ['after its finalizer was taken away', () => controller.faults.crashAfter({ verb: 'patch', kind: 'FlightTicket' })],
  ])('K-04: leaves no booking when its controller dies %s', async (_, plan) => {
    await cluster.apply(trip);
    await cluster.settled();
    plan();
    await cluster.delete(FlightTicket, 'trip');
    await cluster.until(() => !controller.isRunning, 'the controller dies');
    controller.restart();
    await cluster.settled();
    expect(service.bookings).toMatchObject([{ id: 'B1', state: 'cancelled' }]);
    expect(await cluster.find(FlightTicket, 'trip')).toBeUndefined();
  });

  it('is booked once when the answer of the service is lost', async () => {
    after = (method) => {
      if (method !== 'POST') return;
      after = () => {};
      throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    };
    await cluster.apply(trip);
    await cluster.settled();
    expect(service.bookings).toMatchObject([{ id: 'B1', state: 'booked' }]);
    expect(await condition()).toMatchObject({ status: 'True' });
  });

  describe('while the service is down', () => {
    it('says so, asks less and less often, and is booked when it is back', async () => {
      let asked = 0;
      before = () => asked++;
      service.isDown = true;
      await cluster.apply(trip);
      await cluster.advance(600);
      expect(await condition()).toMatchObject({
        status: 'False',
        reason: 'ExternalFailed',
        message: 'FlightTicket/default/trip: booking cannot be brought up to date: the booking service answered 503',
      });
      const inTenMinutes = asked;
      await cluster.advance(600);
      expect(inTenMinutes).toBeLessThan(25);
      expect(asked - inTenMinutes).toBeLessThan(15);

      service.isDown = false;
      await cluster.until(() => service.booked.length === 1, 'it is booked', { timeoutSeconds: 120 });
    });

    it('says why none of its addresses can be reached', async () => {
      before = () => {
        const each = ['10.0.0.1', '10.0.0.2'].map((address) => new Error(`connect ECONNREFUSED ${address}:443`));
        throw new TypeError('fetch failed', { cause: new AggregateError(each, '') });
      };
      await cluster.apply(trip);
      await cluster.settled();
      expect((await condition())?.message).toBe(
        'FlightTicket/default/trip: booking cannot be brought up to date: ' +
          'connect ECONNREFUSED 10.0.0.1:443, connect ECONNREFUSED 10.0.0.2:443',
      );
    });

    it('keeps what was last known of its booking', async () => {
      await cluster.apply(trip);
      await cluster.settled();
      service.isDown = true;
      await cluster.advance(120);
      expect((await ticket()).status).toMatchObject({ bookingId: 'B1', state: 'booked' });
      expect(await condition()).toMatchObject({ status: 'False' });
    });

    it('waits with its deletion, says so, and goes when the service is back', async () => {
      await cluster.apply(trip);
      await cluster.settled();
      service.isDown = true;
      await cluster.delete(FlightTicket, 'trip');
      await cluster.advance(300);
      expect((await condition())?.message).toBe(
        'FlightTicket/default/trip: booking cannot be removed: the booking service answered 503; its deletion waits for that; ' +
          'to give booking up, and lose it, set the annotation flights.com/force-release to "true"',
      );
      service.isDown = false;
      await cluster.until(async () => !(await cluster.find(FlightTicket, 'trip')), 'it goes', { timeoutSeconds: 120 });
      expect(service.booked).toEqual([]);
    });

    it.each(['yes', 'True', ''])('is not forced by the word "%s", and says so once', async (word) => {
      await cluster.apply(trip);
      await cluster.settled();
      service.isDown = true;
      await cluster.delete(FlightTicket, 'trip');
      await cluster.patch(FlightTicket, 'trip', { metadata: { annotations: { 'flights.com/force-release': word } } });
      await cluster.advance(600);
      const words = `the annotation flights.com/force-release is "${word}", and only "true" lets it go`;
      expect((await condition())?.message).toContain(words);
      const events = (await cluster.list(Event)) as unknown as { note?: string; message?: string; count?: number }[];
      expect(events.filter(({ note, message }) => (note ?? message)?.includes(words))).toHaveLength(1);
      await cluster.patch(FlightTicket, 'trip', { metadata: { annotations: { 'flights.com/force-release': 'true' } } });
      await cluster.advance(1);
      expect(await cluster.find(FlightTicket, 'trip')).toBeUndefined();
    });

    it('goes at once when it is forced, and its booking is lost', async () => {
      await cluster.apply(trip);
      await cluster.settled();
      service.isDown = true;
      await cluster.delete(FlightTicket, 'trip');
      await cluster.advance(300);
      await cluster.patch(FlightTicket, 'trip', { metadata: { annotations: { 'flights.com/force-release': 'true' } } });
      await cluster.advance(1);
      expect(await cluster.find(FlightTicket, 'trip')).toBeUndefined();
      expect(service.booked).toHaveLength(1);
    });
  });

  it('is stalled by a refusal of the service until its spec changes', async () => {
    await cluster.apply({ ...trip, spec: { ...spec, to: 'XXX' } });
    await cluster.settled();
    expect(await condition('Stalled')).toMatchObject({ status: 'True', reason: 'ExternalFailed' });
    await cluster.patch(FlightTicket, 'trip', { spec: { to: 'Porto' } });
    await cluster.settled();
    expect(service.booked).toMatchObject([{ to: 'Porto' }]);
    expect(await condition('Stalled')).toBeUndefined();
  });

  it('says which setting of its controller is missing', async () => {
    await controller.stop();
    controller = await run({});
    await cluster.apply(trip);
    await cluster.advance(60);
    expect((await condition())?.message).toContain(
      'the setting BOOKING_URL is missing; set the environment variable BOOKING_URL of the controller: Base URL of',
    );
    expect(await condition('Stalled')).toMatchObject({ status: 'True', reason: 'ExternalFailed' });
    expect(await condition('Reconciling')).toBeUndefined();
    await controller.stop();
    controller = await cluster.run(flightticket, { settings, fetch: service.fetch });
    await cluster.settled();
    expect(await condition()).toMatchObject({ status: 'True' });
    expect(await condition('Stalled')).toBeUndefined();
  });

  it('is not kept waiting by a service that never answers', async () => {
    await controller.stop();
    controller = await cluster.run(flightticket, { settings, fetch: () => new Promise(() => {}) });
    await cluster.apply(trip);
    await cluster.advance(40);
    expect((await condition())?.message).toContain('no answer within 30 s');
  });
});
