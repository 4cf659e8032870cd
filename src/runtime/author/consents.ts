import type { Inputs, Read } from '../../compose/reads.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import { acceptFrom, consents, namespaceKind, shareWith } from '../../kube/consent.js';
import { OperatorError, TerminalError } from '../../kube/errors.js';
import { withName } from '../../kube/field-selector.js';
import type { KubeObject } from '../../kube/manifest.js';
import { type ObjectRef, show } from '../../kube/object-ref.js';
import type { Reach } from '../../kube/reach.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { Waiters } from '../queue/waiters.js';
import type { Unmet } from '../status/status.js';
import type { Selected } from './read-inputs.js';
import { isAsNew, type ListLive } from './selection.js';

export interface ConsentsOptions {
  readonly reach: Reach;
  /** True where everybody trusts everybody, and nobody has to be asked. */
  readonly isAssumed: boolean;
  /** The Namespaces, where somebody may be asked. */
  readonly namespaces: Pick<WatchedKind, 'get'> | undefined;
}

/** The Namespace of a name, or undefined where there is none. */
export type NamespaceOf = (name: string) => KubeObject | undefined;

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
  /** The Namespaces that the store had once as the API server had them, and at which moment. */
  readonly #vouched = new Map<string, number>();
  /** Whom that was of use to, and still may be. */
  readonly #vouchers = new Waiters();

  constructor(private readonly options: ConsentsOptions) {}

  /** The custom resources that have to look again, for a Namespace has changed. */
  askersOf(namespace: string): readonly string[] {
    return this.#askers.of(namespace);
  }

  /** `key` begins anew to ask. What it did not ask any more the last time need not be known for it. */
  askAnew(key: string): void {
    this.#vouchOnly(key, this.#askers.thingsOf(key));
    this.#askers.clear(key);
  }

  /** `key` asks no more. */
  forget(key: string): void {
    this.#vouchOnly(key, []);
    this.#askers.clear(key);
  }

  #vouchOnly(key: string, names: readonly string[]): void {
    const before = this.#vouchers.thingsOf(key);
    if (before.length === 0) return;
    this.#vouchers.clear(key);
    this.#vouchers.add(key, ...before.filter((name) => names.includes(name)));
    for (const name of before) if (!this.#vouchers.isAwaited(name)) this.#vouched.delete(name);
  }

  /** As `ReadInputs.vouched`, of the Namespaces that were asked for `key`. */
  async vouched(key: string, list: ListLive, moment: () => number): Promise<number | undefined> {
    const asked = this.#askers.thingsOf(key);
    const doubtful = asked.filter((name) => !this.#vouched.has(name));
    const namespaceOf = await namespacesNow(new Set(doubtful), list);
    const isKnown = (name: string) =>
      isAsNew(this.options.namespaces?.get(undefined, name), { input: namespaceOf(name), version: '' });
    // It may be gone by now, or ask for others.
    const isAsked = (name: string) => this.#askers.thingsOf(key).includes(name);
    for (const name of doubtful) if (isAsked(name) && isKnown(name)) this.#vouched.set(name, moment());
    this.#vouchers.add(key, ...asked.filter((name) => isAsked(name) && this.#vouched.has(name)));
    const since = asked.map((name) => this.#vouched.get(name));
    return since.reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0);
  }

  /** Another one when a Namespace that was asked for `key` since it began anew is not as it was in the store. */
  mark(key: string): string {
    const asked = this.#askers.thingsOf(key).map((name) => this.options.namespaces?.get(undefined, name)?.metadata);
    return JSON.stringify(asked.map((each) => each?.resourceVersion));
  }

  /**
   * Of what was read, what may be, by the Namespaces that `namespaceOf` has, which is the store. What is not shared is as if it
   * were not there, so that nobody learns that it is.
   *
   * Throws `TerminalError` for an input in another namespace where the operator reaches no further than its own.
   */
  inputs(
    key: string,
    cr: KubeObject,
    reads: Readonly<Record<string, Read>>,
    { selections, inputs }: Selected,
    namespaceOf: NamespaceOf = this.#stored(key),
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
        given[name] = isMany(input)
          ? input.filter((each) => this.#isShared(cr, each, namespaceOf))
          : this.#one(cr, input, namespaceOf);
      if (read.type !== 'one' || given[name] !== undefined) continue;
      const { name: only = '' } = selection;
      const subject = show({ kind: read.resource.kind, name: only, ...(namespace ? { namespace } : {}) });
      if (this.#asks(cr, namespace) && read.resource.namespaced && !sharesAll(cr, namespaceOf(namespace!))) {
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
    if (consents(this.#stored(key)(namespace), acceptFrom, cr.metadata.namespace!)) return undefined;
    return new ConsentError(`${show(child)} is not written: Namespace/${namespace} does not accept it`, {
      hint: `annotate Namespace/${namespace} with ${acceptFrom}: ${cr.metadata.namespace}`,
    });
  }

  #one(cr: KubeObject, object: Inputs[string], namespaceOf: NamespaceOf): KubeObject | undefined {
    return object !== undefined && !isMany(object) && this.#isShared(cr, object, namespaceOf) ? object : undefined;
  }

  #isShared(cr: KubeObject, object: KubeObject, namespaceOf: NamespaceOf): boolean {
    const { namespace } = object.metadata;
    if (!this.#asks(cr, namespace)) return true;
    return consents(object, shareWith, cr.metadata.namespace!) || sharesAll(cr, namespaceOf(namespace!));
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

  /** From now on `key` looks again when a Namespace that it asks for changes. */
  #stored(key: string): NamespaceOf {
    return (name) => {
      this.#askers.add(key, name);
      return this.options.namespaces?.get(undefined, name);
    };
  }
}

/** The Namespace shares whatever is in it. */
function sharesAll(cr: KubeObject, namespace: KubeObject | undefined): boolean {
  return consents(namespace, shareWith, cr.metadata.namespace!);
}

/** The Namespaces with these names as the API server has them: one list, whatever they are. */
export async function namespacesNow(names: ReadonlySet<string>, list: ListLive): Promise<NamespaceOf> {
  const [only] = names;
  if (only === undefined) return () => undefined;
  const { items } = await list(namespaceKind, names.size === 1 ? { fieldSelector: withName(only) } : {});
  const byName = new Map(items.map((each) => [each.metadata.name, each]));
  return (name) => byName.get(name);
}

/** What is there and no longer desired may go. */
function isDesired(step: Step): boolean {
  return step.type === 'leave' ? step.isDesired : step.type !== 'prune' && step.type !== 'retain';
}

function isMany(input: Inputs[string]): input is readonly KubeObject[] {
  return Array.isArray(input);
}
