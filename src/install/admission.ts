import { versionOf } from '../kube/api-resource.js';
import { type AdmissionStep, admissionName, admissionPath, asksFor } from '../kube/webhook.js';
import type { InstalledOperator } from './installed-operator.js';
import { webhookName } from './webhooks.js';

/** What is asked when custom resources are created or changed, in any version: they come as the stored one. */
function ruleOf({ resource }: InstalledOperator): Readonly<Record<string, unknown>> {
  const { group, apiVersion, plural, namespaced } = resource;
  return {
    apiGroups: [group],
    apiVersions: [versionOf(apiVersion)],
    resources: [plural],
    operations: ['CREATE', 'UPDATE'],
    scope: namespaced ? 'Namespaced' : 'Cluster',
  };
}

/** The account of the controller, and whose custom resources it serves; absent: those of all namespaces. */
interface Controller {
  readonly name: string;
  readonly namespace: string;
  readonly watchNamespaces?: readonly string[] | undefined;
}

/**
 * The controller is not asked about its own writes: a custom resource that became invalid must still get its finalizer. Nor is
 * it asked about what is being deleted, which must not be kept because it became invalid. Two writes of that are reviewed all the
 * same: one that changes the spec, by which the controller removes what is outside the cluster; and one that creates an object
 * as if it were being deleted, as an apply may.
 */
function matchConditions({ name, namespace }: Controller): readonly Readonly<Record<string, unknown>>[] {
  return [
    {
      name: 'not-by-the-controller',
      expression: `request.userInfo.username != 'system:serviceaccount:${namespace}:${name}'`,
    },
    {
      name: 'not-let-go',
      expression:
        "request.operation == 'CREATE' || !has(object.metadata.deletionTimestamp) || " +
        'has(object.spec) != has(oldObject.spec) || has(object.spec) && object.spec != oldObject.spec',
    },
  ];
}

/** What is in other namespaces is not this controller's to judge, nor to hold up while it is down. */
function served({ watchNamespaces: values }: Controller): Readonly<Record<string, unknown>> {
  if (values === undefined) return {};
  return { namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }] } };
}

/**
 * The webhooks of a ValidatingWebhookConfiguration or a MutatingWebhookConfiguration. The authority of their certificate
 * is told to the API server by the controller, and never rendered.
 *
 * A controller that is down lets nothing through: what it could not judge it would have to live with.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
export function admissionWebhooks(
  step: AdmissionStep,
  operators: readonly InstalledOperator[],
  controller: Controller,
): readonly Readonly<Record<string, unknown>>[] {
  return operators
    .filter(({ resource }) => asksFor(step, resource))
    .map((operator) => ({
      name: admissionName(step, operator.resource),
      admissionReviewVersions: ['v1'],
      clientConfig: {
        service: {
          namespace: controller.namespace,
          name: webhookName(controller.name),
          path: admissionPath(step, operator.resource),
          port: 443,
        },
      },
      rules: [ruleOf(operator)],
      ...served(controller),
      matchConditions: matchConditions(controller),
      matchPolicy: 'Equivalent',
      failurePolicy: 'Fail',
      sideEffects: 'None',
      timeoutSeconds: 10,
      ...(step === 'mutate' ? { reinvocationPolicy: 'IfNeeded' } : {}),
    }));
}

/** The spec of a ValidatingAdmissionPolicy: rules in CEL, for which nobody is asked. */
export function policySpec(operator: InstalledOperator, controller: Controller): Readonly<Record<string, unknown>> {
  return {
    failurePolicy: 'Fail',
    matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [ruleOf(operator)], ...served(controller) },
    matchConditions: matchConditions(controller),
    validations: operator.resource.policies.map(({ expression, message }) => ({
      expression,
      message,
      reason: 'Invalid',
    })),
  };
}
