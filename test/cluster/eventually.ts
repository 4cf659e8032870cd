import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until an assertion holds; throws what it last threw when it never did within `seconds`. */
export async function eventually<T>(assertion: () => T | Promise<T>, seconds = 60): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    // One try begins when the time is up: before it, all may have stood still.
    const isLast = performance.now() > deadline;
    try {
      return await assertion();
    } catch (error) {
      if (isLast) throw error;
      await sleep(20);
    }
  }
}
