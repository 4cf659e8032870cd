import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { packageRoot } from '../cluster/package-root.js';

/** `D-13 to D-16` are four. */
function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/D-(\d\d)(?: to D-(\d\d))?/g)].flatMap(([, first, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
const inOrder = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);

it('each case of drift that is documented has a test by its number, and each number is documented', () => {
  const rows = readFileSync(join(packageRoot, 'docs/drift.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| D-'))
    .map((line) => line.split('|')[1] ?? '');
  const folder = join(packageRoot, 'test/drift/on-a-cluster');
  const titles = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/'D-\d\d.*'/g) ?? []);
  const tested = numbersIn(titles.join('\n'));
  expect(inOrder(tested)).toEqual(inOrder(numbersIn(rows.join('\n'))));
});
