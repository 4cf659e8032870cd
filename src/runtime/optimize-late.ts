import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 compile a function for speed only after it has run four times as long as usual.
 *
 * What a controller does, it does some thousand times after a start and seldom afterwards: until then the optimizing
 * compiler costs more than its code saves, in time and in memory. A V8 that does not know the flag says so and goes on as it
 * is used to.
 */
export function optimizeLate(): void {
  setFlagsFromString('--interrupt-budget=500000');
}
