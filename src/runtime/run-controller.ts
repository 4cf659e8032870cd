import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import { type ApiResource, groupVersionKindOf } from '../kube/api-resource.js';
import type { Clock, Random } from '../kube/clock.js';
import type { DriftMode } from '../kube/drift-mode.js';
import type { Environment } from '../kube/environment.js';
import { follow } from '../kube/first-abort.js';
import type { Lookout } from './author/lookout.js';
import type { TimeLimit } from './author/time-limit.js';
import { Hangs } from './informer/hangs.js';
import { hedgedCluster } from './informer/hedged-cluster.js';
import type { Informer } from './informer/informer.js';
import { NewestVersion } from './informer/newest-version.js';
import { Outage } from './informer/outage.js';
import type { Room } from './informer/shelf.js';
import { WatchedKind } from './informer/watched-kind.js';
import type { Leadership } from './lease/leader-only.js';
import { operatorLoop } from './operator-loop.js';
import { Breather } from './process/breather.js';
import { forMany } from './process/for-many.js';
import { refuseIncompatible } from './refuse-incompatible.js';
import type { Log } from './telemetry/log.js';
import { silentTelemetry, type Telemetry } from './telemetry/telemetry.js';
import type { Tracing } from './telemetry/tracing.js';
import { outlivingVersions } from './writes/outliving-versions.js';

/** How long what is under way may take after the controller was asked to stop. */
export const graceSeconds = 4;

export interface ControllerOptions {
  readonly operators: readonly Operator[];
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Absent or empty: all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** How many custom resources of each kind are reconciled at once; an operator's own number otherwise. */
  readonly maxConcurrentReconciles?: number | undefined;
  /** In place of the operators' own mode: what happens when somebody changes what was applied. */
  readonly driftMode?: DriftMode | undefined;
  /** True in a cluster of one tenant: namespaces need not consent to what custom resources of others want of them. */
  readonly assumeConsent?: boolean | undefined;
  /** The pod, as events name it. */
  readonly instance?: string;
  /**
   * Stands for election, and resolves when this process may write. Called once, when an operator can work in a namespace, and
   * never sooner: who cannot begin to work keeps no Lease from somebody who can. Default: nobody has to be elected.
   */
  readonly lead?: () => Promise<void>;
  /** What lasts while this process leads, and may be lost. Default: nobody else acts on the cluster. */
  readonly leadership?: (Leadership & { readonly lost: AbortSignal }) | undefined;
  /** Default: nobody is told. */
  readonly telemetry?: Telemetry;
  /** Default: nobody follows what happens. */
  readonly tracing?: Tracing | undefined;
  /** What operators may be set by, of which each reads what it declares. Default: nothing. */
  readonly settings?: Environment;
  /** How operators reach services outside the cluster. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Every custom resource is looked at again after so long. Default: never, since watches tell what changed. */
  readonly resyncSeconds?: number | undefined;
  /** How many custom resources of a kind at once are changed for what this version composes otherwise, until they are ready. Default: all. */
  readonly rolloutLimit?: number | undefined;
  /** Gives timers and sockets their turn. Default: a backlog that needs no write goes on to its end. */
  readonly breather?: Breather;
  /** So much of a round may go by in calls to the API server that fail. Default: 60. */
  readonly roundSeconds?: number;
  /** Around whatever an author's code computes. Default: it may take as long as it likes. */
  readonly limit?: TimeLimit;
  /** Sees what of an author's code stands still that may not be ended. Default: nobody does. */
  readonly lookout?: Lookout;
  /**
   * Called when the API server is seen to know less than it did, as after its etcd was restored: what this process has learnt
   * of it is of another history, and it should begin anew. Default: it goes on with what a new list shows.
   */
  readonly historyLost?: () => void;
  /** What else tells how new the API server is, as a Lease does. Default: nothing. */
  readonly newest?: NewestVersion;
  /** What else tells of calls that hang. Default: nothing. */
  readonly hangs?: Hangs;
  /** How many objects of a kind are at hand, and not packed. Default: of a shelf. */
  readonly room?: Room | undefined;
}

