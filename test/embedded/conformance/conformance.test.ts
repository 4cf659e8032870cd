import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { HttpTarget } from './http-target.js';
import { installDefinitions } from './install-definitions.js';
import { failingTraces } from './kept-traces.js';
import { onTrial } from './on-trial.js';
import type { Sides } from './run-trace.js';
import { showStory } from './show-trace.js';
import { isSteady, shortest, survey, tracePrefixes } from './survey.js';

/** A fresh one each time, or one that is to be had again. */
const seed = process.env['TRACE_SEED'] ?? String(Date.now() % 1_000_000);
const operations = 2000;

onRealCluster('the embedded API server', {}, (plane) => {
  const names = tracePrefixes('j');
  let sides: Sides;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const there = new HttpTarget('the real server', plane().url, plane().adminToken, plane().ca);
    await installDefinitions(there);
    const trial = await onTrial('embedded', plane());
    sides = { here: trial.target, there };
    stop = async () => {
      await trial.stop();
      await there.close();
    };
  });
  afterAll(() => stop?.());

  it('answers as the real one does where it once did not', async () => {
    const failing = await failingTraces(sides, names);
    const stories = failing.map(({ trace, run }) => {
      const shown = run.found.map(({ aspect, here, there }) => `  ${aspect}\n    here:  ${here}\n    there: ${there}`);
      return `${trace.file}\n${showStory(trace.operations, run.codes)}\n${shown.join('\n')}`;
    });
    expect(stories.join('\n\n')).toBe('');
  });

  it(`answers as the real one does to whatever is asked (seed ${seed})`, async () => {
    const { findings } = await survey(sides, { operations, seed }, names);
    const stories: string[] = [];
    for (const [index, finding] of findings.entries()) {
      if (index < 20 && !(await isSteady(finding, sides, names))) continue;
      const short = index < 5 ? await shortest(finding, sides, names) : undefined;
      // What does not show once nothing else runs beside it was of a second that passed in between.
      if (index < 5 && !short) continue;
      const { here, there } = finding.example;
      const story = short ? `${showStory(short.operations, short.run.codes)}\n` : '';
      stories.push(`${finding.count} × ${finding.aspect}\n${story}  here:  ${here}\n  there: ${there}`);
    }
    const again = `npm run conformance -- --operations ${operations} --seed ${seed}`;
    expect(stories.length === 0 ? '' : `${again}\n\n${stories.join('\n\n')}`).toBe('');
  }, 600_000);
});
