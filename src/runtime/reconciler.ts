import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import { DriftPolicy } from '../drift/drift-policy.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import type { DriftMode } from '../kube/drift-mode.js';
import { OperatorError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import type { AuthorCode } from './author/author-code.js';
import type { Consents } from './author/consents.js';
import type { Occasions } from './author/occasions.js';
import type { ReadInputs } from './author/read-inputs.js';
import { UnsteadyCode } from './author/unsteady-code.js';
import { FarChildren } from './children/far-children.js';
import { Conclusions } from './conclusions.js';
import { Discretion } from './discretion.js';
import { Ending } from './ending.js';
import type { Externals } from './external/externals.js';
import { Fulfilment } from './fulfilment.js';
import { OptionalKinds } from './informer/optional-kinds.js';
import type { WatchedKind } from './informer/watched-kind.js';
import type { Outcome } from './outcome.js';
import { Patience } from './patience.js';
import { type Desired, Planner, type Undesired } from './planner.js';
import { splitKey } from './queue/queue-key.js';
import type { Rollout } from './rollout.js';
import type { Round } from './round.js';
import type { RoundLimit, RoundLimits } from './round-limits.js';
import { neededKinds, notServed } from './status/needed-kinds.js';
import type { Failed, Verdict } from './status/status.js';
import { isSuspended } from './status/suspension.js';
import type { Events } from './telemetry/events.js';
import type { Log } from './telemetry/log.js';
import type { ControllerTelemetry } from './telemetry/telemetry.js';
import type { Tracing } from './telemetry/tracing.js';
import type { Echoes } from './writes/echoes.js';
import { hasFinalizer, isForced } from './writes/finalizer.js';
import { LateWatches } from './writes/late-watches.js';
import { OwnWrites } from './writes/own-writes.js';

/** One round for one custom resource. `id` is on every line of the log that it writes. */
export interface Run {
  readonly key: string;
  readonly reasons: readonly string[];
  readonly id: string;
}

export interface ReconcilerOptions {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly custom: WatchedKind;
  /** The watched kind of a child. */
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  readonly inputs: ReadInputs;
  readonly consents: Consents;
  readonly occasions: Occasions;
  readonly echoes: Echoes;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
  readonly tracing?: Tracing | undefined;
  /** In place of the operator's own mode. */
  readonly driftMode?: DriftMode | undefined;
  readonly authorCode: AuthorCode;
  readonly externals: Externals;
  readonly limits: RoundLimits;
  /** Absent: whatever this version composes otherwise is changed at once. */
  readonly rollout?: Rollout | undefined;
}

/** While our own writes have not come back there is nothing to decide on; the event itself asks again. */
const behind = { type: 'behind', againAfterMilliseconds: 1000, because: 'own writes were not seen yet' } as const;
const stillBehind: Outcome = { ...behind, againAfterMilliseconds: 10_000, failure: 'transient' };

/**
 * Brings the children of one custom resource to what is desired, and its status to what is observed.
 *
 * **Guarantees.** Level-triggered: it reads the stores, whatever the reasons. It never acts on stores older than its own
 * writes. Nothing is written that is not needed. Nothing is pruned unless all else succeeded. What an author's code
 * throws marks the custom resource and nothing else.
 *
 * **Assumes** that it runs for one key at a time.
 */
export class Reconciler {
  readonly #writes: OwnWrites;
  readonly #policy: DriftPolicy;
  readonly #needed: readonly ApiResource[];
  readonly #far: FarChildren;
  readonly #planner: Planner;
  readonly #fulfilment: Fulfilment;
  readonly #ending: Ending;
  readonly #conclusions: Conclusions;
  readonly #late = new LateWatches();
  /** The keys of which a round is under way; true where the custom resource went meanwhile. */
  readonly #underWay = new Map<string, boolean>();

  constructor(private readonly options: ReconcilerOptions) {
    const { operator, kindOf, driftMode } = options;
    this.#needed = neededKinds(operator);
    const policy = DriftPolicy.of({ ...operator.drift, mode: driftMode ?? operator.drift.mode });
    const optional = new OptionalKinds(operator.owns, kindOf);
    const writes = new OwnWrites(operator.name);
    const far = new FarChildren({ ...options, writes });
    const unsteady = new UnsteadyCode(operator.name);
    const conclusions = new Conclusions({ ...options, writes, optional });
    const planner = new Planner({ ...options, policy, unsteady, optional, far, writes, conclusions });
    this.#policy = policy;
    this.#writes = writes;
    this.#far = far;
    this.#planner = planner;
    this.#fulfilment = new Fulfilment({ ...options, policy, far, writes, planner, unsteady, conclusions });
    this.#ending = new Ending({ ...options, far, planner });
    this.#conclusions = conclusions;
  }

  /** The custom resources that an object concerns without an owner reference to them. */
  concernedBy(object: KubeObject): readonly string[] {
    return this.#far.concernedBy(object);
  }

  /** The custom resources that waited for this object to go, or for what it has. */
  waitingFor(object: KubeObject): readonly string[] {
    return this.#fulfilment.waitingFor(object);
  }

  /** The custom resources of which something was refused that the API server may take now, since `resource` may be defined otherwise. */
  acceptable(resource: ApiResource): readonly string[] {
    const statuses = resource === this.options.custom.resource ? this.#conclusions.acceptable() : [];
    return [...statuses, ...this.#fulfilment.acceptable(groupKindOf(resource))];
  }

  /** Another of its name begins anew, though no round has seen that this one went. */
  went(key: string): void {
    this.#conclusions.went(key);
    // What a round that is under way has yet to learn is of this one, too.
    if (this.#underWay.has(key)) this.#underWay.set(key, true);
    else this.#forgetWhatWas(key);
  }

  reconcile(run: Run, signal: AbortSignal): Promise<Outcome> {
    const { tracing, operator } = this.options;
    if (!tracing) return this.#limited(run, signal);
    const [namespace, name] = splitKey(run.key);
    const round = { ...run, operator: operator.name, kind: operator.resource.kind, namespace, name };
    return tracing.round(round, () => this.#limited(run, signal));
  }

  async #limited(run: Run, signal: AbortSignal): Promise<Outcome> {
    const limit = this.options.limits.begin(signal);
    const patience = new Patience(this.options.clock);
    this.#underWay.set(run.key, false);
    try {
      return patience.before(await this.#round(run, limit, signal, patience));
    } finally {
      limit.end();
      const hasGone = this.#underWay.get(run.key) === true;
      this.#underWay.delete(run.key);
      if (hasGone) this.#forgetWhatWas(run.key);
    }
  }

  /** `limit` is for what another round can do as well; `signal` for what has limits of its own, and for the end. */
  async #round(run: Run, limit: RoundLimit, signal: AbortSignal, patience: Patience): Promise<Outcome> {
    const { key, id } = run;
    const { signal: limited, apart } = limit;
    const { custom, authorCode, clock, rollout, tracing } = this.options;
    const began = clock.monotonic();
    while (authorCode.rest !== undefined) await authorCode.rest;
    const [namespace, name] = splitKey(key);
    const cr = custom.get(namespace, name);
    if (!cr || (cr.metadata.deletionTimestamp !== undefined && !hasFinalizer(cr))) {
      // The garbage collector deletes the children, of which the custom resource is the owner; others are gone by now.
      return this.#gone(key);
    }
    // Nothing can be said on it, and whether it is wanted is not known: all are looked at anew when their kind is back.
    if (!custom.isServed) return { type: 'done' };
    const unseen = this.#writes.unseen(key);
    const late = unseen && this.#late.waited(key, unseen, clock.monotonic());
    // From here on: it may come back while the status is written that tells of it.
    if (unseen) this.options.echoes.awaits(key);
    else this.#late.over(key);
    // Of its own kind no status could be written either: that has to be of the version that the server has.
    if (unseen && (!late || unseen.kind === custom)) return behind;
    const log = this.options.log.child({ namespace, name, reconcileID: id, ...tracing?.ids() });
    const discretion = new Discretion(cr, this.#policy, this.options.operator);
    const round: Round = { key, log, discretion, signal, patience };
    const conclude = (verdict: Verdict) => this.#conclusions.conclude(round, cr, verdict, undefined);
    const isGoing = cr.metadata.deletionTimestamp !== undefined;
    if (isGoing || isSuspended(cr)) rollout?.settled(key);
    if (isGoing && (!late || isForced(cr))) {
      const verdict = await this.#ending.end(round, cr, run.reasons);
      return verdict ? conclude(verdict) : this.#gone(key);
    }
    if (!isGoing && isSuspended(cr)) return conclude({ type: 'suspended' });
    if (late) {
      const failed: Failed = { type: 'failed', error: discretion.error(late), step: isGoing ? 'prune' : 'apply' };
      return this.#conclusions.conclude(round, cr, failed, undefined, () => stillBehind);
    }
    // An API server that is only starting answers 503: a kind that is not known to it is one that somebody took away.
    const absent = this.#needed.filter((resource) => !this.options.kindOf(resource).isServed);
    const desired: Verdict | Desired | Undesired =
      absent.length > 0
        ? { type: 'applied', children: [], unmet: notServed(absent) }
        : this.#planner.desired(round, cr);
    if ('composed' in desired) {
      try {
        return await this.#fulfilment.fulfil({ ...desired, round, reasons: run.reasons, cr, began, limited, apart });
      } catch (thrown) {
        // A mistake of ours. Whoever looks at the custom resource must not go on reading that all is well.
        const error = discretion.error(thrown);
        if (!signal.aborted) await conclude({ type: 'failed', error: unexpected(cr, error), step: 'apply' });
        throw error;
      }
    }
    rollout?.leavesLine(key);
    return conclude('occasion' in desired ? await this.#planner.confirmed(desired, round, cr, limited) : desired);
  }

  #gone(key: string): Outcome {
    this.#forget(key);
    return { type: 'gone' };
  }

  #forget(key: string): void {
    this.#forgetWhatWas(key);
    this.#writes.forget(key);
    this.#late.over(key);
    this.options.echoes.forget(key);
    this.options.inputs.forget(key);
    this.options.consents.forget(key);
    this.#far.forget(key);
  }

  /** What was told, tried and waited for. What may yet come in of its writes holds of whoever has its name. */
  #forgetWhatWas(key: string): void {
    this.#conclusions.forget(key);
    this.#fulfilment.forget(key);
    this.options.authorCode.forget(key);
    this.options.externals.forget(key);
    this.options.rollout?.forget(key);
  }
}

function unexpected(cr: KubeObject, { message }: Error): OperatorError {
  return new OperatorError(`bringing the children of ${show(refOf(cr))} up to date failed unexpectedly: ${message}`, {
    hint: 'report this, with the lines of the log that have an error of it',
  });
}
