import type { ServiceFault } from './schedule.js';

/** What a custom resource has outside the cluster. */
export interface Seat {
  readonly value: string;
  /** Of which edit it is. */
  readonly generation: number;
}

/** What was asked of the service, and by whom: `asked` hears of it before it is done. */
export interface SeatRequest {
  readonly method: string;
  /** The uid of a custom resource. */
  readonly key: string;
  readonly seat: Seat | undefined;
  /** What there is. */
  readonly before: Seat | undefined;
}

/** A service outside the cluster, in which each custom resource of a kind has a seat. */
export class SeatService {
  readonly #seats = new Map<string, Seat>();
  readonly #faults = new Set<ServiceFault>();

  constructor(private readonly befell: (fault: ServiceFault) => void) {}

  of(key: string): Seat | undefined {
    return this.#seats.get(key);
  }

  get keys(): readonly string[] {
    return [...this.#seats.keys()];
  }

  /** From now until the returned function is called. */
  fails(fault: ServiceFault): () => void {
    if (fault === 'forget') this.#seats.clear();
    else this.#faults.add(fault);
    return () => this.#faults.delete(fault);
  }

  /** From now on all is well. */
  recover(): void {
    this.#faults.clear();
  }

  /** The service as one replica reaches it. */
  fetch(asked: (request: SeatRequest) => void): typeof globalThis.fetch {
    return async (url, { method = 'GET', body, signal } = {}) => {
      if (this.#has('hang')) return new Promise((_, reject) => endedBy(signal ?? undefined, reject));
      if (this.#has('fail')) return new Response('', { status: 500 });
      const key = new URL(String(url)).pathname.slice(1);
      const seat = body === undefined || body === null ? undefined : (JSON.parse(String(body)) as Seat);
      const before = this.#seats.get(key);
      asked({ method, key, seat, before });
      if (seat) this.#seats.set(key, seat);
      else if (method === 'DELETE') this.#seats.delete(key);
      // It has done what it was asked to, and does not say so.
      if (method !== 'GET' && this.#has('lose')) return new Response('', { status: 502 });
      if (method !== 'GET') return new Response(null, { status: 204 });
      return before ? Response.json(before) : new Response('', { status: 404 });
    };
  }

  #has(fault: ServiceFault): boolean {
    if (!this.#faults.has(fault)) return false;
    this.befell(fault);
    return true;
  }
}

function endedBy(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  if (signal?.aborted) reject(signal.reason);
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
}
