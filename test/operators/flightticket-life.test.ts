import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FlightTicket, flightticket } from '../../src/operators/flightticket.js';
import { BookingService, serveBookings } from '../booking/booking-service.js';
import { eventually } from '../cluster/eventually.js';
import { freePorts } from '../cluster/free-ports.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { LifeStage } from './life-stage.js';

const spec = { from: 'Frankfurt', to: 'Lisbon', number: 2 };
const ticketNamed = (name: string, fields: object = spec) => ({
  apiVersion: FlightTicket.apiVersion,
  kind: FlightTicket.kind,
  metadata: { name },
  spec: fields,
});

onEveryCluster('the life of a FlightTicket', { audit: true }, (plane) => {
  const service = new BookingService();
  const settings: Record<string, string> = {};
  let serving: Awaited<ReturnType<typeof serveBookings>>;
  /** A process that ends just after it has booked hears no answer. */
  let isDyingAfterBooking = false;
  const stage = new LifeStage(plane, [flightticket], {
    settings,
    fetch: async (input, init) => {
      const answer = await globalThis.fetch(input, init);
      if (isDyingAfterBooking && init?.method === 'POST') await new Promise(() => {});
      return answer;
    },
  });
  const booked = (key?: string) => service.booked.filter((each) => key === undefined || each.key === key);

  beforeAll(async () => {
    // It goes, and comes back to the same place.
    const [port] = await freePorts(1);
    serving = await serveBookings(service, port);
    settings['BOOKING_URL'] = serving.url;
  });
  afterAll(() => serving.close());

  it('begins with its booking', async () => {
    await stage.apply(ticketNamed('trip'));
    await stage.ready(FlightTicket, 'trip', { bookingId: 'B1', state: 'booked' });
    expect(service.bookings).toMatchObject([{ id: 'B1', ...spec }]);
  });

  it('shows itself in kubectl', async () => {
    const [head = '', row = ''] = (await plane().kubectl(['get', 'ft'])).stdout.split('\n');
    expect(head.trim().split(/\s+/)).toEqual(['NAME', 'FROM', 'TO', 'SEATS', 'BOOKING', 'READY', 'STATUS', 'AGE']);
    expect(row.split(/\s+/).slice(0, 5)).toEqual(['trip', 'Frankfurt', 'Lisbon', '2', 'B1']);
  });

  it.each([{ from: 'Hamburg' }, { to: 'Porto' }, { number: 7 }])('follows a change to %j', async (change) => {
    await stage.patch(FlightTicket, 'trip', { spec: change });
    await eventually(() => expect(service.bookings).toMatchObject([{ id: 'B1', ...change }]));
    await stage.ready(FlightTicket, 'trip');
  });

  it.each([
    ['the same place twice', { ...spec, to: spec.from }, 'from and to must be different'],
    ['too many seats', { ...spec, number: 11 }, 'spec.number: Invalid value: 11'],
    ['no number of seats', { from: 'Frankfurt', to: 'Lisbon' }, 'spec.number: Required value'],
    ['a place of two letters', { ...spec, from: 'Fr' }, 'spec.from: Invalid value: "Fr"'],
    ['a key with a wrong capital', { ...spec, From: 'Bonn' }, 'unknown field "spec.From"'],
  ])('is refused with %s', async (_, bad, words) => {
    await stage.refuses(FlightTicket, bad, words);
  });

  it('is booked once by a controller that dies between the booking and the status', async () => {
    isDyingAfterBooking = true;
    await stage.apply(ticketNamed('other'));
    await eventually(() => expect(service.bookings).toHaveLength(2));
    await stage.stop();
    // It may have been said by then that it is under way.
    expect(await stage.status(FlightTicket, 'other')).not.toHaveProperty('bookingId');
    isDyingAfterBooking = false;

    await stage.start();
    await stage.ready(FlightTicket, 'other', { bookingId: 'B2' });
    expect(service.bookings).toHaveLength(2);
  });

  it('is not written to when its controller restarts and nothing has changed', async () => {
    expect(await stage.writesOfRestart()).toEqual([]);
  });

  it('waits with its deletion while the service is down, and says so', async () => {
    await serving.close();
    await plane().kubectl(['delete', 'ft', 'trip', '--wait=false']);
    await eventually(async () =>
      expect(await stage.condition(FlightTicket, 'trip')).toMatchObject({
        status: 'False',
        reason: 'ExternalFailed',
        message: expect.stringMatching(/booking cannot be removed: .*ECONNREFUSED.*flights\.com\/force-release/),
      }),
    );
    expect(booked()).toHaveLength(2);
  });

  it('goes when the service is back, with its booking', async () => {
    serving = await serveBookings(service, serving.port);
    await eventually(async () => expect(await stage.names(FlightTicket)).toEqual(['other']), 60);
    expect(booked()).toMatchObject([{ id: 'B2' }]);
  });

  it('goes at once when it is forced while the service is down, and leaves its booking', async () => {
    await serving.close();
    await plane().kubectl(['delete', 'ft', 'other', '--wait=false']);
    await eventually(async () => expect((await stage.condition(FlightTicket, 'other'))?.status).toBe('False'));
    await plane().kubectl(['annotate', 'ft', 'other', 'flights.com/force-release=true']);
    await eventually(async () => expect(await stage.names(FlightTicket)).toEqual([]));
    expect(booked()).toMatchObject([{ id: 'B2' }]);
    serving = await serveBookings(service, serving.port);
  });
});
