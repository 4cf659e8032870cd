import { afterAll, beforeAll } from '@jest/globals';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './bodies/access.js';
import {
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
} from './bodies/admission.js';
import { configMaps, namespaces, nodes, secrets, serviceAccounts } from './bodies/configuration.js';
import { events, newerEvents } from './bodies/events.js';
import { endpointSlices, endpoints, ingressClasses, ingresses, networkPolicies } from './bodies/network.js';
import {
  horizontalPodAutoscalers,
  leases,
  limitRanges,
  podDisruptionBudgets,
  priorityClasses,
  resourceQuotas,
  runtimeClasses,
} from './bodies/scheduling.js';
import { services } from './bodies/services.js';
import { csiDrivers, persistentVolumeClaims, persistentVolumes, storageClasses } from './bodies/storage.js';
import { judgeAlike } from './judge-alike.js';
import { SideBySide } from './side-by-side.js';

const all = [
  services,
  configMaps,
  namespaces,
  nodes,
  secrets,
  serviceAccounts,
  endpointSlices,
  endpoints,
  ingressClasses,
  ingresses,
  networkPolicies,
  csiDrivers,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  horizontalPodAutoscalers,
  leases,
  limitRanges,
  podDisruptionBudgets,
  priorityClasses,
  resourceQuotas,
  runtimeClasses,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  events,
  newerEvents,
];

onRealCluster('the rules of built-in kinds, beside the real API server', {}, (plane) => {
  let servers: SideBySide;
  beforeAll(() => {
    servers = new SideBySide(plane());
  });
  afterAll(async () => {
    await servers.close();
  });

  judgeAlike(all, () => servers, withoutChance);
});

/** Addresses and ports that were chosen at random are the same to us: none of the lowest, which are for who names them. */
function withoutChance(text: string): string {
  return text
    .replace(/"10\.0\.(?!0\.9"|0\.10")[0-9]+\.[0-9]+"/g, '"<address>"')
    .replace(/("nodePort":)3(?!0053|0060|0061|0080|0081)\d{4}/g, '$1"<port>"');
}
