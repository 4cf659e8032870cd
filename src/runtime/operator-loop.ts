import type { Operator } from '../compose/operator.js';
import { type ApiResource, groupKindOf, kindAmong } from '../kube/api-resource.js';
import { namespaceKind } from '../kube/consent.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { ownerLabels } from '../kube/owner-labels.js';
import { afterRound } from './after-round.js';
import { AuthorCode } from './author/author-code.js';
import { AuthorTurn } from './author/author-turn.js';
import { Consents } from './author/consents.js';
import { Occasions } from './author/occasions.js';
import { ReadInputs } from './author/read-inputs.js';
import { Externals } from './external/externals.js';
import { BegunNamespaces } from './informer/begun-namespaces.js';
import type { WatchedKind } from './informer/watched-kind.js';
import type { Breather } from './process/breather.js';
import { Aside } from './queue/aside.js';
import { controllerKey, groupOfKey, splitKey } from './queue/queue-key.js';
import { type Priority, priorities } from './queue/ready-keys.js';
import { resync } from './queue/resync.js';
import { Tally } from './queue/tally.js';
import { WorkQueue } from './queue/work-queue.js';
import { Reconciler } from './reconciler.js';
import { Rollout } from './rollout.js';
import { RoundLimits } from './round-limits.js';
import type { ControllerOptions } from './run-controller.js';
import { readyIn } from './status/own-status.js';
import { recordEvents } from './telemetry/events.js';
import { silentTelemetry } from './telemetry/telemetry.js';
import { connectTriggers } from './triggers.js';
import { Echoes } from './writes/echoes.js';

/** The work of one operator. */
export interface OperatorLoop {
  readonly queue: WorkQueue;
  /** Resolves when all stores that it looks at are filled, but for those of kinds that are not served. */
  readonly synced: Promise<void>;
  /** Resolves when those of one namespace are: it can work there. */
  readonly canWork: Promise<void>;
  /** Takes work until `signal` aborts; what is under way then goes on until `writes` does. */
  work(signal: AbortSignal, writes: AbortSignal): Promise<void>;
}

