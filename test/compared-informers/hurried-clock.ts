import { type Clock, systemClock } from '../../src/kube/clock.js';

/** The machine's time, some times as fast: what takes minutes on a real socket takes seconds of a test. */
export function hurriedClock(times: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * times,
    after: (milliseconds, run) => systemClock.after(milliseconds / times, run),
  };
}
