import { NotFoundError, RetryAfterError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Composition } from '../compose/composition.js';
import type { Operator } from '../compose/operator.js';
import type { Inputs } from '../compose/reads.js';
import { customResourceMode } from '../drift/custom-resource-mode.js';
import { DriftPolicy } from '../drift/drift-policy.js';
import { plan, refOfStep, type Step } from '../drift/plan.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import type { DriftMode } from '../kube/drift-mode.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import type { AuthorCode } from './author-code.js';
import type { Echoes } from './echoes.js';
import type { Events } from './events.js';
import { type Executed, execute, RefusedError } from './execute.js';
import type { Log } from './log.js';
import { newestChildren } from './newest-children.js';
import { OptionalKinds } from './optional-kinds.js';
import { againAt, decisive, isStale, type Outcome, outcomeOf, waitFor } from './outcome.js';
import { OwnWrites } from './own-writes.js';
import { splitKey } from './queue-key.js';
import type { ReadInputs } from './read-inputs.js';
import { Refusals } from './refusals.js';
import { reportChanges } from './report-changes.js';
import { isSameButForStatus } from './same-but-for-status.js';
import { conditionsIn, conditionsOf, messageOf, statusToApply, type Verdict } from './status.js';
import { isSuspended } from './suspension.js';
import type { ControllerTelemetry } from './telemetry.js';
import { ToldErrors } from './told-errors.js';
import type { WatchedKind } from './watched-kind.js';

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
  readonly echoes: Echoes;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
  /** In place of the operator's own mode. */
  readonly driftMode?: DriftMode | undefined;
  readonly authorCode: AuthorCode;
}

