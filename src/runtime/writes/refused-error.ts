import { refOfStep, type Step } from '../../drift/plan.js';
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
    hint = 'delete or rename it, or give the child another name',
  ) {
    super(message, isGoing ? {} : { hint });
  }
}

type Refuse = Extract<Step, { readonly type: 'refuse' }>;

/** What is said of an object that is in a child's way. */
export function refusalOf(step: Refuse): RefusedError {
  const isGoing = step.isLeft || step.observed.metadata.deletionTimestamp !== undefined;
  // Whoever deletes what is controlled has it made again.
  const hint = controllerOf(step.observed)
    ? `give the child another name, or delete ${step.owner}, which would make it again`
    : undefined;
  return new RefusedError(`${show(refOfStep(step))} is not ours: ${whoseItIs(step)}`, isGoing, hint);
}

/** The same, where the object is named already. */
export function whoseItIs({ owner, observed, isLeft }: Refuse): string {
  const left = isLeft ? '; the garbage collector deletes it' : '';
  const going = observed.metadata.deletionTimestamp === undefined ? left : `; it ${beingDeleted(observed)}`;
  return `it exists, and belongs to ${owner}${going}`;
}
