import { KindNotServedError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Composition } from '../compose/composition.js';
import type { Operator } from '../compose/operator.js';
import { customResourceMode } from '../drift/custom-resource-mode.js';
import type { DriftPolicy } from '../drift/drift-policy.js';
import { hashOf } from '../drift/hash.js';
import { inventoryOf } from '../drift/inventory.js';
import { plan, type Step } from '../drift/plan.js';
import { type ApiResource, type KindName, kindAmong } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import type { AuthorCode } from './author/author-code.js';
import type { Occasion, Occasions } from './author/occasions.js';
import { type ListLive, versionsIn } from './author/selection.js';
import { TimeLimitError } from './author/time-limit.js';
import type { UnsteadyCode } from './author/unsteady-code.js';
import { type FarChildren, ownerOf } from './children/far-children.js';
import { withRivals } from './children/rival.js';
import type { Conclusions } from './conclusions.js';
import { confirming, type InputsNow, vouchedInputs } from './confirmation.js';
import type { Discretion } from './discretion.js';
import type { OptionalKinds } from './informer/optional-kinds.js';
import type { WatchedKind } from './informer/watched-kind.js';
import type { Round } from './round.js';
import type { Failed } from './status/status.js';
import { refuseUnknownSuspension } from './status/suspension.js';
import { bondOf } from './writes/bond-of.js';
import type { OwnWrites } from './writes/own-writes.js';

export interface PlannerOptions {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly custom: WatchedKind;
  /** The watched kind of a child. */
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  readonly clock: Clock;
  /** What becomes of what differs, where a custom resource says nothing else. */
  readonly policy: DriftPolicy;
  readonly occasions: Occasions;
  readonly authorCode: AuthorCode;
  readonly unsteady: UnsteadyCode;
  readonly optional: OptionalKinds;
  readonly far: FarChildren;
  readonly writes: OwnWrites;
  readonly conclusions: Pick<Conclusions, 'unsaid'>;
}

/** What an author's code made of a custom resource, and what becomes of what differs. */
export interface Desired {
  readonly occasion: Occasion;
  readonly composed: Composition;
  /** With the children of kinds that an operator can do without, and that are not served. */
  readonly given: Composition;
  readonly policy: DriftPolicy;
  /** When its mode ends, in milliseconds of the wall clock. */
  readonly modeUntil: number | undefined;
}

/** Why that cannot be told; with the occasion of which an author's code made nothing. */
export interface Undesired extends Failed {
  readonly occasion: Occasion | undefined;
}

/** What is desired by the inputs that the API server has. */
interface DesiredNow {
  /** By their keys. */
  readonly children: ReadonlyMap<string, Manifest>;
  /** True where the inputs are those that were seen in the round. */
  readonly isSeen: boolean;
}

/** What is to be done about the children of custom resources, by an author's code and what the stores have. Writes nothing. */
export class Planner {
  /** The uids of all custom resources, where adoption depends on them. */
  readonly #alive = new Set<string>();

  constructor(private readonly options: PlannerOptions) {
    options.occasions.whenReselected((key) => options.writes.doubtInputs(key));
    if (options.operator.adopt === 'never') return;
    options.custom.subscribe(({ type, object: { metadata } }) =>
      type === 'deleted' ? this.#alive.delete(metadata.uid) : this.#alive.add(metadata.uid),
    );
  }

  /** The kind of a child among those that the operator owns. */
  resourceOf(child: KindName): ApiResource {
    const resource = kindAmong(this.options.operator.owns, child);
    if (!resource) throw new Error(`${child.kind} is composed and not owned`);
    return resource;
  }

  /** What `cr` desires, or why that cannot be told: what an author's code throws is its own. */
  desired({ key, discretion }: Pick<Round, 'key' | 'discretion'>, cr: KubeObject): Desired | Undesired {
    const { authorCode, clock } = this.options;
    let occasion: Occasion | undefined;
    try {
      // One that cannot be read must not be taken for an empty one.
      inventoryOf(cr);
      refuseUnknownSuspension(cr);
      const asked = customResourceMode(cr, clock.now());
      const policy = this.options.policy.withFallback(asked?.mode);
      occasion = authorCode.occasion(key, cr);
      discretion.saw(Object.values(occasion.inputs).flat());
      const given = this.#compose(occasion);
      const composed = this.options.optional.without(given);
      discretion.saw(composed.children);
      return { occasion, given, composed, policy, modeUntil: asked?.until };
    } catch (thrown) {
      const note = occasion?.unmet?.message;
      return { type: 'failed', error: discretion.error(thrown), step: 'compose', note, occasion };
    }
  }

  /** What is to be said of it, or why it is not to be said yet: whoever led before may have had newer inputs, and said more. */
  async confirmed(
    undesired: Undesired,
    { key, discretion }: Round,
    cr: KubeObject,
    signal: AbortSignal,
  ): Promise<Failed> {
    const { operator, writes, conclusions } = this.options;
    const { occasion, ...failed } = undesired;
    // That code does not end has to be known at the next start.
    if (!occasion || failed.error instanceof TimeLimitError || !conclusions.unsaid(cr, failed)) return failed;
    const witnesses = { ...this.options, resource: operator.resource };
    const inputsNow = this.inputsNow(occasion, discretion, []);
    try {
      await vouchedInputs(key, writes, confirming({ ...witnesses, inputsNow }, signal)(cr));
      return failed;
    } catch (thrown) {
      // Nor is it known which input lacks.
      return { type: 'failed', error: discretion.error(thrown), step: 'apply' };
    }
  }

