import { expect, it } from '@jest/globals';
import { FlightTicket, flightticket } from '../../src/operators/flightticket.js';
import { startCluster } from '../../src/testing/index.js';
import { BookingService } from '../booking/booking-service.js';

it.each(['http://bookings', 'http://bookings/', 'http://bookings/api//'])('a ticket is booked at %s', async (url) => {
  const cluster = await startCluster();
  const service = new BookingService();
  const asked: string[] = [];
  await cluster.run(flightticket, {
    settings: { BOOKING_URL: url },
    fetch: (input, init) => {
      asked.push(String(input));
      return service.fetch(String(input).replace('/api/', '/'), init);
    },
  });
  const spec = { from: 'Frankfurt', to: 'Lisbon', number: 2 };
  await cluster.apply({
    apiVersion: FlightTicket.apiVersion,
    kind: FlightTicket.kind,
    metadata: { name: 'trip' },
    spec,
  });
  await cluster.settled();
  expect(service.bookings).toHaveLength(1);
  expect(asked.filter((each) => each.slice('http://'.length).includes('//'))).toEqual([]);
  await cluster.stop();
});
