import type { Step } from '../drift/plan.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Drifted } from './children/drift-message.js';
import type { Confirming } from './confirmation.js';
import type { Outside } from './external/externals.js';
import type { Desired } from './planner.js';
import type { Round } from './round.js';
import type { RoundLimit } from './round-limits.js';
import type { Unmet } from './status/status.js';
import type { Executed } from './writes/execute.js';

/** What there is to be done in a round. */
export interface Work extends Desired {
  readonly round: Round;
  readonly reasons: readonly string[];
  readonly cr: KubeObject;
  /** Milliseconds of the monotonic clock. */
  readonly began: number;
  /** For calls that the next round can make as well: aborts when this one has lost too much time. */
  readonly limited: AbortSignal;
  /** For what takes none of its time. */
  readonly apart: RoundLimit['apart'];
}

/** The same while it is carried out. */
export interface UnderWay extends Work {
  readonly confirmation: Confirming;
}

/** What it came to. */
export interface CameTo {
  readonly steps: readonly Step[];
  readonly executed: readonly Executed[];
  readonly outside: Outside;
  readonly errors: readonly Error[];
  readonly drifted: Drifted;
  /** What is missing, though nothing failed. */
  readonly unmet: Unmet | undefined;
}
