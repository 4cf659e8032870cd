import type { Json } from '../../../src/kube/manifest.js';

/** The code of a request that got no answer. */
export const brokenOff = 0;

/** What a server answered. */
export interface Outcome {
  readonly code: number;
  /** Absent where a target cannot tell it, such as what a deletion in this process answers. */
  readonly body?: Json;
  readonly warnings: readonly string[];
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Json;
}

/** A watch that a server agreed to. */
export interface OpenWatch {
  /** The next event; undefined when the stream has ended or nothing came for so long. */
  next(milliseconds: number): Promise<WatchEvent | undefined>;
  close(): void;
}
