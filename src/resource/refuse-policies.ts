import { DefinitionError } from '../kube/errors.js';
import { policyExpression } from '../schema/cel/policy-expression.js';
import type { AdmissionPolicy } from './admission.js';

const hint =
  'write CEL in which object, oldObject and request are known: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/';

/**
 * Throws a `DefinitionError` for policies that an API server would not take: nobody would hear of it before they are applied,
 * and until then nothing is held to them. What only a server in a cluster can judge is taken.
 */
export function refusePolicies(kind: string, policies: readonly AdmissionPolicy[]): void {
  policies.forEach((policy, index) => {
    const fault = faultIn(policy);
    if (fault === undefined) return;
    const isExpression = fault.startsWith('expression');
    throw new DefinitionError(`${kind} cannot be defined: policies[${index}].${fault}`, isExpression ? { hint } : {});
  });
}

function faultIn({ expression = '', message = '' }: Partial<AdmissionPolicy>): string | undefined {
  if (expression.trim() === '') return 'expression: it is not specified';
  if (message.trim() === '') return 'message: it is not specified, and whoever is refused would not be told why';
  if (/[\n\r]/.test(message.trim())) return `message: ${JSON.stringify(message)} must not contain line breaks`;
  const compiled = policyExpression(expression);
  return compiled.state === 'faulty' ? `expression: "${expression}" ${compiled.words}` : undefined;
}
