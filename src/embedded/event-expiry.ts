import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import type { ObjectStore } from './object-store.js';

const events = 'events';
const hour = 3_600_000;
/** Events that are written within this time go together. */
const together = 60_000;

/** Events that go at one moment. */
interface Lease {
  readonly end: number;
  readonly names: Map<string, Name>;
}

interface Name {
  readonly namespace: string | undefined;
  readonly name: string;
}

/**
 * Removes Events an hour after they were last written, as the real server does, so that a cluster that stays up does not
 * fill with them. As there, those of one minute share a lease, and go with the last of them.
 *
 * https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/ (`--event-ttl`)
 */
export class EventExpiry {
  /** By the name of the event. */
  readonly #leases = new Map<string, Lease>();
  readonly #timers = new Map<Lease, () => void>();
  #latest: Lease | undefined;
  readonly #stopListening: () => void;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    this.#adopt();
    this.#stopListening = store.listenTo(events, ({ type, object }) => {
      this.#release(object);
      if (type !== 'DELETED') this.#attach(object, this.#lease(hour));
    });
  }

  stop(): void {
    this.#stopListening();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  /** What an earlier server left was written when its managers say. */
  #adopt(): void {
    const now = this.clock.now();
    const found = this.store.list(events).map((object) => ({ object, left: writtenAt(object, now) + hour - now }));
    found.sort((a, b) => a.left - b.left);
    for (const { object, left } of found) this.#attach(object, this.#lease(Math.max(0, left)));
    this.#latest = undefined;
  }

  #lease(milliseconds: number): Lease {
    const due = this.clock.monotonic() + milliseconds;
    if (this.#latest && due <= this.#latest.end && this.#timers.has(this.#latest)) return this.#latest;
    const lease: Lease = { end: due + together, names: new Map() };
    const cancel = this.clock.after(milliseconds + together, () => this.#end(lease));
    this.#timers.set(lease, cancel);
    this.#latest = lease;
    return lease;
  }

  #attach({ metadata: { namespace, name } }: KubeObject, lease: Lease): void {
    const key = `${namespace}/${name}`;
    lease.names.set(key, { namespace, name });
    this.#leases.set(key, lease);
  }

  #release({ metadata: { namespace, name } }: KubeObject): void {
    const key = `${namespace}/${name}`;
    const lease = this.#leases.get(key);
    if (!lease) return;
    this.#leases.delete(key);
    lease.names.delete(key);
    if (lease.names.size > 0) return;
    this.#timers.get(lease)?.();
    this.#timers.delete(lease);
  }

  #end(lease: Lease): void {
    this.#timers.delete(lease);
    for (const { namespace, name } of [...lease.names.values()]) {
      const object = this.store.get(events, namespace, name);
      if (object) this.store.remove(events, object);
    }
  }
}

/** When the latest of its managers wrote it, and no later than now. */
function writtenAt({ metadata }: KubeObject, now: number): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  return Math.min(now, Math.max(0, ...times.map((time) => Date.parse(time ?? '') || 0)));
}
