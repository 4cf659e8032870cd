import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import type { Clock, Random } from '../kube/clock.js';
import type { DriftMode } from '../kube/drift-mode.js';
import type { KubeObject } from '../kube/manifest.js';
import { controllerOf } from '../kube/owner-reference.js';
import { countChildren } from './count-children.js';
import { Echoes } from './echoes.js';
import { type Events, recordEvents } from './events.js';
import type { Informer } from './informer.js';
import type { Log } from './log.js';
import { queueKey, splitKey } from './queue-key.js';
import { ReadInputs } from './read-inputs.js';
import { Reconciler } from './reconciler.js';
import { resync } from './resync.js';
import type { Change } from './store.js';
import { silentTelemetry, type Telemetry } from './telemetry.js';
import { WatchedKind } from './watched-kind.js';
import { priorities, WorkQueue } from './work-queue.js';

/** How long writes under way may take after the controller was asked to stop. */
const graceSeconds = 4;

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
  /** The pod, as events name it. */
  readonly instance?: string;
  /** Resolves when this process may write. Default: at once. Stores are filled while it waits. */
  readonly mayWrite?: Promise<void>;
  /** Default: nobody is told. */
  readonly telemetry?: Telemetry;
  /** Every custom resource is looked at again after so long. Default: never, since watches tell what changed. */
  readonly resyncSeconds?: number | undefined;
}

/** A running controller. */
export interface Controller {
  readonly informers: readonly Informer[];
  /** Resolves when all stores are filled. */
  synced(): Promise<void>;
  /** True when no custom resource waits or is being reconciled. */
  readonly isIdle: boolean;
  /** Resolves when everything has stopped after `signal` aborted. */
  readonly stopped: Promise<void>;
}

/**
 * Runs operators on a cluster until `signal` aborts.
 *
 * **Guarantees.** Operators share one watch a kind. Nothing is reconciled before all stores are filled, so that an empty
 * store is never mistaken for an empty cluster.
 *
 * After `signal` aborted, no work is begun, and writes under way end within `graceSeconds`.
 *
 * **Assumes** that `signal` takes any number of listeners: every watch and every call under way is one.
 */
export function runController(options: ControllerOptions, signal: AbortSignal): Controller {
  // Whoever is asked to stop takes no new work, and gets a moment for the writes that are under way.
  const writes = new AbortController();
  let endGrace = () => {};
  const beginGrace = () => {
    endGrace = options.clock.after(graceSeconds * 1000, () => writes.abort(signal.reason));
  };
  signal.addEventListener('abort', beginGrace, { once: true });
  const kinds = new Map<string, WatchedKind>();
  const kindOf = (resource: ApiResource): WatchedKind => {
    const name = `${groupKindOf(resource)} ${resource.apiVersion}`;
    let kind = kinds.get(name);
    if (!kind) {
      const { cluster, clock, random, log, namespaces } = options;
      const telemetry = (options.telemetry ?? silentTelemetry).kind(resource);
      kind = new WatchedKind({ cluster, clock, random, log, namespaces, resource, telemetry });
      kinds.set(name, kind);
    }
    return kind;
  };
  const loops = options.operators.map((operator) => operatorLoop(operator, options, kindOf));

  const watching = [...kinds.values()].map((kind) => kind.run(signal));
  const synced = Promise.all([...kinds.values()].map((kind) => kind.synced())).then(() => {
    options.log.info('Stores are filled', { kinds: [...kinds.keys()].map((name) => name.split(' ')[0]) });
  });
  const working = Promise.race([
    Promise.all([synced, options.mayWrite]).then(() => true),
    new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true })),
  ]).then(async (go) => {
    if (go) await Promise.all(loops.map(({ work }) => work(signal, writes.signal)));
    for (const { queue } of loops) queue.close();
    endGrace();
  });
  return {
    informers: [...kinds.values()].flatMap(({ informers }) => informers),
    synced: () => synced,
    get isIdle() {
      return loops.every(({ queue }) => queue.isIdle);
    },
    stopped: Promise.all([working, ...watching]).then(() => {}),
  };
}

interface Loop {
  readonly queue: WorkQueue;
  /** Takes work until `signal` aborts; what is under way then goes on until `writes` does. */
  work(signal: AbortSignal, writes: AbortSignal): Promise<void>;
}

