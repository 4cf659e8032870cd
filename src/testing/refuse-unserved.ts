import type { Condition } from '../kube/condition.js';
import { OperatorError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

/** Throws `OperatorError` for a definition whose kind the API server does not serve, with what it says of it. */
export function refuseUnserved(
  definition: KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } },
): void {
  const conditions = definition.status?.conditions ?? [];
  if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
  const why = conditions.filter(({ status }) => status === 'False').map(({ type, message }) => `${type}: ${message}`);
  throw new OperatorError(`${show(refOf(definition))} is not served: ${why.join(', ')}`, {
    hint: 'install one whose plural, singular, kind and short names no other of its group has',
  });
}
