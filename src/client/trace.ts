import type { Asked } from './response-error.js';

/** A call as it is about to be asked: one try of it. */
export interface TracedTry {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly asked: Asked;
  /** 1 for the first. */
  readonly tries: number;
}

/** One try, until it has its answer. */
export interface OpenTry {
  /** By which the API server joins its own account of it: https://www.w3.org/TR/trace-context/ */
  readonly headers: Readonly<Record<string, string>>;
  /** With the code of the answer, or with none where there was no answer. */
  ended(code: number | undefined): void;
}

/** Told of each try of a call as it begins, by whom it is asked; undefined where nobody follows it. Never throws. */
export type Trace = (call: TracedTry) => OpenTry | undefined;
