import { Worker } from 'node:worker_threads';
import { historiesPerWorkload } from './draw-faults.js';
import type { Schedule } from './schedule.js';
import type { Shrunk } from './shrink.js';
import { type Befallen, sumOf } from './tally.js';
import type { Batch, Failure, Order } from './worker.js';

export interface SurveyOptions {
  readonly seed: number;
  readonly from: number;
  readonly schedules: number;
  /** Ends the survey once so many schedules have failed. */
  readonly mostFailures: number;
  /** True: no more are begun. */
  isOver?(): boolean;
  progress?(done: Survey): void;
}

export interface Survey {
  readonly done: number;
  /** All before this one were run. */
  readonly upTo: number;
  readonly writes: number;
  readonly seconds: number;
  readonly faults: Befallen;
  /** As they were found. */
  readonly failures: readonly Failure[];
}

/** A history leaves much behind that is soon forgotten: with V8's own 16 MiB for it, a sixth of the time goes to collecting. */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

/** Threads that run schedules, one each at a time. */
export class Crew {
  readonly #workers: readonly Worker[];

  /** `program` is the bundled worker. */
  constructor(program: string, size: number) {
    this.#workers = Array.from({ length: size }, () => new Worker(program, { resourceLimits }));
  }

  /** Runs schedules in order, each worker a batch at a time. */
  async survey({ seed, from, schedules, mostFailures, isOver, progress }: SurveyOptions): Promise<Survey> {
    let total: Survey = { done: 0, upTo: from, writes: 0, seconds: 0, faults: {}, failures: [] };
    let next = from;
    const running = new Set<number>();
    const end = from + schedules;
    const work = async (worker: Worker): Promise<void> => {
      while (next < end && total.failures.length < mostFailures && !isOver?.()) {
        const start = next;
        // Batches end where the workload changes.
        next = Math.min(end, (Math.floor(start / historiesPerWorkload) + 1) * historiesPerWorkload);
        running.add(start);
        const batch = (await ask(worker, { type: 'run', seed, from: start, count: next - start })) as Batch;
        running.delete(start);
        total = {
          done: total.done + batch.done,
          upTo: Math.min(next, ...running),
          writes: total.writes + batch.writes,
          seconds: total.seconds + batch.seconds,
          faults: sumOf(total.faults, batch.faults),
          failures: [...total.failures, ...batch.failures],
        };
        progress?.(total);
      }
    };
    await Promise.all(this.#workers.map(work));
    return { ...total, failures: total.failures.toSorted((a, b) => a.index - b.index) };
  }

  async shrink(schedule: Schedule, violations: readonly string[]): Promise<Shrunk> {
    return (await ask(this.#workers[0]!, { type: 'shrink', schedule, violations })) as Shrunk;
  }

  async try(schedule: Schedule): Promise<Shrunk> {
    return (await ask(this.#workers[0]!, { type: 'try', schedule })) as Shrunk;
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, order: Order): Promise<Batch | Shrunk> {
  return new Promise((resolve, reject) => {
    const answered = (answer: Batch | Shrunk) => {
      worker.off('error', reject);
      resolve(answer);
    };
    worker.once('message', answered);
    worker.once('error', reject);
    worker.postMessage(order);
  });
}