/** While our own writes have not come back there is nothing to decide on; the event itself asks again. */
const staleMilliseconds = 1000;

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
  readonly #refusals = new Refusals();
  readonly #told = new ToldErrors();
  readonly #policy: DriftPolicy;
  readonly #optional: OptionalKinds;

  constructor(private readonly options: ReconcilerOptions) {
    this.#writes = new OwnWrites(options.operator.name);
    this.#optional = new OptionalKinds(options.operator.owns, options.kindOf);
    const { drift } = options.operator;
    this.#policy = DriftPolicy.of({ ...drift, mode: options.driftMode ?? drift.mode });
  }

  /** The custom resources that wait until the object goes which now went. */
  waitingFor(object: KubeObject): readonly string[] {
    return this.#refusals.of(keyOf(refOf(object)));
  }

  async reconcile({ key, reasons, id }: Run, signal: AbortSignal): Promise<Outcome> {
    const { operator, custom, inputs, authorCode } = this.options;
    const [namespace, name] = splitKey(key);
    const cr = custom.get(namespace, name);
    if (!cr || cr.metadata.deletionTimestamp !== undefined) {
      // The garbage collector deletes the children, of which the custom resource is the owner.
      this.#forget(key);
      return { type: 'gone' };
    }
    if (!this.#writes.areSeen(key)) {
      return { type: 'done', againAfterMilliseconds: staleMilliseconds, because: 'own writes were not seen yet' };
    }
    const log = this.options.log.child({ namespace, name, reconcileID: id });
    if (isSuspended(cr)) return this.#conclude(key, cr, { type: 'suspended' }, undefined, log, signal);
    const refused = (thrown: unknown) =>
      this.#conclude(key, cr, { type: 'failed', error: asError(thrown), step: 'compose' }, undefined, log, signal);

    let read: Inputs;
    let composed: Composition;
    let policy: DriftPolicy;
    const mode = { until: undefined as number | undefined };
    try {
      const asked = customResourceMode(cr, this.options.clock.now());
      policy = this.#policy.withFallback(asked?.mode);
      mode.until = asked?.until;
      read = inputs.of(key, cr);
      composed = this.#optional.without(authorCode.run('compose', key, cr, () => operator.composition(cr, read)));
    } catch (error) {
      return refused(error);
    }

    const executed = await this.#carryOut(key, this.#plan(key, cr, composed.children, policy), signal);
    const changes = executed.map(({ entry }) => entry);
    reportChanges(changes, { reasons, cr, log, events: this.options.events, telemetry: this.options.telemetry });
    const failure = decisive(executed.flatMap(({ error }) => error ?? []));

    const stored = (manifest: Manifest) =>
      this.options.kindOf(this.#resourceOf(manifest)).get(manifest.metadata.namespace, manifest.metadata.name);
    const children = newestChildren(composed.children, executed, stored);
    let author: Readonly<Record<string, unknown>> | undefined;
    try {
      const returned = Object.entries(composed.returned).map(([id, ref]) => [id, children.get(keyOf(ref))] as const);
      const observed = Object.fromEntries(returned);
      author = authorCode.run('status', key, cr, () => operator.status(observed, read, cr));
    } catch (error) {
      return refused(error);
    }
    const verdict: Verdict = failure
      ? { type: 'failed', error: failure, step: 'apply' }
      : { type: 'applied', children: [...children.values()], drifted: changes };
    const outcome = await this.#conclude(key, cr, verdict, author, log, signal);
    return againAt(outcome, mode.until, this.options.clock.now());
  }

  #plan(key: string, cr: KubeObject, desired: readonly Manifest[], policy: DriftPolicy): Step[] {
    const { operator, kindOf } = this.options;
    const controlled = this.#optional.served.flatMap((resource) => kindOf(resource).controlledBy(cr.metadata.uid));
    const observe = (manifest: Manifest) =>
      kindOf(this.#resourceOf(manifest)).get(manifest.metadata.namespace, manifest.metadata.name);
    // Of one whose owner reference was removed it is remembered whose it is.
    const known = [...controlled, ...desired.flatMap((manifest) => observe(manifest) ?? [])];
    this.#writes.keepOnly(key, new Set(known.map(({ metadata }) => metadata.uid)));
    return plan({
      owner: cr.metadata,
      manager: operator.name,
      desired,
      observe,
      controlled: controlled.filter((child) => !this.#writes.isPruned(key, child)),
      remembered: this.#writes.children(key),
      policy,
    });
  }

  /** Carries out the steps in order. Prunes, which come last, only when nothing before them failed. */
  async #carryOut(key: string, steps: readonly Step[], signal: AbortSignal): Promise<Executed[]> {
    const { operator, cluster, kindOf } = this.options;
    const results: Executed[] = [];
    this.#refusals.clear(key);
    for (const step of steps) {
      const ref = refOfStep(step);
      if (step.type === 'prune' && results.some(({ error }) => error !== undefined)) {
        results.push({ entry: { ref, action: 'skipped', because: 'it is pruned when all children are applied' } });
        continue;
      }
      if (step.type === 'apply' && step.drift.length > 0) this.options.telemetry.drifted(ref.kind);
      const resource = this.#resourceOf(ref);
      const result = await execute(step, { cluster, manager: operator.name, resource, signal });
      results.push(result);
      if (result.object) {
        this.#writes.wrote(key, kindOf(resource), result.object);
        // In the answer to an apply somebody else's change may be hidden.
        if (step.type === 'create') this.options.echoes.answered(key, result.object);
        if ('manifest' in step) this.#writes.knows(key, step.manifest, result.object);
      } else if (step.type === 'keep') this.#writes.found(key, step.manifest, step.observed);
      else if (step.type === 'prune' && !result.error) this.#writes.pruned(key, step.observed);
      if (result.error instanceof RefusedError) this.#refusals.add(key, keyOf(ref));
    }
    return results;
  }

  /** Writes the status, if it says something new, and decides what comes next. */
  async #conclude(
    key: string,
    cr: KubeObject,
    verdict: Verdict,
    author: Readonly<Record<string, unknown>> | undefined,
    log: Log,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { operator, cluster, custom, clock, events } = this.options;
    if (verdict.type === 'failed' && isStale(verdict.error)) return outcomeOf(verdict, undefined);
    const { generation = 0 } = cr.metadata;
    const optional = verdict.type === 'suspended' ? [] : this.#optional.claims(generation);
    const claims = [...conditionsOf(verdict, generation, conditionsIn(cr)), ...optional];
    const now = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    const status = statusToApply(cr, operator.name, author, claims, now, verdict.type !== 'suspended');
    if (status) {
      try {
        const stored = await cluster.apply(operator.resource, status, {
          fieldManager: operator.name,
          force: true,
          subresource: 'status',
          signal,
        });
        this.#writes.wrote(key, custom, stored);
        if (isSameButForStatus(cr, stored)) this.options.echoes.answered(key, stored);
      } catch (error) {
        if (error instanceof NotFoundError) return { type: 'gone' };
        log.error('Failed to write the status', { error: messageOf(asError(error)) });
        const first = decisive([asError(error), ...(verdict.type === 'failed' ? [verdict.error] : [])]);
        if (first instanceof RetryAfterError) return waitFor(first);
        return { type: 'retry', because: 'the status could not be written', failure: 'transient' };
      }
    }
    if (verdict.type === 'failed') {
      const message = messageOf(verdict.error);
      this.options.telemetry.failed(claims[0]?.reason ?? 'Failed');
      if (this.#told.isNews(key, message)) log.error('Failed to reconcile', { error: message });
      else log.debug('Failed to reconcile again', { error: message });
      if (status) events.warn(cr, claims[0]?.reason ?? 'Failed', message);
    } else this.#told.forget(key);
    return outcomeOf(verdict, operator.requeueAfterSeconds);
  }

  #resourceOf(child: { readonly apiVersion: string; readonly kind: string }): ApiResource {
    const resource = this.options.operator.owns.find((owned) => groupKindOf(owned) === groupKindOf(child));
    if (!resource) throw new Error(`${child.kind} is composed and not owned`);
    return resource;
  }

  #forget(key: string): void {
    this.#writes.forget(key);
    this.options.echoes.forget(key);
    this.#refusals.clear(key);
    this.#told.forget(key);
    this.options.inputs.forget(key);
    this.options.authorCode.forget(key);
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
