import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schedule } from './schedule.js';

/** A schedule that failed once. All of them are run in every test. */
export interface KeptSchedule {
  readonly name: string;
  /** What was wrong then. */
  readonly violation: string;
  /** What happens in it, for people. */
  readonly story: readonly string[];
  readonly schedule: Schedule;
}

export function keptSchedules(folder: string): KeptSchedule[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ name: file.slice(0, -5), ...readSchedule(join(folder, file)) }));
}

export function readSchedule(file: string): Omit<KeptSchedule, 'name'> {
  return JSON.parse(readFileSync(file, 'utf8')) as KeptSchedule;
}

/** Returns where it is kept. */
export function keepSchedule(folder: string, { name, ...kept }: KeptSchedule): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
  return file;
}
