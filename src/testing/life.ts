import type { LeaderElection } from '../runtime/lease/leader-election.js';
import type { Controller } from '../runtime/run-controller.js';
import type { FaultyCluster } from './faulty-cluster.js';
import type { MortalClock } from './mortal-clock.js';

/** What is gone when a process dies. */
export interface Life {
  readonly controller: Controller;
  readonly cluster: FaultyCluster;
  readonly clock: MortalClock;
  readonly stop: AbortController;
  readonly election: LeaderElection | undefined;
  /** Resolves when it crashed. */
  readonly death: Promise<void>;
  readonly died: () => void;
  /** As by SIGSTOP. */
  isStopped: boolean;
  /** Set when it was asked to stop. */
  ending?: Promise<void>;
}
