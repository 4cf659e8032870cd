import { join } from 'node:path';
import { bundleWorker } from './bundle.js';
import { Crew } from './crew.js';
import { readSchedule } from './kept-schedules.js';
import type { Planted } from './planted.js';
import { ownFailure } from './try-schedule.js';
import type { Failure } from './worker.js';

export interface Search {
  readonly root: string;
  readonly seed: number;
  readonly workers: number;
  /** How many schedules a mistake may take to be found. */
  readonly most: number;
}

/** Plants a mistake, and returns the first schedule that fails with it: the kept one, where it has one. `name` is the bundle's. */
export async function findPlanted(
  mistake: Planted,
  name: string,
  { root, seed, workers, most }: Search,
): Promise<Failure | undefined> {
  const crew = new Crew(await bundleWorker(root, name, mistake), workers);
  try {
    if (mistake.kept !== undefined) {
      const { schedule } = readSchedule(join(root, 'test/simulation/schedules', `${mistake.kept}.json`));
      return [{ ...(await crew.try(schedule)), index: 0 }].find(isOfController);
    }
    let isFound = false;
    const { failures } = await crew.survey({
      seed,
      from: 0,
      schedules: most,
      mostFailures: most,
      isOver: () => isFound,
      progress(done) {
        isFound = done.failures.some(isOfController);
      },
    });
    return failures.find(isOfController);
  } finally {
    await crew.dismiss();
  }
}

/** Where the simulation itself fails, nothing was found. */
function isOfController({ violations }: Failure): boolean {
  return violations.some((violation) => !violation.startsWith(ownFailure));
}
