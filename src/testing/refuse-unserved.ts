import { type CustomDefinition, isTrue } from '../embedded/custom/custom-definition.js';
import { OperatorError } from '../kube/errors.js';
import { refOf, show } from '../kube/object-ref.js';

/** Throws `OperatorError` for a definition whose kind the API server does not serve, with what it says of it. */
export function refuseUnserved(definition: CustomDefinition): void {
  if (isTrue(definition, 'Established')) return;
  const conditions = definition.status?.conditions ?? [];
  const why = conditions.filter(({ status }) => status === 'False').map(({ type, message }) => `${type}: ${message}`);
  throw new OperatorError(`${show(refOf(definition))} is not served: ${why.join(', ')}`, {
    hint: 'install one whose plural, singular, kind and short names no other of its group has',
  });
}
