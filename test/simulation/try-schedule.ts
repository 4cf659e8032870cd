import { type Ran, runSchedule, undisturbed } from './run-schedule.js';
import type { Schedule } from './schedule.js';
import type { Befallen } from './tally.js';

export interface Tried {
  readonly violations: readonly string[];
  readonly writes: number;
  readonly seconds: number;
  readonly faults: Befallen;
}

/** How a violation begins that says nothing of the controller. */
export const ownFailure = 'the simulation failed: ';

/** Undisturbed runs by workload, the last few: schedules of one workload follow each other. */
const known = new Map<string, Pick<Ran, 'end' | 'disowned'>>();
const mostKnown = 4;

/**
 * Runs a schedule, and holds it to its undisturbed run.
 *
 * A rejection that nobody handles is a violation, too: in production it would end the process.
 */
export async function trySchedule(schedule: Schedule): Promise<Tried> {
  const rejections: string[] = [];
  const note = (error: unknown) => rejections.push(`nobody handles the rejection "${String(error)}"`);
  process.on('unhandledRejection', note);
  try {
    const { pods, tours, extras, vaults, reviews, renamed, workload } = schedule;
    const key = JSON.stringify([pods, tours, extras, vaults, reviews, renamed, workload]);
    let expected = known.get(key);
    if (!expected) {
      const ran = await runSchedule(undisturbed(schedule));
      if (ran.violations.length > 0)
        return { ...ran, violations: ran.violations.map((each) => `undisturbed: ${each}`) };
      expected = ran;
      known.set(key, expected);
      for (const old of [...known.keys()].slice(0, -mostKnown)) known.delete(old);
    }
    const { violations, ...ran } = await runSchedule(schedule, expected);
    return { ...ran, violations: [...violations, ...rejections] };
  } catch (error) {
    return { violations: [`${ownFailure}${(error as Error).stack}`], writes: 0, seconds: 0, faults: {} };
  } finally {
    process.off('unhandledRejection', note);
  }
}

/** What is wrong, without where and when: by this a shrunk schedule is known to show the same. */
export function classOf(violation: string): string {
  return violation
    .replace(/^undisturbed: /, '')
    .replace(/^[\d.]+ s: /, '')
    .replace(/\b[A-Z]\w+\/[\w-]+\/[\w.-]+/g, 'OBJECT')
    .replace(/"[^"]*"/g, 'TEXT')
    .replace(/\b(one|two)#\d+/g, 'REPLICA')
    .replace(/\b(one|two)\b/g, 'REPLICA')
    .replace(/\d+(\.\d+)?/g, 'N')
    .replace(/differs from the undisturbed run: .*/, 'differs')
    .slice(0, 90);
}
