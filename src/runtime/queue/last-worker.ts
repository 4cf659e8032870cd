import type { Clock } from '../../kube/clock.js';

/** Longer than whoever changes something in another group should wait for a worker. */
const longMilliseconds = 2000;
/** Longer than any wait between two rounds that fail. */
const rememberedMilliseconds = 30 * 60_000;

/** What a group has of the workers. */
interface Held {
  /** By key, since when it is worked on, the oldest first. */
  readonly began: Map<string, number>;
  /** One of its rounds has ended, and soon. */
  isMoving: boolean;
}

/**
 * Who may have the last free worker: no group whose rounds take long, and no group that has other workers and has not ended a
 * round with them yet. So what hangs for one group, as when a service outside the cluster does not answer, leaves a worker to
 * the others, whether they have work already or will have it. An ordinary backlog of one group gets all workers as soon as one
 * of its rounds has ended.
 */
export class LastWorker {
  readonly #held = new Map<string, Held>();
  /** By group, when a round was last seen to take long, in order of time. */
  readonly #slow = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly groupOf: (key: string) => string,
  ) {}

  begins(key: string): void {
    const group = this.groupOf(key);
    let held = this.#held.get(group);
    if (!held) {
      held = { began: new Map(), isMoving: false };
      this.#held.set(group, held);
    }
    held.began.set(key, this.clock.monotonic());
  }

  ends(key: string): void {
    const group = this.groupOf(key);
    const held = this.#held.get(group);
    const since = held?.began.get(key);
    if (!held || since === undefined) return;
    if (this.#isLong(since)) this.#tookLong(group);
    else held.isMoving = true;
    held.began.delete(key);
    if (held.began.size === 0) this.#held.delete(group);
  }

  isFor(group: string): boolean {
    const held = this.#held.get(group);
    const [oldest] = held?.began.values() ?? [];
    if (oldest !== undefined && this.#isLong(oldest)) this.#tookLong(group);
    const slowAt = this.#slow.get(group);
    if (slowAt !== undefined && this.clock.monotonic() - slowAt < rememberedMilliseconds) return false;
    return held?.isMoving ?? true;
  }

  #isLong(since: number): boolean {
    return this.clock.monotonic() - since >= longMilliseconds;
  }

  #tookLong(group: string): void {
    const now = this.clock.monotonic();
    this.#slow.delete(group);
    this.#slow.set(group, now);
    for (const [old, at] of this.#slow) {
      if (now - at < rememberedMilliseconds) return;
      this.#slow.delete(old);
    }
  }
}
