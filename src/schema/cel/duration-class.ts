import { evaluate } from '@marcbachmann/cel-js';

/** A span of time, as the library has it. */
export interface Duration {
  readonly seconds: bigint;
  readonly nanos: number;
}

type DurationConstructor = new (seconds: bigint, nanos: number) => Duration;
let known: DurationConstructor | undefined;

/** The library's own class of durations, which it does not export: had by an evaluation, which takes time at a start. */
export function durationClass(): DurationConstructor {
  known ??= evaluate('duration("0s")').constructor as DurationConstructor;
  return known;
}
