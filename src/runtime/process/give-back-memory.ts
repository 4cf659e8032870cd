import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '../../kube/clock.js';
import { v8Major } from './engine-version.js';

/** The memory of this process, in bytes, and what it has done so far. */
export interface Heap {
  readonly used: number;
  /** What V8 has taken for it from the machine. */
  readonly total: number;
  readonly cpuMilliseconds: number;
  /** Collects garbage, now and as a whole. */
  collect(): void;
}

const everyMilliseconds = 2000;
/** Less CPU in that time is rest. */
const restMilliseconds = 40;
/** What V8 frees it gives back when it collects the next time. */
const mostTries = 3;
const mebibyte = 2 ** 20;

/**
 * Gives memory back when a burst of work is over: V8 collects garbage when it allocates, so that a process at rest keeps what
 * its busiest moment left behind, for as long as it rests.
 *
 * **Guarantees.** Collects only after two seconds in which next to nothing was done, only where there is something to be
 * had, and at most three times after each burst; work that leaves little behind is none. With 10,000 custom resources
 * this stops the process for about 60 ms.
 */
export function giveBackMemory(clock: Clock, heap: () => Heap, signal: AbortSignal): void {
  let { cpuMilliseconds: cpu } = heap();
  /** What was left of the last collection. */
  let kept = 0;
  let tries = 0;
  let cancel = () => {};
  const look = (): void => {
    const { used, total, cpuMilliseconds, collect } = heap();
    const isAtRest = cpuMilliseconds - cpu < restMilliseconds;
    cpu = cpuMilliseconds;
    if (used > kept + Math.max(4 * mebibyte, kept / 4)) tries = 0;
    const isRoomy = total - used > 2 * mebibyte + used / 4;
    if (isAtRest && tries < mostTries && (tries === 0 || isRoomy)) {
      collect();
      tries++;
      ({ used: kept, cpuMilliseconds: cpu } = heap());
    }
    cancel = clock.after(everyMilliseconds, look);
  };
  cancel = clock.after(everyMilliseconds, look);
  signal.addEventListener('abort', () => cancel(), { once: true });
}

/** That of this process. Not by `memoryUsage`, which opens a file, and throws where none can be opened any more. */
export function processHeap(): Heap {
  const { used_heap_size: used, total_heap_size: total } = getHeapStatistics();
  const { user, system } = process.cpuUsage();
  return { used, total, cpuMilliseconds: (user + system) / 1000, collect };
}

/**
 * By the name that `--expose-gc` gives it, in a global object of its own, so that nobody else sees it. From Node 22 on a
 * collection keeps the pages that it frees, unless it is said to be the last resort; one of Node 20 that is said anything
 * takes whatever looks like an address for one.
 *
 * No flag is turned for a collection that says how to collect: they are of the process, and V8 may be in the middle of a collection
 * then, here or in a thread of somebody's (`thorough-collections.ts`).
 */
function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext(
    `typeof gc === "function" && gc(${v8Major() < 12 ? '' : '{ type: "major", flavor: "last-resort" }'})`,
  );
  setFlagsFromString('--no-expose-gc');
}
