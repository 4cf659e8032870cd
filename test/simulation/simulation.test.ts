import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { plant } from './bundle.js';
import { drawSchedule, historiesPerWorkload } from './draw-faults.js';
import { keptSchedules } from './kept-schedules.js';
import { planted } from './planted.js';
import type { Schedule, WorkloadStep } from './schedule.js';
import { storyOf } from './story.js';
import { trySchedule } from './try-schedule.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/** Processor time for fresh seeds, of this process: how many schedules that is depends on the machine. */
const budgetSeconds = Number(process.env['SIMULATION_SECONDS'] ?? 20);

describe('a kept schedule', () => {
  const folder = join(here, 'schedules');
  const kept = existsSync(folder) ? keptSchedules(folder) : [];

  it.each(kept.map((each) => [each.name, each] as const))('%s does not fail any more', async (_, { schedule }) => {
    expect({ story: storyOf(schedule), violations: (await trySchedule(schedule)).violations }).toMatchObject({
      violations: [],
    });
  });
});

describe('fresh histories', () => {
  const seed = Math.floor(Date.now() / 1000) % 1_000_000;

  it(
    `of seed ${seed} end well`,
    async () => {
      const start = process.cpuUsage();
      const isOver = () => {
        const { user, system } = process.cpuUsage(start);
        return user + system > budgetSeconds * 1e6;
      };
      for (let index = 0; index < historiesPerWorkload || !isOver(); index++) {
        const schedule = drawSchedule(seed, index);
        const { violations } = await trySchedule(schedule);
        const again = `npm run simulate -- --seed ${seed} --from ${index} --schedules 1`;
        expect({ again, story: storyOf(schedule), violations }).toMatchObject({ violations: [] });
      }
    },
    // Ends by its own budget of processor time, of which a busy machine gives little.
    30 * 60_000,
  );
});

