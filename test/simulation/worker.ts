/** A thread that runs schedules: it answers each message with one. */
import { parentPort } from 'node:worker_threads';
import { drawSchedule } from './draw-faults.js';
import type { Schedule } from './schedule.js';
import { type Shrunk, shrink } from './shrink.js';
import { type Befallen, sumOf } from './tally.js';
import { trySchedule } from './try-schedule.js';

export type Order =
  | { readonly type: 'run'; readonly seed: number; readonly from: number; readonly count: number }
  | { readonly type: 'shrink'; readonly schedule: Schedule; readonly violations: readonly string[] }
  | { readonly type: 'try'; readonly schedule: Schedule };

export interface Failure {
  readonly index: number;
  readonly schedule: Schedule;
  readonly violations: readonly string[];
}

export interface Batch {
  readonly done: number;
  readonly writes: number;
  /** Of the cluster's time. */
  readonly seconds: number;
  readonly faults: Befallen;
  readonly failures: readonly Failure[];
}

async function carryOut(order: Order): Promise<Batch | Shrunk> {
  switch (order.type) {
    case 'shrink':
      return shrink(order.schedule, order.violations);
    case 'try':
      return { schedule: order.schedule, violations: (await trySchedule(order.schedule)).violations };
    case 'run': {
      const failures: Failure[] = [];
      let [writes, seconds] = [0, 0];
      let faults: Befallen = {};
      for (let index = order.from; index < order.from + order.count; index++) {
        const schedule = drawSchedule(order.seed, index);
        const tried = await trySchedule(schedule);
        writes += tried.writes;
        seconds += tried.seconds;
        faults = sumOf(faults, tried.faults);
        if (tried.violations.length > 0) failures.push({ index, schedule, violations: tried.violations });
      }
      return { done: order.count, writes, seconds, faults, failures };
    }
  }
}

parentPort?.on('message', (order: Order) => {
  void carryOut(order).then((answer) => parentPort?.postMessage(answer));
});
