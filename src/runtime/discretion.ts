import type { Difference } from '../drift/difference.js';
import type { DriftPolicy } from '../drift/drift-policy.js';
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

  constructor(
    cr: KubeObject,
    private readonly policy: DriftPolicy,
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
      observed: known.hiddenInValue(difference.observed),
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

  get #known(): Secrets {
    this.#secrets ??= Secrets.in(this.#seen as ReadonlySet<Manifest>, this.policy);
    return this.#secrets;
  }
}
