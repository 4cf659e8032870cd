import { customResource, type ExternalCall, type ExternalOf, operator, s, TerminalError } from '../index.js';

const airport = { minLength: 3, pattern: '^[A-Za-z]{3,}$' } as const;

export const FlightTicket = customResource({
  group: 'flights.com',
  version: 'v1',
  kind: 'FlightTicket',
  shortNames: ['ft'],
  categories: ['kilter'],
  description: 'FlightTicket is a booking in a booking service, for as long as it exists.',
  spec: s.object(
    {
      from: s.string({ ...airport, description: 'Where the flight begins.' }),
      to: s.string({ ...airport, description: 'Where the flight ends.' }),
      number: s.int32({ minimum: 1, maximum: 10, description: 'How many seats are booked.' }),
    },
    { rules: [{ rule: 'self.from != self.to', message: 'from and to must be different' }] },
  ),
  status: s.object({
    bookingId: s.string({ description: 'Number of the booking.' }),
    state: s.string({ description: 'What the booking service says of it.' }),
  }),
  columns: { From: '.spec.from', To: '.spec.to', Seats: '.spec.number', Booking: '.status.bookingId' },
});

/** What the booking service says of a booking. */
interface Booking {
  readonly id: string;
  readonly state: string;
  readonly from: string;
  readonly to: string;
  readonly number: number;
}

const booking: ExternalOf<typeof FlightTicket, Booking> = {
  pollSeconds: 30,
  observe: (_, call) => booked(call),
  async ensure({ spec: { from, to, number } }, observed, call) {
    if (!observed) return (await ask(call, 'POST', '/bookings', { from, to, number })) as Booking;
    const isAsWanted = observed.from === from && observed.to === to && observed.number === number;
    if (isAsWanted) return observed;
    return (await ask(call, 'PUT', `/bookings/${observed.id}`, { from, to, number })) as Booking;
  },
  async remove(_, call) {
    const observed = await booked(call);
    if (observed) await ask(call, 'DELETE', `/bookings/${observed.id}`);
  },
};

export const flightticket = operator(FlightTicket, {
  owns: [],
  compose() {},
  settings: { BOOKING_URL: 'Base URL of the booking service.' },
  external: { booking },
  status: (_, __, ___, { booking }) => ({ bookingId: booking?.id ?? '', state: booking?.state ?? '' }),
});

/** The booking that was made with our key, unless it was cancelled. */
async function booked(call: ExternalCall): Promise<Booking | undefined> {
  const [booking] = (await ask(call, 'GET', `/bookings?state=booked&key=${call.key}`)) as readonly Booking[];
  return booking;
}

async function ask(call: ExternalCall, method: string, path: string, body?: object): Promise<unknown> {
  const base = call.setting('BOOKING_URL').replace(/\/+$/, '');
  const response = await call.fetch(`${base}${path}`, {
    method,
    signal: call.signal,
    headers: { 'content-type': 'application/json', 'idempotency-key': call.key },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const words = `the booking service answered ${response.status}`;
  throw response.status === 422 ? new TerminalError(words, { hint: 'change the spec' }) : new Error(words);
}
