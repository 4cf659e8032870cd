import { groupKindOf } from '../kube/api-resource.js';
import { isBuiltIn } from '../kube/built-in-groups.js';

/**
 * In which order Argo CD applies what is rendered: smaller waves first, and it deletes in reverse.
 *
 * Each wave begins when everything of the one before is healthy, so nothing starts before its rights and its kinds
 * exist, and a custom resource is gone before the operator that cleans up after it.
 *
 * https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
 */
const waves: readonly { readonly wave: number; readonly kinds: readonly string[] }[] = [
  { wave: -20, kinds: ['Namespace'] },
  { wave: -10, kinds: ['CustomResourceDefinition.apiextensions.k8s.io'] },
  {
    wave: -5,
    kinds: [
      'ServiceAccount',
      'ClusterRole.rbac.authorization.k8s.io',
      'ClusterRoleBinding.rbac.authorization.k8s.io',
      'Role.rbac.authorization.k8s.io',
      'RoleBinding.rbac.authorization.k8s.io',
    ],
  },
  {
    wave: -3,
    kinds: [
      'NetworkPolicy.networking.k8s.io',
      'ConfigMap',
      'Secret',
      'LimitRange',
      'ResourceQuota',
      // What makes a Secret: a workload that needs it is not healthy before, and no later wave begins.
      'Issuer.cert-manager.io',
      'ClusterIssuer.cert-manager.io',
      'Certificate.cert-manager.io',
      'SecretStore.external-secrets.io',
      'ClusterSecretStore.external-secrets.io',
      'ExternalSecret.external-secrets.io',
      'SealedSecret.bitnami.com',
    ],
  },
  {
    wave: 1,
    kinds: [
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
      'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
      'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
      'MutatingWebhookConfiguration.admissionregistration.k8s.io',
      'ServiceMonitor.monitoring.coreos.com',
      'PodMonitor.monitoring.coreos.com',
    ],
  },
];

/** With their PersistentVolumeClaims: one that waits for its first consumer is not healthy before that is there. */
const workloads = 0;
const customResources = 5;

const waveByKind = new Map(waves.flatMap(({ wave, kinds }) => kinds.map((kind) => [kind, wave] as const)));

interface Kinded {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The wave of an object by its kind, for one whose author named none. */
export function waveOf(object: Kinded): number {
  return waveByKind.get(groupKindOf(object)) ?? (isBuiltIn(object.apiVersion) ? workloads : customResources);
}