  /** The child as its store has it. */
  stored(manifest: Manifest): KubeObject | undefined {
    const { namespace, name } = manifest.metadata;
    return this.options.kindOf(this.resourceOf(manifest)).get(namespace, name);
  }

  plan(key: string, cr: KubeObject, desired: readonly Manifest[], policy: DriftPolicy): Step[] {
    const { operator, custom, kindOf, optional, far, writes } = this.options;
    const { uid, namespace } = cr.metadata;
    const near = optional.served.flatMap((resource) => kindOf(resource).controlledBy(uid, namespace));
    const controlled = [
      ...near,
      ...far.of(key, cr).filter(({ metadata }) => !near.some((child) => child.metadata.uid === metadata.uid)),
    ];
    // Of one whose owner reference was removed it is remembered whose it is.
    const known = [...controlled, ...desired.flatMap((manifest) => this.stored(manifest) ?? [])];
    writes.keepOnly(key, new Set(known.map(({ metadata }) => metadata.uid)));
    const steps = plan({
      owner: ownerOf(cr),
      manager: operator.name,
      desired,
      observe: (manifest) => this.stored(manifest),
      controlled: controlled.filter((child) => !writes.isPruned(key, child)),
      remembered: writes.children(key),
      policy,
      adoption: { mode: operator.adopt, isAlive: (uid) => this.#alive.has(uid) },
      removal: operator.removalOf?.(cr),
      bond: () => bondOf(operator, cr),
      formerly: operator.formerly,
    });
    return withRivals(steps, custom);
  }

  /**
   * What the API server says of what is read for `occasion`, of which `children` were composed. What is desired by that is
   * composed once, and again when the inputs have changed since. No keys where nothing is read: the plan has them then.
   */
  inputsNow(occasion: Occasion, discretion: Discretion, children: readonly Manifest[]): InputsNow {
    const { occasions } = this.options;
    const { key } = occasion;
    const asked = occasions.asked(key);
    let last: { readonly inputs: string; readonly now: DesiredNow } | undefined;
    const ask = async (signal: AbortSignal): Promise<DesiredNow> => {
      if (!this.#isReading) return { children: new Map(), isSeen: true };
      // Looked at before: what changes while it is asked is later than the answer.
      const inputs = occasions.mark(key);
      if (last?.inputs !== inputs) last = { inputs, now: await this.#askDesired(occasion, discretion, signal) };
      return last.now;
    };
    return {
      desired: async (signal) => new Set((await ask(signal)).children.keys()),
      isDesired: async (ref, signal) => {
        const { children: desired, isSeen } = await ask(signal);
        // Some code composes the same otherwise each time.
        if (isSeen) return true;
        const now = desired.get(keyOf(ref));
        const composed = children.find((child) => keyOf(refOf(child)) === keyOf(ref));
        return now !== undefined && composed !== undefined && hashOf(now) === hashOf(composed);
      },
      areVouched: (signal) => occasions.isVouched(occasion, asked, this.#list(signal)),
    };
  }

  /**
   * `occasion` with its inputs as the API server has them. Of a kind that it does not serve nobody can say more than the store.
   */
  async live(occasion: Occasion, signal: AbortSignal): Promise<Occasion> {
    if (!this.#isReading) return occasion;
    const list = this.#list(signal, () => true);
    return this.options.occasions.live(occasion.key, occasion.cr, list);
  }

  get #isReading(): boolean {
    return Object.keys(this.options.operator.reads).length > 0;
  }

  /** Asks the API server, or the store where a kind that `mayBeAbsent` is not served: nobody has more to say of it. */
  #list(signal: AbortSignal, mayBeAbsent = (kind: ApiResource) => this.options.optional.isAbsent(kind)): ListLive {
    const { cluster, kindOf } = this.options;
    return async (resource, selection) => {
      const kind = kindOf(resource);
      return kind.live(cluster, selection, signal).catch((error: unknown) => {
        if (error instanceof KindNotServedError && mayBeAbsent(resource))
          return { items: kind.list(), resourceVersion: '' };
        throw error;
      });
    };
  }

  async #askDesired({ key, cr, inputs }: Occasion, discretion: Discretion, signal: AbortSignal): Promise<DesiredNow> {
    const { occasions, authorCode } = this.options;
    const occasion = await occasions.live(key, cr, this.#list(signal));
    discretion.saw(Object.values(occasion.inputs).flat());
    while (authorCode.rest !== undefined) await authorCode.rest;
    // With these inputs nothing was seen to end, and what is seen now says nothing of those of the round.
    authorCode.changed(key);
    try {
      const { children } = this.options.optional.without(this.#compose(occasion));
      const isSeen = Object.keys(inputs).every(
        (name) => versionsIn(inputs[name]) === versionsIn(occasion.inputs[name]),
      );
      return { children: new Map(children.map((child) => [keyOf(refOf(child)), child])), isSeen };
    } finally {
      authorCode.changed(key);
    }
  }

  #compose(occasion: Occasion): Composition {
    const { unsteady, authorCode, clock } = this.options;
    return unsteady.kept(occasion, clock.monotonic()) ?? authorCode.compose(occasion);
  }
}
