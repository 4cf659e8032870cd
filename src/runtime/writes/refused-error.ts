import { refOfStep } from '../../drift/plan.js';
import type { Refusal } from '../../drift/refusal.js';
import { beingDeleted } from '../../kube/being-deleted.js';
import { OperatorError } from '../../kube/errors.js';
import { show } from '../../kube/object-ref.js';
import { controllerOf } from '../../kube/owner-reference.js';

/** An object of a child's name exists that is not ours to touch. Waits until it is gone. */
export class RefusedError extends OperatorError {
  override readonly name = 'RefusedError';

  /** `isGoing`: nobody has to do anything, for it is being deleted, or will be. */
  constructor(
    message: string,
    readonly isGoing = false,
    hint?: string,
  ) {
    super(message, isGoing ? {} : { hint });
  }
}

/** What is said of an object that is in a child's way. */
export function refusalOf(step: Refusal): RefusedError {
  const isGoing = step.isLeft || step.rival?.isEnding || step.observed.metadata.deletionTimestamp !== undefined;
  return new RefusedError(`${show(refOfStep(step))} is not ours: ${whoseItIs(step)}`, isGoing, hintOf(step));
}

function hintOf({ observed, owner, taker, rival }: Refusal): string {
  // Whoever deletes what somebody keeps has it made again, and no operator adopts it.
  if (controllerOf(observed) || rival?.isThere)
    return `give the child another name, or delete ${owner}, which would make it again`;
  if (taker === undefined) return 'delete or rename it, or give the child another name';
  // What was kept for its data is not to be deleted.
  return `delete or rename it, give the child another name, or have its operator adopt it, by adopt: '${taker}'`;
}

/** The same, where the object is named already. */
export function whoseItIs({ owner, observed, isLeft, rival }: Refusal): string {
  const ending = rival?.isEnding ? ', which is being deleted' : '';
  const left = isLeft ? '; the garbage collector deletes it' : '';
  const going = observed.metadata.deletionTimestamp === undefined ? left : `; it ${beingDeleted(observed)}`;
  return `it exists, and belongs to ${owner}${ending}${going}`;
}