/** A running controller. */
export interface Controller {
  readonly informers: readonly Informer[];
  /** Resolves when all stores are filled, but for those of kinds that are not served. */
  synced(): Promise<void>;
  /** True when no custom resource waits or is being reconciled. */
  readonly isIdle: boolean;
  /** Resolves when everything has stopped after `signal` aborted. */
  readonly stopped: Promise<void>;
}

/**
 * Runs operators on a cluster until `signal` aborts.
 *
 * **Guarantees.** Operators share one watch a kind, or one a namespace. An operator reconciles nothing before all stores that
 * it looks at are filled, so that an empty store is never mistaken for an empty cluster; it does not wait for those of others,
 * nor, in one namespace of several, for those of another. Where one that it needs is not served, each custom resource says so,
 * and nothing else is done for it.
 *
 * After `signal` aborted, no work is begun, and writes under way end within `graceSeconds`; at once when leadership is lost. When
 * it has stopped, nothing is under way any more, also of what was asked outside the cluster and not awaited.
 *
 * Throws `OperatorError` for operators that cannot be run together, or not in these namespaces alone.
 *
 * **Assumes** that `signal` takes any number of listeners: every watch and every call under way is one.
 */
export function runController(options: ControllerOptions, signal: AbortSignal): Controller {
  refuseIncompatible(options.operators, options.namespaces);
  // Whoever is asked to stop takes no new work, and gets a moment for the writes that are under way.
  const writes = new AbortController();
  forMany(writes.signal);
  let endGrace = () => {};
  const beginGrace = () => {
    endGrace = options.clock.after(graceSeconds * 1000, () => writes.abort(signal.reason));
  };
  signal.addEventListener('abort', beginGrace, { once: true });
  if (signal.aborted) beginGrace();
  // Whoever leads now must not meet what we have under way, outside the cluster least of all.
  const lost = options.leadership?.lost;
  if (lost) follow(writes, lost);
  // One for all operators, which share the thread.
  const breather = options.breather ?? new Breather({ clock: options.clock });
  const outage = new Outage(options.clock);
  const newest = options.newest ?? new NewestVersion();
  const hangs = options.hangs ?? new Hangs(options.clock);
  const cluster = hedgedCluster(options.cluster, options.clock, hangs);
  const kinds = new Map<string, WatchedKind>();
  const kindOf = (resource: ApiResource): WatchedKind => {
    const name = groupVersionKindOf(resource);
    let kind = kinds.get(name);
    if (!kind) {
      const { clock, random, log, namespaces, room } = options;
      const telemetry = (options.telemetry ?? silentTelemetry).kind(resource);
      kind = new WatchedKind({
        cluster,
        clock,
        random,
        log,
        namespaces,
        room,
        breather,
        outage,
        newest,
        hangs,
        resource,
        telemetry,
      });
      kinds.set(name, kind);
    }
    return kind;
  };
  // Told apart from those of another life of this controller, which are in the same log.
  const life = options.clock.now().toString(36);
  let rounds = 0;
  const nextId = () => `${life}-${(++rounds).toString(36)}`;
  const given = { ...options, cluster: outlivingVersions(cluster) };
  const loops = options.operators.map((operator) => operatorLoop(operator, given, kindOf, breather, nextId));

  const informers = [...kinds.values()].flatMap((kind) => kind.informers);
  for (const informer of informers) informer.onHistoryLost(() => options.historyLost?.());
  const watching = [...kinds.values()].map((kind) => kind.run(signal));
  const aborted = new Promise<false>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
    if (signal.aborted) resolve(false);
  });
  const leading = Promise.race(loops.map(({ canWork }) => canWork)).then(() => options.lead?.());
  const working = Promise.all(
    loops.map(async ({ canWork, work, queue }) => {
      const go = await Promise.race([Promise.all([canWork, leading]).then(() => true), aborted]);
      if (go) await work(signal, writes.signal);
      queue.close();
    }),
  ).then(() => {
    endGrace();
    // What an author's code has left behind outside the cluster goes on by nobody's Lease.
    writes.abort(new Error('the controller has ended'));
  });
  return {
    informers,
    synced: () => Promise.all(loops.map(({ synced }) => synced)).then(() => {}),
    get isIdle() {
      return loops.every(({ queue }) => queue.isIdle);
    },
    stopped: Promise.all([working, ...watching]).then(() => {}),
  };
}
