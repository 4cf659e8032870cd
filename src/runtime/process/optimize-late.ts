import { setFlagsFromString } from 'node:v8';
import { v8Major } from './engine-version.js';

/**
 * Lets V8 compile a function for speed only after it has run several times as long as usual.
 *
 * What a controller does, it does some thousand times after a start and seldom afterwards: until then the optimizing
 * compiler costs more than its code saves, in time and in memory. Each V8 has a flag of its own for it, and those of Node 22
 * and 24 none that is worth it. One that is told of a flag that it does not know writes two lines to standard error, which no log
 * collector reads.
 */
export function optimizeLate(version?: string): void {
  const major = v8Major(version);
  if (major < 12) setFlagsFromString('--interrupt-budget=500000');
  if (major > 13) setFlagsFromString('--efficiency-mode');
}

/**
 * Lets V8 compile for speed whatever runs often, by the slow compiler too that `quick-compilers.ts` puts aside: for a process
 * that has much to do, and goes on to.
 */
export function optimizeNow(version?: string): void {
  if (v8Major(version) > 13) for (const flag of ['--turbofan', '--no-efficiency-mode']) setFlagsFromString(flag);
}
