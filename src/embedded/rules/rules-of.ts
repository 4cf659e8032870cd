import { definitionRules } from '../custom/definition/definition-rules.js';
import type { Rules } from '../kinds/served-kind.js';
import { validatingAdmissionPolicyBindingRules, validatingAdmissionPolicyRules } from './admission-policy-rules.js';
import { configMapRules } from './config-map-rules.js';
import { csiDriverRules } from './csi-driver-rules.js';
import { endpointSliceRules } from './endpoint-slice-rules.js';
import { endpointsRules } from './endpoints-rules.js';
import { eventRules } from './event-rules.js';
import { judgingFinalizers } from './finalizer-names.js';
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler-rules.js';
import { ingressClassRules } from './ingress-class-rules.js';
import { ingressRules } from './ingress-rules.js';
import { leaseRules } from './lease-rules.js';
import { limitRangeRules } from './limit-range-rules.js';
import { namespaceRules } from './namespace-rules.js';
import { networkPolicyRules } from './network-policy-rules.js';
import { nodeRules } from './node-rules.js';
import { persistentVolumeClaimRules } from './persistent-volume-claim-rules.js';
import { persistentVolumeRules } from './persistent-volume-rules.js';
import { podDisruptionBudgetRules } from './pod-disruption-budget-rules.js';
import { priorityClassRules } from './priority-class-rules.js';
import { resourceQuotaRules } from './resource-quota-rules.js';
import { clusterRoleBindingRules, roleBindingRules } from './role-binding-rules.js';
import { clusterRoleRules, roleRules } from './role-rules.js';
import { runtimeClassRules } from './runtime-class-rules.js';
import { secretRules } from './secret-rules.js';
import { serviceAccountRules } from './service-account-rules.js';
import { serviceRules } from './services/service-rules.js';
import { storageClassRules } from './storage-class-rules.js';
import {
  mutatingWebhookConfigurationRules,
  validatingWebhookConfigurationRules,
} from './webhook-configuration-rules.js';
import { workloadRules } from './workloads/workload-rules.js';

/** By the name under which the store keeps a kind: `deployments.apps`. */
const own: Readonly<Record<string, Rules>> = {
  'customresourcedefinitions.apiextensions.k8s.io': definitionRules,

  configmaps: configMapRules,
  endpoints: endpointsRules,
  events: eventRules,
  limitranges: limitRangeRules,
  namespaces: namespaceRules,
  nodes: nodeRules,
  persistentvolumeclaims: persistentVolumeClaimRules,
  persistentvolumes: persistentVolumeRules,
  resourcequotas: resourceQuotaRules,
  secrets: secretRules,
  serviceaccounts: serviceAccountRules,
  services: serviceRules,
  'clusterrolebindings.rbac.authorization.k8s.io': clusterRoleBindingRules,
  'clusterroles.rbac.authorization.k8s.io': clusterRoleRules,
  'csidrivers.storage.k8s.io': csiDriverRules,
  'endpointslices.discovery.k8s.io': endpointSliceRules,
  'events.events.k8s.io': eventRules,
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerRules,
  'ingressclasses.networking.k8s.io': ingressClassRules,
  'ingresses.networking.k8s.io': ingressRules,
  'leases.coordination.k8s.io': leaseRules,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': mutatingWebhookConfigurationRules,
  'networkpolicies.networking.k8s.io': networkPolicyRules,
  'poddisruptionbudgets.policy': podDisruptionBudgetRules,
  'priorityclasses.scheduling.k8s.io': priorityClassRules,
  'rolebindings.rbac.authorization.k8s.io': roleBindingRules,
  'roles.rbac.authorization.k8s.io': roleRules,
  'runtimeclasses.node.k8s.io': runtimeClassRules,
  'storageclasses.storage.k8s.io': storageClassRules,
  'validatingadmissionpolicies.admissionregistration.k8s.io': validatingAdmissionPolicyRules,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': validatingAdmissionPolicyBindingRules,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': validatingWebhookConfigurationRules,

  ...workloadRules,
};

/** Kinds of which the server takes finalizers of any name. */
const takeAnyFinalizer: ReadonlySet<string> = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
]);

const rules = new Map<string, Rules>();

/** The rules of a built-in kind; a kind without any takes what its schema takes. */
export function rulesOf(storage: string): Rules {
  const known = rules.get(storage);
  if (known) return known;
  const ofKind = Object.hasOwn(own, storage) ? (own[storage] as Rules) : {};
  const all = takeAnyFinalizer.has(storage) ? ofKind : judgingFinalizers(ofKind);
  rules.set(storage, all);
  return all;
}
