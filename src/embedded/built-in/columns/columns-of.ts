import * as cluster from './cluster-columns.js';
import type { Columns } from './column.js';
import { eventColumns, newerEventColumns } from './event-columns.js';
import * as network from './network-columns.js';
import * as other from './other-columns.js';
import { podColumns, podTemplateColumns } from './pod-columns.js';
import * as scaling from './scaling-columns.js';
import * as storage from './storage-columns.js';
import * as workload from './workload-columns.js';

/**
 * The columns of `kubectl get` for a built-in kind, by its plural name and group, beside Name and Age.
 *
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables
 */
export function columnsOf(resource: string): Columns {
  return Object.hasOwn(columns, resource) ? (columns[resource] as Columns) : cluster.plainColumns;
}

/** The name and the age alone. */
const none: Columns = { columns: [] };

const columns: Readonly<Record<string, Columns>> = {
  configmaps: other.configMapColumns,
  endpoints: network.endpointsColumns,
  events: eventColumns,
  namespaces: cluster.namespaceColumns,
  nodes: cluster.nodeColumns,
  persistentvolumeclaims: storage.persistentVolumeClaimColumns,
  persistentvolumes: storage.persistentVolumeColumns,
  pods: podColumns,
  podtemplates: podTemplateColumns,
  replicationcontrollers: workload.replicationControllerColumns,
  resourcequotas: scaling.resourceQuotaColumns,
  secrets: other.secretColumns,
  serviceaccounts: none,
  services: network.serviceColumns,
  'controllerrevisions.apps': workload.controllerRevisionColumns,
  'daemonsets.apps': workload.daemonSetColumns,
  'deployments.apps': workload.deploymentColumns,
  'replicasets.apps': workload.replicaSetColumns,
  'statefulsets.apps': workload.statefulSetColumns,
  'cronjobs.batch': workload.cronJobColumns,
  'jobs.batch': workload.jobColumns,
  'horizontalpodautoscalers.autoscaling': scaling.autoscalerColumns,
  'poddisruptionbudgets.policy': scaling.disruptionBudgetColumns,
  'endpointslices.discovery.k8s.io': network.endpointSliceColumns,
  'ingressclasses.networking.k8s.io': network.ingressClassColumns,
  'ingresses.networking.k8s.io': network.ingressColumns,
  'ipaddresses.networking.k8s.io': network.ipAddressColumns,
  'networkpolicies.networking.k8s.io': network.networkPolicyColumns,
  'servicecidrs.networking.k8s.io': network.serviceCidrColumns,
  'clusterrolebindings.rbac.authorization.k8s.io': cluster.roleBindingColumns,
  'rolebindings.rbac.authorization.k8s.io': cluster.roleBindingColumns,
  'csidrivers.storage.k8s.io': storage.csiDriverColumns,
  'csinodes.storage.k8s.io': storage.csiNodeColumns,
  'storageclasses.storage.k8s.io': storage.storageClassColumns,
  'volumeattachments.storage.k8s.io': storage.volumeAttachmentColumns,
  'volumeattributesclasses.storage.k8s.io': storage.volumeAttributesClassColumns,
  'certificatesigningrequests.certificates.k8s.io': other.certificateSigningRequestColumns,
  'leases.coordination.k8s.io': other.leaseColumns,
  'events.events.k8s.io': newerEventColumns,
  'flowschemas.flowcontrol.apiserver.k8s.io': other.flowSchemaColumns,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': other.priorityLevelColumns,
  'runtimeclasses.node.k8s.io': cluster.runtimeClassColumns,
  'priorityclasses.scheduling.k8s.io': cluster.priorityClassColumns,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': other.mutatingPolicyColumns,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': other.policyBindingColumns,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': other.webhookColumns,
  'validatingadmissionpolicies.admissionregistration.k8s.io': other.validatingPolicyColumns,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': other.policyBindingColumns,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': other.webhookColumns,
  'deviceclasses.resource.k8s.io': none,
  'resourceclaims.resource.k8s.io': other.resourceClaimColumns,
  'resourceclaimtemplates.resource.k8s.io': none,
  'resourceslices.resource.k8s.io': other.resourceSliceColumns,
};
