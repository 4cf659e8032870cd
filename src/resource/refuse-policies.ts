import { DefinitionError } from '../kube/errors.js';
import { policyExpression } from '../schema/cel/policy-expression.js';
import { strangeField } from '../schema/cel/strange-field.js';
import type { StructuralSchema } from '../schema/structural.js';
import type { AdmissionPolicy } from './admission.js';

const hint =
  'write CEL in which object, oldObject and request are known: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/';

/**
 * Throws a `DefinitionError` for policies that an API server would not take: nobody would hear of it before they are applied,
 * and until then nothing is held to them. What only a server in a cluster can judge is taken.
 */
export function refusePolicies(kind: string, policies: readonly AdmissionPolicy[], schema: StructuralSchema): void {
  policies.forEach((policy, index) => {
    const fault = faultIn(policy) ?? strangeIn(policy, schema);
    if (fault === undefined) return;
    const { why, ...advice } = fault;
    throw new DefinitionError(`${kind} cannot be defined: policies[${index}].${why}`, advice);
  });
}

/** The API server converts an object to the version of `schema` before it asks a policy. */
function strangeIn({ expression }: AdmissionPolicy, schema: StructuralSchema): Fault | undefined {
  if (policyExpression(expression).state !== 'known') return undefined;
  const strange = strangeField(expression, schema);
  if (!strange) return undefined;
  const { path, known } = strange;
  const advice = known.length === 0 ? 'there are no fields there' : `write one of ${known.join(', ')}`;
  return { why: `expression: "${expression}" asks for ${path}, which its schema does not have`, hint: advice };
}

interface Fault {
  readonly why: string;
  readonly hint?: string;
}

function faultIn({ expression = '', message = '' }: Partial<AdmissionPolicy>): Fault | undefined {
  if (expression.trim() === '') return { why: 'expression: it is not specified', hint };
  if (message.trim() === '')
    return { why: 'message: it is not specified, and whoever is refused would not be told why' };
  if (/[\n\r]/.test(message.trim())) return { why: `message: ${JSON.stringify(message)} must not contain line breaks` };
  const compiled = policyExpression(expression);
  return compiled.state === 'faulty' ? { why: `expression: "${expression}" ${compiled.words}`, hint } : undefined;
}
