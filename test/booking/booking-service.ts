import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A booking as the service keeps it, also after it was cancelled. */
export interface Booking {
  readonly id: string;
  /** The idempotency key with which it was made. */
  readonly key: string;
  readonly state: 'booked' | 'cancelled';
  readonly from: string;
  readonly to: string;
  readonly number: number;
}

type Seats = Pick<Booking, 'from' | 'to' | 'number'>;

/**
 * A service that books flights: the world outside the cluster, for tests and demonstrations. What it booked it keeps for
 * ever, so that a booking too many is seen also when it was cancelled.
 *
 * A key books once: as long as its booking stands, asking again is answered with it.
 */
export class BookingService {
  /** True: it answers 503 to everything. */
  isDown = false;
  readonly #bookings = new Map<string, Booking>();

  /** All that were ever made, in order. */
  get bookings(): readonly Booking[] {
    return [...this.#bookings.values()];
  }

  get booked(): readonly Booking[] {
    return this.bookings.filter(({ state }) => state === 'booked');
  }

  /** Somebody calls the hotline. */
  cancel(id: string): void {
    const booking = this.#bookings.get(id);
    if (booking) this.#bookings.set(id, { ...booking, state: 'cancelled' });
  }

  /** What `fetch` asks of the service, without a network. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted();
    return this.answer(new Request(input, init));
  };

  async answer(request: Request): Promise<Response> {
    if (this.isDown) return new Response('closed', { status: 503 });
    const { pathname, searchParams } = new URL(request.url);
    const [, , id] = pathname.split('/');
    const known = id === undefined ? undefined : this.#bookings.get(id);
    if (id !== undefined && !known) return new Response('no such booking', { status: 404 });
    switch (request.method) {
      case 'GET': {
        const asked = [...searchParams] as readonly (readonly [keyof Booking, string])[];
        return Response.json(
          known ?? this.bookings.filter((each) => asked.every(([name, value]) => each[name] === value)),
        );
      }
      case 'POST':
        return this.#book(request.headers.get('idempotency-key') ?? '', (await request.json()) as Seats);
      case 'PUT':
        return this.#keep({ ...known!, ...((await request.json()) as Seats) }, 200);
      case 'DELETE':
        this.cancel(known!.id);
        return new Response(null, { status: 204 });
      default:
        return new Response('not here', { status: 405 });
    }
  }

  #book(key: string, { from, to, number }: Seats): Response {
    const before = this.booked.find((booking) => booking.key === key);
    if (before) return Response.json(before);
    return this.#keep({ id: `B${this.#bookings.size + 1}`, key, state: 'booked', from, to, number }, 201);
  }

  #keep(booking: Booking, status: number): Response {
    if ([booking.from, booking.to].includes('XXX')) return new Response('no such airport', { status: 422 });
    this.#bookings.set(booking.id, booking);
    return Response.json(booking, { status });
  }
}

/** Serves it over HTTP on loopback, on `port` or any that is free. */
export async function serveBookings(service: BookingService, port = 0) {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/', headers } = incoming;
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: Buffer.concat(chunks) };
      const key = headers['idempotency-key'];
      const response = await service.answer(
        new Request(`http://bookings${url}`, {
          method,
          headers: typeof key === 'string' ? { 'idempotency-key': key } : {},
          ...body,
        }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    };
    answer().catch((error: Error) => outgoing.writeHead(400).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
