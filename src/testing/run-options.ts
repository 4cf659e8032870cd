import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import type { Clock, Random } from '../kube/clock.js';
import type { Room } from '../runtime/informer/shelf.js';
import type { Call } from './call.js';

/** How `TestCluster.run` runs a controller: what flags and environment say to the real one. */
export interface RunOptions {
  /** True: this controller works only while it holds the Lease, as one of several replicas. Default: false. */
  readonly leaderElect?: boolean;
  /** The Pod's name, as events and the Lease have it. Default: `controller-1`, and so on. */
  readonly identity?: string;
  /** Only these namespaces. Default: all. */
  readonly namespaces?: readonly string[];
  /** Environment variables, as `settings` of its operators names them. Default: none. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Stands for the services outside the cluster that `external` calls. What it answers does not reach a controller that has
   * crashed meanwhile. Default: every request fails.
   */
  readonly fetch?: typeof globalThis.fetch;
  /** As `--assume-consent`: true lets custom resources reach into namespaces that did not agree. Default: false. */
  readonly assumeConsent?: boolean;
  /**
   * As `--rollout-limit`: of how many custom resources of a kind an upgrade changes the children at once; the next have to wait
   * until these are ready. Default: all.
   */
  readonly rolloutLimit?: number;
}

export interface TestControllerOptions extends RunOptions {
  readonly operators: readonly Operator[];
  readonly cluster: Cluster;
  /** The cluster as one of its lives reaches it, where lives are told apart. Default: `cluster`. */
  readonly connect?: (life: number) => Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: string;
  /** The newest version in the cluster. */
  readonly now: () => string;
  readonly carriedOut: (call: Call) => void;
  /** Hears of each call whose answer was not waited for any longer. */
  readonly gaveUp?: (call: Call) => void;
  /** Hears that the API server knows less than it did, as after a restore. Default: the controller goes on with what a new list shows. */
  readonly historyLost?: () => void;
  /** How many objects of a kind are at hand in its stores, and not packed. Default: as in production. */
  readonly room?: Room | undefined;
}
