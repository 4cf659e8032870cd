import { createHash } from 'node:crypto';
import { InvalidError, isUndefined } from '../../client/api-error.js';
import { appliedHash } from '../../drift/hash.js';
import { entriesOf } from '../../drift/ownership.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import { groupKindOf } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { jsonText } from '../../kube/json-text.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Executed } from '../writes/execute.js';
import { nextLookAt, type Refused as RefusedOnce, refusalWait, untilAllHaveHeard } from '../writes/refusal-wait.js';
import { ByChild } from './by-child.js';

interface Refused extends RefusedOnce {
  readonly result: Executed;
  /** Of all by which it may be taken the next time. */
  readonly mark: string;
  /** How often in a row. */
  times: number;
  until: number;
}

/**
 * What the API server refused for good: the same request about the same child is not sent again for each event. A Deployment
 * that cannot be changed goes on telling how many of its Pods are ready, and each time would cost a request in vain.
 *
 * At once it is tried when something else is desired, when somebody changes the child or the custom resource, but for what
 * they say in `status`, when the kind of the child may be defined otherwise, and after a restart; soon where that kind may have
 * been defined otherwise just before. When anything else asks for a round it is tried too, since what makes it acceptable may
 * be that; but not before 5 s have passed, then 10, 20, … up to five minutes.
 *
 * What there was no definition for is tried again by its back-off, and is known here for the definition that comes.
 */
export class RefusedWrites {
  readonly #known = new ByChild<Refused>();
  /** By kind, when it may have been defined otherwise last. */
  readonly #definedAt = new Map<string, number>();

  constructor(
    private readonly manager: string,
    private readonly clock: Clock,
  ) {}

  /** What came of `step` when it was carried out last, where it is too early to do it again. */
  last(owner: string, cr: KubeObject, step: Step): Executed | undefined {
    const refused = this.#known.get(owner, refOfStep(step));
    if (!refused || this.clock.monotonic() >= refused.until || refused.mark !== this.#markOf(cr, step))
      return undefined;
    refused.isOwed = true;
    return refused.result;
  }

  /** By what words of the API server `step` was refused the last time, if nothing has changed by which it may be taken. */
  words(owner: string, cr: KubeObject, step: Step): string | undefined {
    const refused = this.#known.get(owner, refOfStep(step));
    return refused && refused.mark === this.#markOf(cr, step) ? refused.result.error?.message : undefined;
  }

  /** When what is carried out now is begun. */
  get now(): number {
    return this.clock.monotonic();
  }

  /** `step` was carried out from `began` on, and `result` came of it. */
  came(owner: string, cr: KubeObject, step: Step, result: Executed, began: number): void {
    const child = refOfStep(step);
    const { error } = result;
    if (!(error instanceof InvalidError || isUndefined(error))) return void this.#known.delete(owner, child);
    const refused = this.#again(this.#known.get(owner, child), cr, step, result, began);
    const backsOff = { until: Number.NEGATIVE_INFINITY, isOwed: false };
    this.#known.set(owner, child, error instanceof InvalidError ? refused : { ...refused, ...backsOff });
  }

  /** Forgets what is not among `steps`. */
  keepOnly(owner: string, steps: readonly Step[]): void {
    this.#known.keepOnly(owner, steps);
  }

  /** When to do what there was a reason for, and was not done. */
  nextLook(owner: string, now: number): number | undefined {
    return nextLookAt(this.#known.of(owner), now);
  }

  /** Everything that was refused of `groupKind` may be taken from now on, and is asked for again. Answers whose it is. */
  acceptable(groupKind: string): readonly string[] {
    this.#definedAt.set(groupKind, this.clock.monotonic());
    return this.#known.owners.filter((owner) => {
      const refused = this.#known.of(owner).filter((each) => groupKindOf(each.result.entry.ref) === groupKind);
      for (const each of refused) Object.assign(each, { until: Number.NEGATIVE_INFINITY, times: 0 });
      return refused.length > 0;
    });
  }

  forget(owner: string): void {
    this.#known.forget(owner);
  }

  #again(last: Refused | undefined, cr: KubeObject, step: Step, result: Executed, began: number): Refused {
    const mark = this.#markOf(cr, step);
    const times = last?.mark === mark ? last.times + 1 : 1;
    // The refusal may be by the definition of before, on its way since then, or of a server that has not heard of another yet.
    const definedAt = this.#definedAt.get(groupKindOf(result.entry.ref));
    const isOwed = definedAt !== undefined && began < definedAt + untilAllHaveHeard;
    return { result, mark, times, until: this.now + refusalWait(times), isOwed };
  }

  #markOf(cr: KubeObject, step: Step): string {
    const desired = 'manifest' in step ? step.manifest.metadata.annotations?.[appliedHash] : undefined;
    const observed = 'observed' in step ? this.#shapeOf(step.observed) : undefined;
    const words = jsonText([step.type, desired, observed, this.#shapeOf(cr), cr.metadata.annotations]);
    return createHash('sha256').update(words).digest('base64');
  }

  /**
   * What others than we have decided of an object: neither its status, nor its annotations, which may be written with that. When
   * they are not, `managedFields` tell.
   */
  #shapeOf(object: KubeObject): unknown {
    const { metadata, status: _, ...content } = object;
    const { uid, labels } = metadata;
    const writers = entriesOf(object).filter(
      (entry) => entry.subresource !== 'status' && entry.manager !== this.manager,
    );
    return [uid, labels, writers, content];
  }
}
