import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import type { Conclusions } from './conclusions.js';
import { onceOverdue } from './external/once-overdue.js';
import { decisive, isStale } from './outcome.js';
import type { Round } from './round.js';
import { isOfThisGeneration } from './status/own-status.js';
import type { Failed, Unmet, Verdict } from './status/status.js';
import { stepOf } from './writes/carry-out.js';
import type { Done } from './writes/job.js';

export interface BeginningOptions {
  readonly conclusions: Conclusions;
  readonly clock: Clock;
  readonly round: Round;
  /** As the round began. */
  readonly cr: KubeObject;
  readonly began: number;
  /** How many children are looked at. */
  readonly children: number;
  /** What is known by now, whatever the children come to: what was found, and what is missing. */
  readonly known: () => Pick<Failed, 'drifted' | 'fights'> & { readonly unmet?: Unmet | undefined };
  /** When it is over, nothing is said any more. */
  readonly limited: AbortSignal;
}

/**
 * Says of a generation of which nothing was said yet that it is begun, while a round goes on that takes long: once that it is
 * under way, and once that something failed.
 */
export class Beginning {
  /** How many errors there were when it was last said; less than none while it was not. */
  #said = -1;

  constructor(private readonly options: BeginningOptions) {}

  /** As `Job` of `carryOut` has it. */
  beside(sofar: Done): () => Promise<KubeObject> {
    const { cr, clock, began, children, limited } = this.options;
    const errors = sofar.executed.some(({ error }) => error !== undefined) ? 1 : 0;
    if (isOfThisGeneration(cr) || this.#said >= errors) return () => Promise.resolve(sofar.cr);
    let now = sofar.cr;
    const say = async () => {
      if (limited.aborted) return;
      this.#said = errors;
      now = await this.say(sofar, `${sofar.executed.length} of ${children} children have been looked at`);
    };
    const end = onceOverdue(clock, say, began);
    return async () => {
      await end();
      return now;
    };
  }

  /** Resolves with the custom resource as it is then. Never rejects. */
  say(sofar: Done, message: string): Promise<KubeObject> {
    const { conclusions, round, cr, known } = this.options;
    const told = sofar.executed.map((each) => round.discretion.executed(each));
    const error = decisive(told.flatMap((each) => each.error ?? []));
    const progressing = { reason: 'Progressing', message: `${show(refOf(cr))}: ${message}`, isStalled: false };
    const { unmet, ...found } = known();
    const verdict: Verdict =
      error && !isStale(error)
        ? { type: 'failed', error, step: stepOf(error, told), ...found }
        : { type: 'applied', children: [], unmet: unmet ?? sofar.unmet ?? progressing, ...found };
    return conclusions.sayBegun(round, sofar.cr, verdict);
  }
}
