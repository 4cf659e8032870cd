import type { Manifest } from '../kube/manifest.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import { admissionConfigurations, admissionSteps, asksFor, conversionPath, isReviewed } from '../kube/webhook.js';
import type { OperatorInstallProps } from './install-props.js';
import type { InstalledOperator } from './installed-operator.js';
import { selectorOf } from './labels.js';

export const webhookPort = 9443;

/** How webhooks of an install are served. */
export interface WebhooksInstall {
  /**
   * A Secret of type `kubernetes.io/tls` in the namespace of the controller, as cert-manager writes it, with a certificate for
   * `<id>-webhook.<namespace>.svc`. Whoever makes it tells the API server its authority, too: the controller does neither then,
   * and has no right to. If not given it does both.
   */
  readonly certificateSecret: string;
}

/** The Service and the Secret of the webhooks of an install. */
export const webhookName = (name: string): string => `${name}-webhook`;

/** Whether the API server has to ask the controller anything. */
export function hasWebhooks(operators: readonly InstalledOperator[]): boolean {
  return operators.some(({ resource }) => isReviewed(resource));
}

/** The Service in front of the webhooks of the install called `name`. */
export function webhookServiceSpec(name: string): Readonly<Record<string, unknown>> {
  return {
    selector: selectorOf(name),
    ports: [{ name: 'https', port: 443, targetPort: 'webhook', protocol: 'TCP' }],
  };
}

/**
 * A definition whose objects the controller converts. The authority of its certificate is made in the cluster, and told
 * to the API server by the controller: it is never rendered.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#webhook-conversion
 */
export function convertedBy(crd: Manifest, service: { readonly name: string; readonly namespace: string }): Manifest {
  const conversion = {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      clientConfig: { service: { namespace: service.namespace, name: service.name, path: conversionPath, port: 443 } },
    },
  };
  return { ...crd, spec: { ...(crd['spec'] as object), conversion } };
}

/**
 * In the controller's own namespace: the certificate is in one Secret, whoever of its replicas makes it. Creation cannot
 * be limited to a name, because the server authorises it before it reads the object.
 */
export function webhookSecretRules(name: string): readonly PolicyRule[] {
  const secrets = { apiGroups: [''], resources: ['secrets'] };
  return [
    { ...secrets, verbs: ['create'] },
    { ...secrets, resourceNames: [webhookName(name)], verbs: ['get', 'update'] },
  ];
}

/**
 * In the cluster: what has to say by which authority the webhooks are verified.
 *
 * Whoever serves the custom resources of some namespaces alone, and has the definition, lists those of all: only so does it know whether
 * any needs a conversion still. It is no more than what conversions show it.
 */
export function webhookBundleRules(
  name: string,
  {
    operators,
    watchNamespaces,
    definitions: hasDefinitions = true,
  }: Pick<OperatorInstallProps, 'operators' | 'watchNamespaces' | 'definitions'>,
): readonly PolicyRule[] {
  const verbs = ['list', 'watch', 'patch'];
  const converted = operators
    .filter(({ resource }) => resource.isConvertible)
    .map(({ resource: { plural, group } }) => ({ plural, group, definition: `${plural}.${group}` }))
    .sort((a, b) => (a.definition < b.definition ? -1 : 1));
  const configurations = admissionSteps
    .filter((step) => operators.some(({ resource }) => asksFor(step, resource)))
    .map((step) => admissionConfigurations[step].plural);
  const rule = (group: string, resources: readonly string[], resourceNames: readonly string[]): PolicyRule[] =>
    resources.length === 0 || resourceNames.length === 0
      ? []
      : [{ apiGroups: [group], resources, resourceNames, verbs }];
  return [
    ...rule('admissionregistration.k8s.io', configurations, [webhookName(name)]),
    ...rule(
      'apiextensions.k8s.io',
      ['customresourcedefinitions'],
      converted.map(({ definition }) => definition),
    ),
    ...(watchNamespaces && hasDefinitions
      ? converted.map(({ group, plural }) => ({ apiGroups: [group], resources: [plural], verbs: ['list'] }))
      : []),
  ];
}
