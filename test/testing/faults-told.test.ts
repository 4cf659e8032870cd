import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Faults } from '../../src/testing/index.js';
import { packageRoot } from '../cluster/package-root.js';

/** The compiler holds it to what an author may call, and to nothing else. */
const shown: Readonly<Record<keyof Faults, true>> = {
  breakWatch: true,
  clear: true,
  crashAfter: true,
  crashBefore: true,
  delay: true,
  cutOffServer: true,
  goBack: true,
  hangServer: true,
  holdWatch: true,
  lagServer: true,
  loseAnswer: true,
  loseCall: true,
  observe: true,
  partition: true,
  pending: true,
  refuse: true,
  silenceWatch: true,
  slowDown: true,
  unserve: true,
};

it('is told in the docs what an author may do with faults, all of it', () => {
  const docs = readFileSync(join(packageRoot, 'docs/testing.md'), 'utf8');
  const named = (name: string) => docs.includes(`\`${name}(`) || docs.includes(`\`faults.${name}`);
  expect(Object.keys(shown).filter((name) => !named(name))).toEqual([]);
});