/** The queue of one operator, what fills it, and the workers that empty it. */
function operatorLoop(
  operator: Operator,
  options: ControllerOptions,
  kindOf: (resource: ApiResource) => WatchedKind,
): Loop {
  const { cluster, clock, random } = options;
  const log = options.log.child({ controller: operator.name });
  const custom = kindOf(operator.resource);
  const workers = options.maxConcurrentReconciles ?? operator.maxConcurrentReconciles;
  const telemetry = (options.telemetry ?? silentTelemetry).controller(operator.name, {
    workers,
    depth: () => queue.depth,
    customResources: () => custom.list(),
    children: () => countChildren(operator, kindOf),
  });
  const queue = new WorkQueue({ clock, random, groupOf: (key) => key.slice(0, key.indexOf('/')), telemetry });
  const inputs = new ReadInputs(operator.reads, (read) => kindOf(read.resource));
  const controller = `${operator.resource.group}/${operator.name}`;
  const events: Events = recordEvents({ cluster, clock, log, controller, instance: options.instance ?? operator.name });
  const { driftMode } = options;
  const echoes = new Echoes();
  const ask: WorkQueue['add'] = (key, reason, options) => {
    echoes.asked(key);
    queue.add(key, reason, options);
  };
  const reconciler = new Reconciler({
    operator,
    echoes,
    cluster,
    custom,
    kindOf,
    inputs,
    clock,
    log,
    events,
    telemetry,
    driftMode,
  });

  custom.subscribe((change) => {
    const { namespace, name } = change.object.metadata;
    const key = queueKey(namespace, name);
    if (change.type === 'deleted') echoes.asked(key);
    else if (!echoes.changed(key, change.object)) return;
    queue.add(key, `${operator.resource.kind} ${change.type}`, { priority: priorityOf(change, custom.isSynced) });
  });
  const ownerOf = (child: KubeObject): string | undefined => {
    const owner = controllerOf(child);
    if (!owner || groupKindOf(owner) !== groupKindOf(operator.resource)) return undefined;
    return queueKey(child.metadata.namespace, owner.name);
  };
  for (const resource of operator.owns) {
    kindOf(resource).subscribe((change) => {
      const reason = `${resource.kind}/${change.object.metadata.name} ${change.type}`;
      const owner = ownerOf(change.object);
      const before = change.type === 'updated' ? ownerOf(change.before) : undefined;
      if (owner !== undefined && change.type === 'deleted') ask(owner, reason);
      else if (owner !== undefined && echoes.changed(owner, change.object)) queue.add(owner, reason);
      if (before !== undefined && before !== owner) ask(before, reason);
      for (const key of reconciler.waitingFor(change.object)) ask(key, reason);
    });
  }
  for (const kind of new Set(Object.values(operator.reads).map((read) => kindOf(read.resource)))) {
    kind.subscribe((change) => {
      for (const key of inputs.readersOf(change))
        ask(key, `input ${kind.resource.kind}/${change.object.metadata.name} ${change.type}`);
    });
  }

  const look = (): void => {
    for (const { metadata } of custom.list()) {
      ask(queueKey(metadata.namespace, metadata.name), 'resync', { priority: priorities.resync });
    }
  };
  // Told apart from those of another life of this controller, which are in the same log.
  const life = clock.now().toString(36);
  let ids = 0;
  const worker = async (signal: AbortSignal, writes: AbortSignal): Promise<void> => {
    for (;;) {
      const work = await queue.take(signal).catch(() => undefined);
      if (!work) return;
      const { key, reasons } = work;
      if (!echoes.take(key)) {
        queue.done(key);
        continue;
      }
      const id = `${life}-${(++ids).toString(36)}`;
      const round = telemetry.reconciling();
      try {
        const outcome = await reconciler.reconcile({ key, reasons, id }, writes);
        round.ended(outcome);
        if (outcome.type !== 'done' || outcome.againAfterMilliseconds !== undefined) echoes.asked(key);
        if (outcome.type === 'retry') queue.retry(key, outcome.because);
        else queue.forget(key);
        if (outcome.type === 'wait') queue.hold(key, outcome.because, outcome.milliseconds);
        if (outcome.type === 'gone') queue.drop(key);
        if (outcome.type === 'done' && outcome.againAfterMilliseconds !== undefined) {
          queue.add(key, outcome.because ?? 'requeued', { afterMilliseconds: outcome.againAfterMilliseconds });
        }
      } catch (error) {
        round.ended('thrown');
        echoes.asked(key);
        // A mistake of ours must cost one custom resource a round, and nobody anything else.
        if (!writes.aborted) {
          const [namespace, name] = splitKey(key);
          log.error('Failed to reconcile', { namespace, name, reconcileID: id, error });
          queue.retry(key, 'an unexpected error');
        }
      } finally {
        queue.done(key);
      }
    }
  };
  return {
    queue,
    work: async (signal, writes) => {
      const { resyncSeconds: seconds } = options;
      if (seconds !== undefined) resync({ seconds, clock, random, look }, signal);
      await Promise.all(Array.from({ length: workers }, () => worker(signal, writes)));
    },
  };
}

/** A changed spec goes before what merely follows from it. */
function priorityOf(change: Change, isSynced: boolean) {
  // Of what the first list shows nobody has just asked for anything.
  if (change.type === 'added') return isSynced ? priorities.changed : priorities.related;
  if (change.type === 'deleted') return priorities.changed;
  return change.object.metadata.generation === change.before.metadata.generation
    ? priorities.resync
    : priorities.changed;
}
