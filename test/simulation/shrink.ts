import type { FaultStep, Schedule } from './schedule.js';
import { classOf, trySchedule } from './try-schedule.js';

/** How many schedules may be run to find a shorter one. */
const mostTries = 400;

export interface Shrunk {
  readonly schedule: Schedule;
  readonly violations: readonly string[];
}

/** The shortest schedule that one finds which still shows the first of the violations. */
export async function shrink(schedule: Schedule, violations: readonly string[]): Promise<Shrunk> {
  const wanted = classOf(violations[0] ?? '');
  let best: Shrunk = { schedule, violations };
  let tries = 0;
  const attempt = async (candidate: Schedule): Promise<boolean> => {
    if (tries++ >= mostTries) return false;
    const tried = await trySchedule(candidate);
    const first = tried.violations.find((violation) => classOf(violation) === wanted);
    if (first === undefined) return false;
    best = { schedule: candidate, violations: [first, ...tried.violations.filter((each) => each !== first)] };
    return true;
  };
  for (let size = -1; size !== sizeOf(best.schedule); ) {
    size = sizeOf(best.schedule);
    await dropFrom('faults', () => best.schedule, attempt);
    await dropFrom('workload', () => best.schedule, attempt);
    if (best.schedule.replicas === 2) await attempt({ ...best.schedule, replicas: 1 });
    if (best.schedule.deafness) {
      const { deafness: _, ...heard } = best.schedule;
      await attempt(heard);
    }
    if (best.schedule.pods) await attempt({ ...best.schedule, pods: false });
    if (best.schedule.renamed) await attempt({ ...best.schedule, renamed: false });
    if (best.schedule.vaults) await attempt({ ...best.schedule, vaults: false });
    if (best.schedule.extras) await attempt({ ...best.schedule, extras: false });
    if (best.schedule.tours) await attempt({ ...best.schedule, tours: false });
    await simplify(() => best.schedule, attempt);
  }
  return best;
}

function sizeOf({ workload, faults, replicas }: Schedule): number {
  return workload.length + faults.length + replicas;
}

type Attempt = (candidate: Schedule) => Promise<boolean>;

/** Leaves out halves, then quarters, down to single steps. */
async function dropFrom(what: 'faults' | 'workload', best: () => Schedule, attempt: Attempt): Promise<void> {
  for (let chunk = Math.max(1, Math.ceil(best()[what].length / 2)); ; chunk = Math.ceil(chunk / 2)) {
    for (let from = 0; from < best()[what].length; ) {
      const steps = [...best()[what]];
      steps.splice(from, chunk);
      if (!(await attempt({ ...best(), [what]: steps }))) from += chunk;
    }
    if (chunk === 1) return;
  }
}

/** Each fault once, for a round time, at a round moment. */
async function simplify(best: () => Schedule, attempt: Attempt): Promise<void> {
  for (const [index, fault] of best().faults.entries()) {
    const simpler: FaultStep[] = [
      ...('times' in fault && fault.times > 1 ? [{ ...fault, times: 1 }] : []),
      ...(fault.for !== undefined && fault.for > 1 ? [{ ...fault, for: Math.round(fault.for / 2) }] : []),
      ...(Number.isInteger(fault.at) ? [] : [{ ...fault, at: Math.round(fault.at) }]),
    ];
    for (const each of simpler) {
      const faults = best().faults.map((other, place) => (place === index ? each : other));
      await attempt({ ...best(), faults });
    }
  }
  for (const [index, step] of best().workload.entries()) {
    if (Number.isInteger(step.at)) continue;
    const workload = best().workload.map((other, place) =>
      place === index ? { ...step, at: Math.round(step.at) } : other,
    );
    await attempt({ ...best(), workload });
  }
}
