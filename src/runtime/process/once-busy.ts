import { performance } from 'node:perf_hooks';
import type { Clock } from '../../kube/clock.js';

/** How much of the time since the last call the event loop had something to do: 0 to 1. */
export type Utilization = () => number;

const everyMilliseconds = 10_000;
/** So much of that is busy. */
const busyShare = 0.6;
const mostBusy = 3;

/** Calls `then`, once, after half a minute in which the event loop had little rest, unless `signal` aborts before. */
export function onceBusy(clock: Clock, utilization: Utilization, then: () => void, signal: AbortSignal): void {
  let busy = 0;
  utilization();
  let cancel = () => {};
  const look = (): void => {
    busy = utilization() < busyShare ? 0 : busy + 1;
    if (busy === mostBusy) then();
    else cancel = clock.after(everyMilliseconds, look);
  };
  cancel = clock.after(everyMilliseconds, look);
  signal.addEventListener('abort', () => cancel(), { once: true });
}

/** That of this thread. What waits for a processor is busy, too: a container may get a tenth of one. */
export function loopUtilization(): Utilization {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
