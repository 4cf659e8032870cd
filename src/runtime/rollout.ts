import { hashOf } from '../drift/hash.js';
import { allFieldsOf, ownershipOf, unite, without } from '../drift/ownership.js';
import { refOfStep, type Step } from '../drift/plan.js';
import { uncoveredFields } from '../drift/uncovered.js';
import type { FieldsV1, KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf } from '../kube/object-ref.js';
import { ownAnnotations } from '../kube/own-annotations.js';
import { isOfThisGeneration, readyIn, saysPaused, statusOf } from './status/own-status.js';
import { requestedAt } from './status/suspension.js';

export interface RolloutOptions {
  /** How many custom resources at once. */
  readonly most: number;
  /** The field manager of the children. */
  readonly manager: string;
  /** Called for one whose turn has come. */
  readonly again: (key: string, reason: string) => void;
}

/** One that waits, as it was when it began to. */
interface Waiting {
  /** The children that there were, and what of each was ours. */
  readonly seen: ReadonlyMap<string, string>;
  /** What a person said of it beside its spec, such as what becomes of its children. */
  readonly said: string;
  /** What was composed of its spec and its inputs. */
  readonly composed: string;
}

/**
 * Where this version of an operator composes something else than the one before it, lets the change reach a few custom resources
 * at a time: the next is let in when one of them is ready. Where none gets ready, the others stay as they are.
 *
 * What a controller finds to be changed when it begins is taken for such a change, if the custom resource was ready and nobody
 * has changed it since. Never held up are what users change or ask for, drift, missing children, and whatever comes later, such as
 * a change of inputs. Nothing is known of other processes: the next leader counts anew.
 */
export class Rollout {
  /** Who has been let in, or had nothing to be changed. */
  readonly #passed = new Set<string>();
  /** Who was changed, and is not ready yet. */
  readonly #changing = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();

  constructor(private readonly options: RolloutOptions) {}

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * False where a plan is not to be carried out yet: nothing of it may be, and nothing is to be said but of the children that
   * there are. `composed` are all children, also those of kinds that are not served.
   */
  admits(key: string, cr: KubeObject, steps: readonly Step[], composed: readonly Manifest[]): boolean {
    if (this.#passed.has(key)) return true;
    const waiting = this.#waiting.get(key);
    const changes = steps.filter(({ type }) => type === 'create' || type === 'apply' || type === 'prune');
    // Who waits goes on to, whatever becomes of its children: a version that may be broken is no help.
    const isAtRest = isOfThisGeneration(cr) && (waiting !== undefined || readyIn(cr) === 'True');
    const isChanged =
      waiting !== undefined && (waiting.said !== ownAnnotations(cr) || waiting.composed !== hashesOf(composed));
    const isUrgent =
      isChanged || isAsked(cr) || saysPaused(cr) || changes.some((step) => this.#isMended(step, waiting?.seen));
    if (changes.length > 0 && isAtRest) {
      if (!isUrgent && this.#changing.size >= this.options.most) {
        if (!waiting) {
          const told = { said: ownAnnotations(cr), composed: hashesOf(composed) };
          this.#waiting.set(key, { seen: this.#seenIn(steps), ...told });
        }
        return false;
      }
      this.#changing.add(key);
    }
    this.#passed.add(key);
    this.#waiting.delete(key);
    this.#next();
    return true;
  }

  /** It is ready, or nobody has to wait for it any more, and it waits for nobody. */
  settled(key: string): void {
    const isNews = this.#waiting.delete(key);
    if (this.#changing.delete(key) || isNews) this.#next();
  }

  /** What is desired of it cannot be told: its turn is another's. When it can, it is not ready, and need not wait. */
  leavesLine(key: string): void {
    if (this.#waiting.delete(key)) this.#next();
  }

  /** It is gone. */
  forget(key: string): void {
    this.#passed.delete(key);
    this.settled(key);
  }

  isChanging(key: string): boolean {
    return this.#changing.has(key);
  }

  #seenIn(steps: readonly Step[]): ReadonlyMap<string, string> {
    return new Map(
      steps.flatMap((step) => ('observed' in step ? [[keyOfStep(step), this.#oursIn(step.observed)]] : [])),
    );
  }

  /** Somebody changed the child, or it went since it was looked at. */
  #isMended(step: Step, seen: ReadonlyMap<string, string> | undefined): boolean {
    const before = seen?.get(keyOfStep(step));
    if (step.type === 'create') return before !== undefined;
    if (step.type !== 'apply') return false;
    return step.drift.length > 0 || (before !== undefined && this.#isTaken(step, before));
  }

  /**
   * Somebody took of the child what would be written to it, or wrote under our name. What is left to whoever takes it, as replicas
   * to an autoscaler, would not be.
   */
  #isTaken({ manifest, observed }: Extract<Step, { readonly type: 'apply' }>, before: string): boolean {
    if (before === this.#oursIn(observed)) return false;
    const { fields: now } = ownershipOf(observed, this.options.manager);
    const then = JSON.parse(before) as readonly FieldsV1[];
    const isMore = Object.keys(without(now.reduce(unite, {}), then.reduce(unite, {}))).length > 0;
    const lost = (ours: readonly FieldsV1[]) => uncoveredFields(manifest, observed, ours, allFieldsOf(observed)).length;
    return isMore || lost(now) > lost(then);
  }

  #oursIn(child: KubeObject): string {
    return JSON.stringify(ownershipOf(child, this.options.manager).fields);
  }

  #next(): void {
    let free = this.options.most - this.#changing.size;
    for (const key of this.#waiting.keys()) {
      if (free-- <= 0) return;
      this.options.again(key, 'its turn in the rollout');
    }
  }
}

/** A person waits for an answer. */
function isAsked(cr: KubeObject): boolean {
  const asked = requestedAt(cr);
  return asked !== undefined && asked !== statusOf(cr)['lastHandledReconcileAt'];
}

function hashesOf(children: readonly Manifest[]): string {
  return children.map(hashOf).join('\n');
}

function keyOfStep(step: Step): string {
  return keyOf(refOfStep(step));
}
