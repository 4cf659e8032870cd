import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../cluster/package-root.js';
import { growthPanels } from './growth-panels.js';
import { plot } from './plot.js';
import { report } from './report.js';
import type { Results } from './results.js';

const published = (name: string) => join(packageRoot, 'docs', name);
const results = JSON.parse(readFileSync(published('benchmarks.json'), 'utf8')) as Results;

describe('the published benchmarks', () => {
  // What is measured changes by a run alone. UPDATE_GOLDEN=1 tells it in the words that the report has now.
  it.each([
    ['benchmarks.md', () => report(results, 'benchmarks-growth.svg')],
    ['benchmarks-growth.svg', () => plot(growthPanels(results.growth))],
  ])('have a %s that is made of their numbers, and not by hand', (name, make) => {
    const made = make();
    if (process.env['UPDATE_GOLDEN']) writeFileSync(published(name), made);
    expect(readFileSync(published(name), 'utf8')).toBe(made);
  });
});
