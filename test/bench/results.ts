import type { ServerCosts } from './embedded.js';
import type { Growth } from './growth.js';
import type { Leg } from './race.js';
import type { WriteCost } from './write-costs.js';

/** All that a run of the bench measured; the report is made of it. */
export interface Results {
  readonly command: string;
  readonly machine: string;
  readonly kubernetes: string;
  readonly node: string;
  /** By name, what each contender is. */
  readonly contenders: readonly { readonly name: string; readonly version: string; readonly notes: string }[];
  readonly leftOut: readonly string[];
  readonly customResources: number;
  readonly heals: number;
  /** Rounds of the race, of one leg for each contender. */
  readonly rounds: readonly (readonly Leg[])[];
  readonly growth: readonly Growth[];
  readonly writeCosts: readonly WriteCost[];
  readonly servers: readonly ServerCosts[];
  /** The tables of `render.js`. */
  readonly render: string;
}
