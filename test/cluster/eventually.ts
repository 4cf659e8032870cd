import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until an assertion holds; throws what it last threw when it never did within `seconds`. */
export async function eventually<T>(assertion: () => T | Promise<T>, seconds = 20): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
