import type { ApiResource } from '../kube/api-resource.js';
import { namespaceKind } from '../kube/consent.js';
import { definitionKind } from '../kube/definition-kind.js';
import { admissionConfigurations } from '../kube/webhook.js';

/** The kinds that an install consists of. Spelled out, so that the install needs no generated code. */
export const kinds = {
  namespace: namespaceKind,
  customResourceDefinition: definitionKind,
  serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
  clusterRole: rbac('ClusterRole', 'clusterroles', false),
  clusterRoleBinding: rbac('ClusterRoleBinding', 'clusterrolebindings', false),
  role: rbac('Role', 'roles', true),
  roleBinding: rbac('RoleBinding', 'rolebindings', true),
  networkPolicy: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    namespaced: true,
  },
  ...admissionConfigurations,
  policy: admission('ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
  policyBinding: admission('ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'),
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
  service: { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  /** Of Prometheus Operator: https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.ServiceMonitor */
  serviceMonitor: {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    plural: 'servicemonitors',
    namespaced: true,
  },
} satisfies Readonly<Record<string, ApiResource>>;

function rbac(kind: string, plural: string, namespaced: boolean): ApiResource {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind, plural, namespaced };
}

function admission(kind: string, plural: string): ApiResource {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, plural, namespaced: false };
}
