import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventsEvent } from '../../../imports/k8s.js';
import { operator } from '../../../src/index.js';
import { FlightTicket, flightticket } from '../../../src/operators/flightticket.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { BookingService } from '../../booking/booking-service.js';
import { conditionOf, flight, settings } from '../a-flight.js';
import { runOn } from '../a-run.js';

/** Services are asked with these methods where something is to be changed. */
const changes = ['POST', 'PUT', 'DELETE'];

let service: BookingService;
let asked: string[];
const fetch: typeof globalThis.fetch = (input, init) => {
  asked.push(init?.method ?? '');
  return service.fetch(input, init);
};
beforeEach(() => {
  service = new BookingService();
  asked = [];
});

describe('what is outside the cluster', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  const start = async (mode?: string) => {
    await cluster.run(flightticket, { settings, fetch });
    await cluster.apply(flight(mode === undefined ? {} : { mode }));
    await cluster.settled();
  };
  const annotate = (annotations: Readonly<Record<string, string | null>>) =>
    cluster.patch(FlightTicket, 'trip', { metadata: { annotations } } as never);
  const notes = async () => (await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'DriftDetected');

  it('is reported where it is missing, and made again when the mode ends', async () => {
    await start();
    await annotate({ 'flights.com/mode': 'report' });
    await cluster.settled();
    service.cancel('B1');
    asked = [];
    await cluster.advance(60);
    expect(await conditionOf(cluster)).toMatchObject({ status: 'False', message: 'external/booking is missing' });
    expect(await conditionOf(cluster, 'Drifted')).toMatchObject({
      status: 'True',
      message: '1 difference is left alone: external/booking missing',
    });
    expect((await cluster.get(FlightTicket, 'trip')).status).toMatchObject({ bookingId: '', state: '' });

    const writes = cluster.writes().length;
    await cluster.advance(3600);
    expect(cluster.writes(writes)).toEqual([]);
    expect((await notes()).map(({ note }) => note)).toEqual(['external/booking: missing']);
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((method) => changes.includes(method))).toEqual([]);

    await annotate({ 'flights.com/mode': null });
    await cluster.settled();
    expect(service.booked).toMatchObject([{ id: 'B2' }]);
    expect(await conditionOf(cluster)).toMatchObject({ status: 'True' });
    expect(await conditionOf(cluster, 'Drifted')).toBeUndefined();
  });

  it('is left alone, and nobody is told, where that is ignored', async () => {
    await start();
    await annotate({ 'flights.com/mode': 'ignore' });
    await cluster.settled();
    service.cancel('B1');
    asked = [];
    await cluster.advance(3600);
    expect(asked.filter((method) => changes.includes(method))).toEqual([]);
    expect(await conditionOf(cluster)).toMatchObject({ status: 'True' });
    expect(await conditionOf(cluster, 'Drifted')).toBeUndefined();
    expect(await notes()).toEqual([]);
  });

  it.each(['report', 'ignore'])('does not follow an edit while its mode is %s', async (mode) => {
    await start();
    await annotate({ 'flights.com/mode': mode });
    await cluster.patch(FlightTicket, 'trip', { spec: { number: 7 } });
    await cluster.settled();
    expect(service.bookings).toMatchObject([{ id: 'B1', number: 2 }]);
    await annotate({ 'flights.com/mode': null });
    await cluster.settled();
    expect(service.bookings).toMatchObject([{ id: 'B1', number: 7 }]);
  });

  it.each(['report', 'ignore'])(
    'is not made, and held by no finalizer, of what begins with the mode %s',
    async (mode) => {
      await start(mode);
      expect(service.bookings).toEqual([]);
      expect((await cluster.get(FlightTicket, 'trip')).metadata.finalizers).toBeUndefined();
      await cluster.delete(FlightTicket, 'trip');
      expect(await cluster.find(FlightTicket, 'trip')).toBeUndefined();
    },
  );

  it.each(['report', 'ignore'])('goes with its custom resource, as children do, in the mode %s', async (mode) => {
    await start();
    await annotate({ 'flights.com/mode': mode });
    // What has something outside is held, whoever takes the finalizer away.
    await cluster.patch(FlightTicket, 'trip', { metadata: { finalizers: null } } as never);
    await cluster.settled();
    await cluster.delete(FlightTicket, 'trip');
    await cluster.settled();
    expect(service.bookings).toMatchObject([{ id: 'B1', state: 'cancelled' }]);
    expect(await cluster.find(FlightTicket, 'trip')).toBeUndefined();
  });

  it.each(['report', 'ignore'])(
    'is held again in the mode %s though the API server refuses that once, and nothing outside says so',
    async (mode) => {
      const controller = await cluster.run(flightticket, { settings, fetch });
      await cluster.apply(flight());
      await cluster.settled();
      await annotate({ 'flights.com/mode': mode });
      await cluster.settled();
      controller.faults.refuse({ verb: 'patch', kind: 'FlightTicket' }, { code: 500 });
      await cluster.patch(FlightTicket, 'trip', { metadata: { finalizers: null } } as never);
      await cluster.advance(5);
      expect((await cluster.get(FlightTicket, 'trip')).metadata.finalizers).toEqual(['flights.com/finalizer']);
    },
  );

  it('is reported by the mode of its operator', async () => {
    const reporting = operator(FlightTicket, {
      name: 'flightticket',
      owns: [],
      compose() {},
      drift: { mode: 'report' },
      settings: flightticket.settings,
      external: { booking: flightticket.external['booking']! } as object,
    });
    await cluster.run(reporting, { settings, fetch });
    await cluster.apply(flight());
    await cluster.settled();
    expect(service.bookings).toEqual([]);
    expect(await conditionOf(cluster, 'Drifted')).toMatchObject({ status: 'True' });
  });
});

it('what is outside the cluster is reported by the flag of the controller, unless a custom resource enforces it', async () => {
  const { cluster, stop } = await runOn([flightticket], undefined, { driftMode: 'report', settings, fetch });
  await cluster.apply(flight());
  await cluster.settled();
  expect(service.bookings).toEqual([]);
  expect(await conditionOf(cluster, 'Drifted')).toMatchObject({ status: 'True' });
  await cluster.apply(flight({ mode: 'enforce' }));
  await cluster.advance(5);
  expect(service.booked).toMatchObject([{ id: 'B1' }]);
  await stop();
});