describe('a schedule', () => {
  it('is the same history every time', async () => {
    const run = async () => {
      const { violations, writes, seconds } = await trySchedule(drawSchedule(7, 3));
      return { violations, writes, seconds };
    };
    expect(await run()).toEqual(await run());
  });

  it('has what somebody writes into a status come to be there, and put right', async () => {
    const object = { kind: 'Site', namespace: 'default', name: 'a' };
    const made: WorkloadStep = { at: 0, do: 'apply', object, body: { spec: { value: 'one', port: 80 } } };
    const body = { status: { port: 77 } };
    const scribbled: WorkloadStep = { at: 5, do: 'patch', object, body, subresource: 'status' };
    const run = (workload: readonly WorkloadStep[]) =>
      trySchedule({ seed: 7, replicas: 1, pods: false, restartSeconds: 1, workload, faults: [] });
    const [alone, both] = [await run([made]), await run([made, scribbled])];
    expect([alone.violations, both.violations]).toEqual([[], []]);
    expect(both.writes).toBe(alone.writes + 1);
  });

  it('has Tours in one workload of eight, and some with two far children', () => {
    const numbers = Array.from({ length: 16 }, (_, number) => number);
    expect(numbers.filter((number) => drawSchedule(1, number * historiesPerWorkload).tours)).toEqual([4, 9, 12]);
  });

  it('has somebody who writes into a status in one workload of eight', () => {
    const numbers = Array.from({ length: 16 }, (_, number) => number);
    const isScribbled = (number: number) =>
      drawSchedule(1, number * historiesPerWorkload).workload.some((step) => 'subresource' in step);
    expect(numbers.filter(isScribbled)).toEqual([2, 10]);
  });

  it('has Vaults, Reviews, operators with another name and what is let go by force in some workloads', () => {
    const numbers = Array.from({ length: 48 }, (_, number) => number);
    const those = (has: (schedule: Schedule) => boolean) =>
      numbers.filter((number) => has(drawSchedule(1, number * historiesPerWorkload)));
    expect({
      far: those(({ workload }) => JSON.stringify(workload).includes('"also"')),
      vaults: those(({ vaults }) => vaults === true),
      renamed: those(({ renamed }) => renamed === true),
      reviews: those(({ reviews }) => reviews === true),
    }).toEqual({ far: [9, 25, 41], vaults: [11, 27, 43], renamed: [13, 29, 45], reviews: [14, 30, 46] });
    expect(those(({ workload }) => JSON.stringify(workload).includes('force-release'))).toEqual([25, 41]);
  });

  it('has another version, another definition, modes, things outside and a backup in some workloads', () => {
    const numbers = Array.from({ length: 132 }, (_, number) => number);
    const those = (has: (schedule: Schedule) => boolean) =>
      numbers.filter((number) => has(drawSchedule(1, number * historiesPerWorkload)));
    expect({
      upgraded: those(({ workload, renamed }) => !renamed && workload.some((step) => step.do === 'upgrade')),
      namedBack: those(({ workload }) => workload.some((step) => step.do === 'upgrade' && step.edition === 'third')),
      redefined: those(({ workload }) => workload.some((step) => step.do === 'redefine')),
      restrained: those(({ workload }) => JSON.stringify(workload).includes('sim.example.com/mode')),
      extras: those(({ extras }) => extras === true),
      restored: those(({ workload }) => workload.some((step) => step.do === 'restore')),
    }).toEqual({
      upgraded: [5, 21, 37, 53, 69, 85, 101, 117],
      namedBack: [93, 125],
      redefined: [8, 24, 40, 56, 72, 88, 104, 120],
      restrained: [6, 22, 38, 54, 70, 86, 102, 118],
      extras: [3, 19, 51, 83, 115, 131],
      restored: [1, 129],
    });
  });

  it('has late successors, rivals and second thoughts in some', () => {
    const numbers = Array.from({ length: 48 }, (_, number) => number);
    const those = (has: (schedule: Schedule) => boolean, which = 0) =>
      numbers.filter((number) => has(drawSchedule(1, number * historiesPerWorkload + which)));
    const isLate = ({ replicas, faults }: Schedule) =>
      replicas === 2 && faults.some((step) => step.fault === 'hold' && step.to === 1 && step.kind === 'Site');
    expect(those(isLate, 1).filter((number) => number % 16 === 12)).toEqual([12, 28, 44]);
    expect(those(({ workload }) => JSON.stringify(workload).includes('"d-x"'))).toEqual([19]);
    expect(those(({ workload }) => JSON.stringify(workload).includes('{"spec":{"left":"Delete"}}'))).toEqual([27]);
  });

  it('has API servers that are not well in one workload of sixteen', () => {
    const numbers = Array.from({ length: 48 }, (_, number) => number);
    const isSick = ({ deafness, faults }: Schedule) =>
      deafness !== undefined && faults.some(({ fault }) => fault === 'cut-off' || fault === 'behind');
    expect(numbers.filter((number) => isSick(drawSchedule(1, number * historiesPerWorkload)))).toEqual([10, 26, 42]);
  });

  it('has an API server that hangs in one of thirty-two', () => {
    const numbers = Array.from({ length: 64 }, (_, number) => number);
    const hangs = ({ faults }: Schedule) => faults.some(({ fault }) => fault === 'hang');
    expect(numbers.filter((number) => hangs(drawSchedule(1, number * historiesPerWorkload)))).toEqual([17, 49]);
  });

  it('is drawn from its seed and number alone', () => {
    expect(drawSchedule(1, 5)).toEqual(drawSchedule(1, 5));
    expect(drawSchedule(1, 5)).not.toEqual(drawSchedule(1, 6));
    expect(drawSchedule(1, 5)).not.toEqual(drawSchedule(2, 5));
    expect(drawSchedule(1, 8).workload).toEqual(drawSchedule(1, 15).workload);
  });
});

describe('a planted mistake', () => {
  it.each(planted.map((mistake) => [mistake.name, mistake] as const))('"%s" can be planted', (_, mistake) => {
    const source = readFileSync(join(root, mistake.file), 'utf8');
    expect(plant(mistake, source)).not.toBe(source);
  });
});
