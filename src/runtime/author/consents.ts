import type { Inputs, Read } from '../../compose/reads.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import { acceptFrom, consents, shareWith } from '../../kube/consent.js';
import { OperatorError, TerminalError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import { type ObjectRef, show } from '../../kube/object-ref.js';
import type { Reach } from '../../kube/reach.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { Waiters } from '../queue/waiters.js';
import type { Unmet } from '../status/status.js';
import type { Selected } from './read-inputs.js';

export interface ConsentsOptions {
  readonly reach: Reach;
  /** True where everybody trusts everybody, and nobody has to be asked. */
  readonly isAssumed: boolean;
  /** The Namespaces, where somebody may be asked. */
  readonly namespaces: Pick<WatchedKind, 'get'> | undefined;
}

/** A namespace does not consent to what a custom resource of another wants. Waits until it does. */
export class ConsentError extends OperatorError {
  override readonly name = 'ConsentError';
}

/**
 * What custom resources may read and have in namespaces that are not their own.
 *
 * The side where a custom resource lives consents by it, since whoever writes it may write there. The other side says so
 * itself: `kilter.dev/share-with` on what is read, or its Namespace, and `kilter.dev/accept-from` on the Namespace where a
 * child is to be. Both are for those who may write there, which the author of the custom resource need not.
 */
export class Consents {
  /** Who asked which Namespace for its consent last. */
  readonly #askers = new Waiters();

  constructor(private readonly options: ConsentsOptions) {}

  /** The custom resources that have to look again, for a Namespace has changed. */
  askersOf(namespace: string): readonly string[] {
    return this.#askers.of(namespace);
  }

  /** `key` begins anew to ask. */
  forget(key: string): void {
    this.#askers.clear(key);
  }

  /**
   * Of what was read, what may be. What is not shared is as if it were not there, so that nobody learns that it is.
   *
   * Throws `TerminalError` for an input in another namespace where the operator reaches no further than its own.
   */
  inputs(
    key: string,
    cr: KubeObject,
    reads: Readonly<Record<string, Read>>,
    { selections, inputs }: Selected,
  ): { readonly inputs: Inputs; readonly unmet: Unmet | undefined } {
    const given: Record<string, Inputs[string]> = {};
    let unmet: Unmet | undefined;
    for (const [name, read] of Object.entries(reads)) {
      const input = inputs[name];
      const selection = selections[name];
      if (!selection) {
        given[name] = input;
        continue;
      }
      const { namespace } = selection;
      if (!read.resource.namespaced || !this.#isForeign(cr, namespace)) given[name] = input;
      else
        given[name] = isMany(input) ? input.filter((each) => this.#isShared(key, cr, each)) : this.#one(key, cr, input);
      if (read.type !== 'one' || given[name] !== undefined) continue;
      const { name: only = '' } = selection;
      const subject = show({ kind: read.resource.kind, name: only, ...(namespace ? { namespace } : {}) });
      if (this.#asks(cr, namespace) && read.resource.namespaced && !this.#sharesAll(key, cr, namespace!)) {
        const to = `annotate it or Namespace/${namespace} with ${shareWith}: ${cr.metadata.namespace}`;
        const message = `${subject} is not there, or not shared with namespace ${cr.metadata.namespace}; ${to}`;
        unmet ??= { reason: 'ConsentMissing', message, isStalled: true };
      } else if (read.isRequired) {
        unmet ??= { reason: 'DependencyNotReady', message: `${subject} is not there`, isStalled: false };
      }
    }
    return { inputs: given, unmet };
  }

  /**
   * What of a plan a namespace does not consent to, and why: whatever is desired there, so that nobody learns what else there is,
   * be it by the refusal of a name that is taken.
   */
  unwanted(key: string, cr: KubeObject, steps: readonly Step[]): ReadonlyMap<Step, ConsentError> {
    const unwanted = new Map<Step, ConsentError>();
    for (const step of steps) {
      const error = isDesired(step) ? this.#refusal(key, cr, refOfStep(step)) : undefined;
      if (error) unwanted.set(step, error);
    }
    return unwanted;
  }

  /** Why a child may not be where it is to be, or undefined where it may. */
  #refusal(key: string, cr: KubeObject, child: ObjectRef): ConsentError | undefined {
    const { namespace } = child;
    if (namespace === undefined || !this.#asks(cr, namespace)) return undefined;
    if (consents(this.#namespace(key, namespace), acceptFrom, cr.metadata.namespace!)) return undefined;
    return new ConsentError(`${show(child)} is not written: Namespace/${namespace} does not accept it`, {
      hint: `annotate Namespace/${namespace} with ${acceptFrom}: ${cr.metadata.namespace}`,
    });
  }

  #one(key: string, cr: KubeObject, object: Inputs[string]): KubeObject | undefined {
    return object !== undefined && !isMany(object) && this.#isShared(key, cr, object) ? object : undefined;
  }

  #isShared(key: string, cr: KubeObject, object: KubeObject): boolean {
    const { namespace } = object.metadata;
    if (!this.#asks(cr, namespace)) return true;
    return consents(object, shareWith, cr.metadata.namespace!) || this.#sharesAll(key, cr, namespace!);
  }

  #sharesAll(key: string, cr: KubeObject, namespace: string): boolean {
    return consents(this.#namespace(key, namespace), shareWith, cr.metadata.namespace!);
  }

  /** True for another namespace than that of `cr`, which may reach there only if its operator says so. */
  #isForeign(cr: KubeObject, namespace: string | undefined): boolean {
    const { namespace: own } = cr.metadata;
    if (own === undefined || namespace === own) return false;
    if (this.options.reach !== 'namespace') return true;
    throw new TerminalError(`${cr.kind} reads in namespace "${namespace}", but may only in its own, "${own}"`, {
      hint: 'define the operator with reach: consent',
    });
  }

  #asks(cr: KubeObject, namespace: string | undefined): boolean {
    const { reach, isAssumed } = this.options;
    return (
      reach === 'consent' && !isAssumed && cr.metadata.namespace !== undefined && namespace !== cr.metadata.namespace
    );
  }

  /** From now on `key` looks again when this Namespace changes. */
  #namespace(key: string, name: string): KubeObject | undefined {
    this.#askers.add(key, name);
    return this.options.namespaces?.get(undefined, name);
  }
}

/** What is there and no longer desired may go. */
function isDesired(step: Step): boolean {
  return step.type === 'leave' ? step.isDesired : step.type !== 'prune' && step.type !== 'retain';
}

function isMany(input: Inputs[string]): input is readonly KubeObject[] {
  return Array.isArray(input);
}
