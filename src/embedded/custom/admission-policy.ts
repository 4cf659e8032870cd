import { type ApiResource, groupOf, versionOf } from '../../kube/api-resource.js';
import { policyExpression } from '../../schema/cel/policy-expression.js';
import { problem } from '../../schema/field-problem.js';
import type { Caller } from '../api-server.js';
import type { AskedWrite } from '../reviewer.js';
import { forbidden, invalid, notEmbedded, StatusError } from '../status-error.js';

/** A ValidatingAdmissionPolicy with a binding of the same name, which denies what breaks one of its rules. */
export interface AdmissionPolicyInput {
  readonly name: string;
  readonly resource: ApiResource;
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
  /** How policies know a caller. */
  userInfo(caller: Caller): object;
}

/**
 * Holds writes against a policy. Throws a `StatusError` for an expression that the server would not take; what is returned
 * throws one for a write that is denied.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function admissionPolicy(input: AdmissionPolicyInput): (write: AskedWrite) => void {
  const { name, resource, validations } = input;
  const rules = validations.map((rule, index) => {
    const compiled = policyExpression(rule.expression);
    if (compiled.state !== 'faulty') return { ...rule, compiled };
    const path = `spec.validations[${index}].expression`;
    const about = { group: 'admissionregistration.k8s.io', name: 'ValidatingAdmissionPolicy' };
    throw invalid(about, name, [problem('FieldValueInvalid', path, rule.expression, compiled.words)]);
  });
  return (write) => {
    const { now, before = null } = write;
    const variables = { object: now, oldObject: before, request: requestOf(input, write) };
    for (const { compiled, message } of rules) {
      if (compiled.state === 'unknown') throw notEmbedded(`${compiled.because} in ValidatingAdmissionPolicy ${name}`);
      const problem = problemOf(() => compiled.holds(variables), message);
      if (problem !== undefined) throw denied(resource, now.metadata.name, name, problem);
    }
  };
}

/** What cannot be evaluated is denied, too. */
function problemOf(holds: () => boolean, message: string): string | undefined {
  try {
    return holds() ? undefined : message;
  } catch (error) {
    return (error as Error).message;
  }
}

function denied({ apiVersion, plural }: ApiResource, name: string, policy: string, because: string): StatusError {
  const message = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${because}`;
  const { status } = forbidden({ group: groupOf(apiVersion), name: plural }, name, message);
  return new StatusError({
    ...status,
    code: 422,
    reason: 'Invalid',
    details: { ...status.details, causes: [{ message }] },
  });
}

/** https://kubernetes.io/docs/reference/config-api/apiserver-admission.v1/#admission-k8s-io-v1-AdmissionRequest */
function requestOf(
  { resource: { apiVersion, kind, plural }, userInfo }: AdmissionPolicyInput,
  { now, before, caller, isDryRun }: AskedWrite,
): object {
  const { name, namespace } = now.metadata;
  const about = { group: groupOf(apiVersion), version: versionOf(apiVersion) };
  return {
    kind: { ...about, kind },
    resource: { ...about, resource: plural },
    name,
    ...(namespace === undefined ? {} : { namespace }),
    operation: before ? 'UPDATE' : 'CREATE',
    userInfo: userInfo(caller),
    dryRun: isDryRun,
  };
}
