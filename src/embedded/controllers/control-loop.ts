import type { Clock } from '../../kube/clock.js';
import type { Revision } from '../object-store.js';
import { StatusError } from '../status-error.js';
import type { Controller, Queue } from './controller.js';

interface Work {
  readonly controller: Controller;
  readonly key: string;
}

interface Timer {
  readonly at: number;
  readonly isAwaited: boolean;
  cancel(): void;
}

/** So that requests and other work get their turn in between. */
const keysAtATime = 100;
const firstRetryMilliseconds = 5;
const longestRetryMilliseconds = 1_000_000;
/** After so many failures in a row a key waits for the world to change, and nobody should wait for it. */
const awaitedRetries = 10;
/** Two that undo each other's work would go on for ever without a moment passing. */
const turnsAtOneMoment = 1000;

/**
 * Hands changes to controllers and keys back to them, one after the other, in the order in which they came.
 *
 * **Guarantees.** Driven by changes and the clock alone, so equal histories of changes give equal histories of work.
 * A controller never runs inside somebody's write. A key that fails is tried again, ever later, and holds up no other.
 */
export class ControlLoop {
  readonly #controllers: { readonly controller: Controller; readonly queue: Queue }[] = [];
  readonly #hearing = new Map<string, { readonly controller: Controller; readonly queue: Queue }[]>();
  readonly #waiting = new Map<string, Work>();
  readonly #timers = new Map<string, Timer>();
  readonly #failures = new Map<string, number>();
  readonly #turns = new Map<string, number>();
  #moment = 0;
  #cancelRun: (() => void) | undefined;
  #isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly report: (error: unknown, controller: string, key: string) => void,
  ) {}

  add(controller: Controller): void {
    const queue: Queue = {
      add: (key) => this.#add({ controller, key }),
      addAfter: (key, milliseconds, isAwaited = false) => this.#addAfter({ controller, key }, milliseconds, isAwaited),
    };
    this.#controllers.push({ controller, queue });
    this.#hearing.clear();
  }

  observe(change: Revision): void {
    for (const { controller, queue } of this.#hearersOf(change.resource)) controller.observe(change, queue);
  }

  /** True when nothing is left to do but what only the passing of time will bring about, and nobody awaits. */
  get isSettled(): boolean {
    return this.#waiting.size === 0 && ![...this.#timers.values()].some(({ isAwaited }) => isAwaited);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRun?.();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#waiting.clear();
  }

  #hearersOf(resource: string) {
    let hearers = this.#hearing.get(resource);
    if (!hearers) {
      hearers = this.#controllers.filter(({ controller }) => controller.hears?.includes(resource) ?? true);
      this.#hearing.set(resource, hearers);
    }
    return hearers;
  }

  #add(work: Work): void {
    if (this.#isStopped) return;
    const id = idOf(work);
    if (!this.#waiting.has(id)) this.#waiting.set(id, work);
    this.#cancelRun ??= this.clock.after(0, () => this.#run());
  }

  #addAfter(work: Work, milliseconds: number, isAwaited: boolean): void {
    if (this.#isStopped) return;
    if (milliseconds <= 0) {
      this.#add(work);
      return;
    }
    const id = idOf(work);
    const at = this.clock.monotonic() + milliseconds;
    const timer = this.#timers.get(id);
    if (timer && timer.at <= at && (timer.isAwaited || !isAwaited)) return;
    timer?.cancel();
    const until = timer ? Math.min(timer.at, at) : at;
    const cancel = this.clock.after(until - this.clock.monotonic(), () => {
      this.#timers.delete(id);
      this.#add(work);
    });
    this.#timers.set(id, { at: until, isAwaited: isAwaited || (timer?.isAwaited ?? false), cancel });
  }

  #run(): void {
    this.#cancelRun = undefined;
    let left = keysAtATime;
    for (const [id, work] of this.#waiting) {
      if (left-- === 0) break;
      this.#waiting.delete(id);
      this.#reconcile(id, work);
      if (this.#isStopped) return;
    }
    if (this.#waiting.size > 0) this.#cancelRun ??= this.clock.after(0, () => this.#run());
  }

  #reconcile(id: string, work: Work): void {
    const { controller, key } = work;
    const queue = this.#controllers.find((each) => each.controller === controller)!.queue;
    try {
      this.#countTurn(id);
      controller.reconcile(key, queue);
      this.#failures.delete(id);
    } catch (error) {
      const failures = (this.#failures.get(id) ?? 0) + 1;
      this.#failures.set(id, failures);
      // Somebody else was faster: as common as harmless.
      if (!(error instanceof StatusError && error.status.code === 409)) this.report(error, controller.name, key);
      const wait = Math.min(firstRetryMilliseconds * 2 ** (failures - 1), longestRetryMilliseconds);
      this.#addAfter(work, wait, failures <= awaitedRetries);
    }
  }

  #countTurn(id: string): void {
    const now = this.clock.monotonic();
    if (now !== this.#moment) this.#turns.clear();
    this.#moment = now;
    const turns = (this.#turns.get(id) ?? 0) + 1;
    this.#turns.set(id, turns);
    if (turns > turnsAtOneMoment) throw new Error(`${id} does not come to rest: something undoes what is done`);
  }
}

function idOf({ controller, key }: Work): string {
  return `${controller.name} ${key}`;
}
