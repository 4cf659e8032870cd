import type { Discretion } from './discretion.js';
import type { Patience } from './patience.js';
import type { Log } from './telemetry/log.js';

/** What the parts of a round have in common. */
export interface Round {
  readonly key: string;
  readonly log: Log;
  readonly discretion: Discretion;
  readonly signal: AbortSignal;
  readonly patience: Patience;
}
