import { type AdmissionStep, admissionName, admissionPath, asksFor } from '../kube/webhook.js';
import type { InstalledOperator } from './installed-operator.js';
import { webhookName } from './webhooks.js';

/** What is asked when custom resources are created or changed, in any version: they come as the stored one. */
function ruleOf({ resource }: InstalledOperator): Readonly<Record<string, unknown>> {
  const { group, apiVersion, plural, namespaced } = resource;
  return {
    apiGroups: [group],
    apiVersions: [apiVersion.slice(apiVersion.indexOf('/') + 1)],
    resources: [plural],
    operations: ['CREATE', 'UPDATE'],
    scope: namespaced ? 'Namespaced' : 'Cluster',
  };
}

/**
 * The webhooks of a ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. The authority of their certificate
 * is told to the API server by the controller, and never rendered.
 *
 * A controller that is down lets nothing through: what it could not judge it would have to live with. It does not ask
 * itself about its own writes.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export function admissionWebhooks(
  step: AdmissionStep,
  operators: readonly InstalledOperator[],
  { name, namespace }: { readonly name: string; readonly namespace: string },
): readonly Readonly<Record<string, unknown>>[] {
  return operators
    .filter(({ resource }) => asksFor(step, resource))
    .map((operator) => ({
      name: admissionName(step, operator.resource),
      admissionReviewVersions: ['v1'],
      clientConfig: {
        service: { namespace, name: webhookName(name), path: admissionPath(step, operator.resource), port: 443 },
      },
      rules: [ruleOf(operator)],
      matchConditions: [
        {
          name: 'not-by-the-controller',
          expression: `request.userInfo.username != 'system:serviceaccount:${namespace}:${name}'`,
        },
      ],
      matchPolicy: 'Equivalent',
      failurePolicy: 'Fail',
      sideEffects: 'None',
      timeoutSeconds: 10,
      ...(step === 'mutate' ? { reinvocationPolicy: 'IfNeeded' } : {}),
    }));
}

/** The spec of a ValidatingAdmissionPolicy: rules in CEL, for which nobody is asked. */
export function policySpec(operator: InstalledOperator): Readonly<Record<string, unknown>> {
  return {
    failurePolicy: 'Fail',
    matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [ruleOf(operator)] },
    validations: operator.resource.policies.map(({ expression, message }) => ({
      expression,
      message,
      reason: 'Invalid',
    })),
  };
}
