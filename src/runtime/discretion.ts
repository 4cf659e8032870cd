import type { Operator } from '../compose/operator.js';
import type { Difference } from '../drift/difference.js';
import type { DriftPolicy } from '../drift/drift-policy.js';
import { isSecret, masked } from '../drift/hidden.js';
import type { Step } from '../drift/plan.js';
import { Secrets } from '../drift/secrets.js';
import { asError } from '../kube/errors.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import type { Executed } from './writes/execute.js';

type Seen = KubeObject | Manifest;

/**
 * Keeps what secret objects hold out of what is said of one custom resource: an author's code throws what it likes, and
 * admission webhooks quote what they refuse. What a round has seen, it can tell apart. As long as nothing fails it costs nothing.
 */
export class Discretion {
  readonly #seen = new Set<Seen>();
  #secrets: Secrets | undefined;
  #names: readonly string[] | undefined;

  constructor(
    private readonly cr: KubeObject,
    private readonly policy: DriftPolicy,
    private readonly operator: Pick<Operator, 'name' | 'formerly' | 'owns' | 'reads'>,
  ) {
    this.saw([cr]);
  }

  saw(objects: Iterable<Seen | undefined>): void {
    for (const object of objects) if (object) this.#seen.add(object);
    this.#secrets = undefined;
  }

  /** What was thrown, as it may be told; of the same class. */
  error(thrown: unknown): Error {
    return this.#known.without(asError(thrown));
  }

  /** What is to be done, with what differs as it may be told: a child may have been given what a Secret holds. */
  steps(steps: readonly Step[]): Step[] {
    this.saw(steps.map((step) => ('observed' in step ? step.observed : undefined)));
    return steps.map((step) => {
      if (!('reported' in step)) return step;
      const reported = this.differences(step.reported);
      return 'drift' in step ? { ...step, drift: this.differences(step.drift), reported } : { ...step, reported };
    });
  }

  differences(found: readonly Difference[]): readonly Difference[] {
    if (found.length === 0) return found;
    const known = this.#known;
    return found.map((difference) => ({
      ...difference,
      desired: known.hiddenInValue(difference.desired),
      observed: this.#isUnknown(difference) ? masked : known.hiddenInValue(difference.observed),
    }));
  }

  executed(step: Executed): Executed {
    const { warnings } = step.entry;
    const entry = warnings
      ? { ...step.entry, warnings: warnings.map((warning) => this.#known.hiddenIn(warning)) }
      : step.entry;
    if (!step.error) return warnings ? { ...step, entry } : step;
    const error = this.error(step.error);
    return error === step.error && !warnings ? step : { ...step, error, entry: { ...entry, because: error.message } };
  }

  /** True of texts, and of what may have some, that we wrote ourselves: what a Secret held then nobody knows any more. */
  #isUnknown({ observed, by }: Difference): boolean {
    const isText = typeof observed === 'string' || (typeof observed === 'object' && observed !== null);
    return isText && by !== undefined && this.#ownNames.includes(by.manager);
  }

  /** Under which names we composed at another time, of Secrets that may hold something else by now. */
  get #ownNames(): readonly string[] {
    const { name, formerly, owns, reads } = this.operator;
    const kinds = () => [...owns, ...Object.values(reads).map(({ resource }) => resource)];
    this.#names ??= this.policy.hasSensitive(this.cr) || kinds().some(isSecret) ? [name, ...formerly] : [];
    return this.#names;
  }

  get #known(): Secrets {
    this.#secrets ??= Secrets.in(this.#seen as ReadonlySet<Manifest>, this.policy);
    return this.#secrets;
  }
}
