import type { Cluster } from '../../client/cluster.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import type { KubeObject } from '../../kube/manifest.js';
import { keyOf } from '../../kube/object-ref.js';
import { isAsKnown } from '../author/is-as-known.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { type Outcome, outcomeOf } from '../outcome.js';

interface RecreationsOptions {
  readonly cluster: Cluster;
  /** The kind of the custom resources. */
  readonly resource: ApiResource;
  readonly custom: Pick<WatchedKind, 'get' | 'missed'>;
  readonly clock: Clock;
}

/** How long after it was created a child that is missing is taken for one that was deleted at once. */
const windowMilliseconds = 10_000;
/** The watch is late, and tells what became of the custom resource in the end. */
const lateMilliseconds = 1000;

/**
 * Children that this process created a moment ago.
 *
 * When one of them is missing already, somebody deleted it at once. That may be the garbage collector, because the owner
 * is gone and a watch that is late has not said so. Whoever went on creating would keep both of them busy until it does.
 */
export class Recreations {
  /** By owner and child, when it was created last, in order of time. */
  readonly #createdAt = new Map<string, number>();

  constructor(private readonly options: RecreationsOptions) {}

  /** `step` of a plan for `cr` has created a child. */
  created(cr: KubeObject, step: Step): void {
    const key = keyIn(cr, step);
    const now = this.options.clock.monotonic();
    this.#createdAt.delete(key);
    this.#createdAt.set(key, now);
    for (const [old, at] of this.#createdAt) {
      if (now - at < windowMilliseconds) return;
      this.#createdAt.delete(old);
    }
  }

  /**
   * What is to happen instead of `steps`, when they create a child again whose owner the API server may not have any more,
   * and it has not, or cannot be asked. Only then is it asked.
   */
  async instead(cr: KubeObject, steps: readonly Step[], signal: AbortSignal): Promise<Outcome | undefined> {
    const again = steps.filter((step) => step.type === 'create' && this.#wasCreated(cr, step));
    if (again.length === 0) return undefined;
    try {
      if (await isAsKnown(cr, this.options, signal)) return undefined;
    } catch (error) {
      return outcomeOf({ type: 'failed', error: error as Error, step: 'apply' }, undefined);
    }
    for (const step of again) this.created(cr, step);
    return {
      type: 'behind',
      againAfterMilliseconds: lateMilliseconds,
      because: 'the custom resource has changed, unseen',
    };
  }

  #wasCreated(cr: KubeObject, step: Step): boolean {
    const at = this.#createdAt.get(keyIn(cr, step));
    return at !== undefined && this.options.clock.monotonic() - at < windowMilliseconds;
  }
}

function keyIn({ metadata: { uid } }: KubeObject, step: Step): string {
  return `${uid} ${keyOf(refOfStep(step))}`;
}
