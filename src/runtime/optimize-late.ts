import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 compile a function for speed only after it has run four times as long as usual.
 *
 * What a controller does, it does some thousand times after a start and seldom afterwards: until then the optimizing
 * compiler costs more than its code saves, in time and in memory. From Node 22 on a cheaper compiler comes before that one,
 * and V8 has no such budget any more: told of it, it would write two lines to standard error, which no log collector reads.
 */
export function optimizeLate(v8 = process.versions.v8): void {
  if (Number.parseInt(v8, 10) < firstWithoutBudget) setFlagsFromString('--interrupt-budget=500000');
}

const firstWithoutBudget = 12;
