import type { Operator } from '../compose/operator.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import type { AuthorCode } from './author/author-code.js';
import type { Consents } from './author/consents.js';
import type { ReadInputs } from './author/read-inputs.js';
import type { WatchedKind } from './informer/watched-kind.js';
import { priorityOf } from './queue/priority-of.js';
import { queueKey } from './queue/queue-key.js';
import { type Priority, priorities } from './queue/ready-keys.js';
import type { WorkQueue } from './queue/work-queue.js';
import type { Reconciler } from './reconciler.js';
import type { Echoes } from './writes/echoes.js';
import { untilAllHaveHeard } from './writes/refusal-wait.js';

export interface TriggersOptions {
  readonly operator: Operator;
  readonly custom: WatchedKind;
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  /** Where they are asked for their consent. */
  readonly namespaces: WatchedKind | undefined;
  readonly reconciler: Reconciler;
  readonly echoes: Echoes;
  readonly inputs: ReadInputs;
  readonly consents: Consents;
  readonly authorCode: AuthorCode;
  /** The key of the custom resource that controls a child. */
  readonly ownerOf: (child: KubeObject) => string | undefined;
  readonly ask: WorkQueue['add'];
  /** Asks for a round, unless `object` shows what we wrote ourselves. */
  readonly hear: (key: string, object: KubeObject, reason: string, priority: Priority) => void;
  /** Asks for all custom resources. */
  readonly askAll: (reason: string) => void;
  /** The keys of which a round is under way. */
  readonly underWay: () => readonly string[];
  /** What was to be done for a custom resource is not to be done for the next of its name. */
  readonly forget: (key: string) => void;
}

/**
 * Has a round asked for whenever something may be otherwise for a custom resource: itself, a child, an input, a namespace, or
 * what the API server serves. Returns all kinds that are looked at for that.
 */
export function connectTriggers(options: TriggersOptions): readonly WatchedKind[] {
  const { operator, custom, kindOf, namespaces } = options;
  const reads = Object.values(operator.reads).map((read) => kindOf(read.resource));
  const looksAt = new Set([custom, ...operator.owns.map(kindOf), ...reads, ...(namespaces ? [namespaces] : [])]);
  byItself(options);
  byChildren(options);
  byInputs(options, new Set(reads));
  byConsent(options);
  byDefinitions(options, looksAt);
  return [...looksAt];
}

function byItself({ operator, custom, reconciler, ask, hear, forget }: TriggersOptions): void {
  custom.subscribe((change) => {
    const { namespace, name } = change.object.metadata;
    const key = queueKey(namespace, name);
    const reason = `${operator.resource.kind} ${change.type}`;
    // Another of its name begins anew, though no round has seen that this one went.
    if (change.type === 'deleted') {
      forget(key);
      reconciler.went(key);
      ask(key, reason, { priority: priorityOf(change) });
    } else hear(key, change.object, reason, priorityOf(change));
    // What it has goes with it, or is nobody's from now on, and may be adopted; and of one that was not known yet it was not
    // known that it stays.
    const isNews = change.type !== 'updated' || isEnding(change.object) !== isEnding(change.before);
    if (isNews) for (const rival of reconciler.waitingFor(change.object)) ask(rival, reason);
  });
}

const isEnding = ({ metadata }: KubeObject) => metadata.deletionTimestamp !== undefined;

function byChildren({ operator, kindOf, reconciler, echoes, ownerOf, ask, hear, underWay }: TriggersOptions): void {
  for (const resource of operator.owns) {
    kindOf(resource).onRelisted(() => {
      for (const key of echoes.unheard()) ask(key, `${resource.kind} listed anew`);
      // What a round has made may have gone again before the list, and the answer that tells of it is still to come.
      for (const key of underWay()) ask(key, `${resource.kind} listed anew`);
    });
    kindOf(resource).subscribe((change) => {
      const reason = `${resource.kind}/${change.object.metadata.name} ${change.type}`;
      const owner = ownerOf(change.object);
      const before = change.type === 'updated' ? ownerOf(change.before) : undefined;
      if (owner !== undefined && change.type === 'deleted') ask(owner, reason);
      else if (owner !== undefined) hear(owner, change.object, reason, priorities.related);
      if (before !== undefined && before !== owner) ask(before, reason);
      for (const key of reconciler.concernedBy(change.object)) {
        if (change.type === 'deleted') ask(key, reason);
        else if (key !== owner) hear(key, change.object, reason, priorities.related);
      }
      for (const key of reconciler.waitingFor(change.object)) ask(key, reason);
    });
  }
}

function byInputs({ inputs, authorCode, ask }: TriggersOptions, reads: ReadonlySet<WatchedKind>): void {
  for (const kind of reads) {
    kind.subscribe((change) => {
      for (const key of inputs.readersOf(change)) {
        authorCode.changed(key);
        ask(key, `input ${kind.resource.kind}/${change.object.metadata.name} ${change.type}`);
      }
    });
  }
}

function byConsent({ namespaces, consents, authorCode, ask }: TriggersOptions): void {
  namespaces?.subscribe(({ type, object }) => {
    const { name } = object.metadata;
    for (const key of consents.askersOf(name)) {
      // It may see an input now that it did not.
      authorCode.changed(key);
      ask(key, `Namespace/${name} ${type}`);
    }
  });
}

function byDefinitions({ reconciler, ask, askAll }: TriggersOptions, looksAt: ReadonlySet<WatchedKind>): void {
  for (const kind of looksAt) {
    kind.subscribeServed(() => askAll(`${kind.resource.kind} is ${kind.isServed ? 'served' : 'not served any more'}`));
    kind.onEndedEarly(() => {
      for (const key of reconciler.acceptable(kind.resource)) {
        ask(key, 'a new definition');
        // Another API server than the one that ended the watch may not have heard of it yet.
        ask(key, 'a new definition', { afterMilliseconds: untilAllHaveHeard });
      }
    });
  }
}
