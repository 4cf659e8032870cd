import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { entryOf, usualEntry } from '../../src/cli/load-operators.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-entry-'));
  mkdirSync(join(folder, 'src/operators'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('operators are looked for in all.ts, and in all.js where a project has that alone', () => {
  expect(entryOf(usualEntry, folder)).toBe('src/operators/all.ts');
  writeFileSync(join(folder, 'src/operators/all.js'), '');
  expect(entryOf(usualEntry, folder)).toBe('src/operators/all.js');
  writeFileSync(join(folder, 'src/operators/all.ts'), '');
  expect(entryOf(usualEntry, folder)).toBe('src/operators/all.ts');
});

it('a module that is named is that module, whatever else there is', () => {
  writeFileSync(join(folder, 'src/operators/mine.js'), '');
  expect(entryOf('src/operators/mine.ts', folder)).toBe('src/operators/mine.ts');
});