/** The queue of one operator, what fills it by `triggers.ts`, and the workers that empty it. `nextId` gives each round of the process an id. */
export function operatorLoop(
  operator: Operator,
  options: ControllerOptions,
  kindOf: (resource: ApiResource) => WatchedKind,
  breather: Breather,
  nextId: () => string,
): OperatorLoop {
  const { cluster, clock, random, tracing, lookout } = options;
  const log = options.log.child({ controller: operator.name });
  const custom = kindOf(operator.resource);
  const workers = options.maxConcurrentReconciles ?? operator.maxConcurrentReconciles;
  const ownerOf = (child: KubeObject) => controllerKey(child, operator.resource);
  const uidLabel = ownerLabels(operator.resource).uid;
  const customResources = new Tally(['True', 'False', 'Unknown'], readyIn);
  custom.subscribe((change) => customResources.heard(change));
  const children = new Tally(
    operator.owns.map(({ kind }) => kind),
    // Labels have those that no owner reference reaches.
    (child) => ((ownerOf(child) ?? child.metadata.labels?.[uidLabel]) === undefined ? undefined : child.kind),
  );
  for (const resource of operator.owns) kindOf(resource).subscribe((change) => children.heard(change));
  const telemetry = (options.telemetry ?? silentTelemetry).controller(operator.name, {
    kind: operator.resource.kind,
    workers,
    depth: () => queue.depth,
    customResources: () => customResources.counts,
    children: () => children.counts,
    rolloutWaiting: () => rollout?.waiting,
  });
  const queue = new WorkQueue({ clock, random, groupOf: groupOfKey, workers, telemetry });
  const inputs = new ReadInputs(operator.reads, (read) => kindOf(read.resource));
  const isAsking = operator.reach === 'consent' && options.assumeConsent !== true;
  const namespaces = isAsking ? kindOf(namespaceKind) : undefined;
  const consents = new Consents({ reach: operator.reach, isAssumed: !isAsking, namespaces });
  const controller = `${operator.resource.group}/${operator.name}`;
  const aside = new Aside({ clock, idleSince: () => queue.idleSince });
  const events = recordEvents({ cluster, clock, log, aside, controller, instance: options.instance ?? operator.name });
  const echoes = new Echoes();
  // A standby keeps no list of what it would do: when it works, it looks at everything that there is.
  const ask: WorkQueue['add'] = (key, reason, options) => {
    if (!begun.has(key)) return;
    echoes.asked(key);
    queue.add(key, reason, options);
  };
  /** Unless it shows what we wrote ourselves. */
  const hear = (key: string, object: KubeObject, reason: string, priority: Priority): void => {
    if (begun.has(key) && echoes.changed(key, object)) queue.add(key, reason, { priority });
  };
  const { settings = {}, fetch = globalThis.fetch, leadership, driftMode, limit, rolloutLimit } = options;
  const called = { operator, cluster, clock, random, settings, fetch, leadership, tracing };
  const externals = new Externals({ ...called, lookout, again: ask });
  const occasions = new Occasions({ operator, custom, inputs, consents, queue });
  const stored = (child: Manifest): KubeObject | undefined => {
    const resource = kindAmong(operator.owns, child);
    return resource && kindOf(resource).get(child.metadata.namespace, child.metadata.name);
  };
  const turn = new AuthorTurn({ breather, clock, log, tracing });
  const authorCode = new AuthorCode({ operator, limit, turn, clock, again: ask, occasions, stored });
  const rollout =
    rolloutLimit === undefined ? undefined : new Rollout({ most: rolloutLimit, manager: operator.name, again: ask });
  const limits = new RoundLimits(cluster, clock, options.roundSeconds);
  const reconciler = new Reconciler({
    operator,
    externals,
    echoes,
    cluster: limits.cluster,
    limits,
    custom,
    kindOf,
    inputs,
    consents,
    occasions,
    clock,
    log,
    events,
    telemetry,
    tracing,
    driftMode,
    authorCode,
    rollout,
  });

  const askAll = (reason: string): void => {
    for (const key of begun.keys()) ask(key, reason, { priority: priorities.resync });
  };
  const looksAt = connectTriggers({
    operator,
    custom,
    kindOf,
    namespaces,
    reconciler,
    echoes,
    inputs,
    consents,
    authorCode,
    ownerOf,
    ask,
    hear,
    askAll,
    underWay: () => queue.underWay,
    forget: (key) => queue.forget(key),
  });
  const begun = new BegunNamespaces({
    custom,
    looksAt,
    filled(namespace) {
      const kinds = looksAt.filter(({ isServed }) => isServed).map(({ resource }) => groupKindOf(resource));
      log.info('Stores are filled', { kinds, namespace });
    },
    // What changes from now on goes before.
    begin: (key) => ask(key, 'the controller begins', { priority: priorities.resync }),
    aside,
  });
  // What a burst of work has left at hand; while there is work, it may be needed at once.
  const atRest = new Aside({ clock, idleSince: () => queue.idleSince, longestMilliseconds: Infinity });
  let isTidying = false;
  const tidyUp = async (): Promise<void> => {
    isTidying = false;
    for (const kind of looksAt) kind.tidy();
  };
  const worker = async (signal: AbortSignal, writes: AbortSignal): Promise<void> => {
    for (;;) {
      const work = await queue.take(signal).catch(() => undefined);
      if (!work) return;
      const { key } = work;
      if (!echoes.take(key)) {
        queue.done(key);
        continue;
      }
      const id = nextId();
      const round = telemetry.reconciling();
      let isNews = true;
      try {
        const outcome = await reconciler.reconcile({ key, reasons: work.reasons.words, id }, writes);
        round.ended(outcome);
        // Before a reason is added that no answer can explain.
        isNews = echoes.hasNews(key);
        afterRound(work, outcome, { queue, echoes });
      } catch (error) {
        round.ended('thrown');
        echoes.asked(key);
        // A mistake of ours must cost one custom resource a round, and nobody anything else.
        if (!writes.aborted) {
          const [namespace, name] = splitKey(key);
          log.error('Failed to reconcile', { namespace, name, reconcileID: id, error });
          queue.retry(key, 'an unexpected error', work);
        }
      } finally {
        queue.done(key, isNews);
      }
      if (!isTidying && looksAt.some(({ isUntidy }) => isUntidy)) isTidying = atRest.add(tidyUp);
      const others = breather.turn();
      if (others !== undefined) await others;
    }
  };
  return {
    queue,
    synced: begun.all,
    canWork: begun.any,
    work: async (signal, writes) => {
      const { resyncSeconds: seconds } = options;
      begun.work();
      if (seconds !== undefined) resync({ seconds, clock, random, look: () => askAll('resync') }, signal);
      await Promise.all(Array.from({ length: workers }, () => worker(signal, writes)));
      await aside.flush(writes);
      // Leaves no timer behind.
      await atRest.flush(writes);
    },
  };
}
