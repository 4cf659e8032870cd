import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPlane } from './bench-plane.js';

/** What a contender found when its turn began. */
export interface Before {
  /** How many processes ran or waited to, over the last minute: that of the one before is part of it. */
  readonly load: number;
  /** Whether the API server had done with the one before. */
  readonly isServerQuiet: boolean;
}

/** An API server that takes longer than this to come to rest does not hold up the others. */
const limitSeconds = 60;
/** A tenth of a core. */
const quietMilliseconds = 100;

export async function beforeLeg(bench: BenchPlane): Promise<Before> {
  const isServerQuiet = await becomesQuiet(bench);
  return { load: loadavg()[0]!, isServerQuiet };
}

/**
 * Waits until nothing is left of what was cleared, and the API server has had next to nothing to do for a second; false
 * where it does not come to that. Whoever is next would else pay for the thousands of objects of whoever was before.
 */
export async function becomesQuiet(
  server: Pick<BenchPlane, 'cpu' | 'isEmpty'>,
  second: () => Promise<unknown> = () => sleep(1000),
): Promise<boolean> {
  let before = server.cpu().api;
  for (let waited = 0; waited < limitSeconds; waited++) {
    await second();
    const now = server.cpu().api;
    if (now - before <= quietMilliseconds && (await server.isEmpty())) return true;
    before = now;
  }
  return false;
}
