import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { bundleWorker } from './bundle.js';
import { Crew } from './crew.js';
import { findPlanted } from './find-planted.js';
import { type Planted, planted } from './planted.js';
import type { Schedule } from './schedule.js';
import { storyOf } from './story.js';
import { classOf } from './try-schedule.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const search = { root, seed: 1, workers: 1, most: 48 };

/** Mistakes of all sorts, for which few schedules are needed; `npm run simulate -- --planted` looks for all of them. */
const easy: readonly (readonly [name: string, says: RegExp])[] = [
  ['loses events', /says that it observed generation|is desired by|is not as/],
  ['does not prune', /is not desired/],
  ['deletes by name, whatever has it now', /which is not ours/],
  ['works on one key twice at once', /created a second time/],
  ['takes a Lease that another holds', /changes hands without end|without the Lease/],
  ['gives up a watch after its first failure', /observed generation|is not there|is not as|all is as desired/],
  ['ignores Retry-After', /did not wait as long/],
  ['keeps no custom resource until what is far from it is gone', /nothing keeps its owner/],
  ['writes where nobody consents', /was ever accepted/],
  ['writes on when its Lease is not renewed (no fencing)', /wrote without the Lease/],
];

describe('a planted mistake', () => {
  it.each(easy)(
    '"%s" is found',
    async (name, says) => {
      const found = await findPlanted(mistakeOf(name), bundleOf(name), search);
      expect(found?.violations[0]).toMatch(says);
    },
    5 * 60_000,
  );
});

describe('a planted mistake that hardly any history finds', () => {
  const rare = planted.flatMap((mistake) =>
    mistake.kept === undefined ? [] : [[mistake.name, mistake.kept] as const],
  );

  it.each(rare)('"%s" is found by the schedule that was kept as %s', async (name) => {
    expect(await findPlanted(mistakeOf(name), bundleOf(name), search)).toBeDefined();
  });
});

describe('a schedule that fails', () => {
  it(
    'is shrunk to a shorter one that fails in the same way, and is told step by step',
    async () => {
      const name = 'deletes by name, whatever has it now';
      const found = await findPlanted(mistakeOf(name), bundleOf(name), search);
      if (!found) throw new Error('it does not fail');
      const crew = new Crew(await bundleWorker(root, bundleOf(name), mistakeOf(name)), 1);
      const { schedule } = await crew.shrink(found.schedule, found.violations);
      const { violations } = await crew.try(schedule);
      await crew.dismiss();

      expect(violations.map(classOf)).toContain(classOf(found.violations[0] ?? ''));
      expect(lengthOf(schedule)).toBeLessThan(lengthOf(found.schedule));
      expect(storyOf(schedule)).toHaveLength(1 + lengthOf(schedule));
    },
    5 * 60_000,
  );
});

function mistakeOf(name: string): Planted {
  const mistake = planted.find((each) => each.name === name);
  if (!mistake) throw new Error(`nothing is planted that is called "${name}"`);
  return mistake;
}

function bundleOf(name: string): string {
  return `found-${name.replace(/\W+/g, '-')}`;
}

function lengthOf({ workload, faults }: Schedule): number {
  return workload.length + faults.length;
}
