import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import { asJson, nameIn } from './bodies/judged.js';
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
import { type Both, SideBySide } from './side-by-side.js';

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

  describe.each(all)('of $kind', ({ kind, bodies, created = [], changes = [], statuses = [] }) => {
    it.each(bodies)('judges as new: %s', async (_, body) => {
      agree(await servers.judge(kind, asJson(body)));
    });

    if (created.length > 0) {
      it.each(created)('creates: %s', async (_, body) => {
        try {
          agree(await servers.create(kind, asJson(body)));
        } finally {
          await servers.delete(kind, nameIn(body));
        }
      });
    }

    const updates = [
      ...changes.map(([title, body, change]) => [title, body, change, undefined] as const),
      ...statuses.map(([title, body, change]) => [title, body, change, 'status'] as const),
    ];
    if (updates.length === 0) return;
    it.each(updates)('judges a change: %s', async (_, body, change, subresource) => {
      agree(await servers.create(kind, asJson(body)));
      try {
        agree(await servers.update(kind, nameIn(body), asJson(change), subresource));
      } finally {
        await servers.delete(kind, nameIn(body));
      }
    });
  });
});

function agree({ real, embedded }: Both): void {
  expect(settled(embedded)).toEqual(settled(real));
}

/** Addresses and ports that were chosen at random are the same to us. */
function settled(said: Both['real']): unknown {
  const text = JSON.stringify(said);
  return JSON.parse(
    text
      .replace(/"10\.0\.(?!0\.9"|0\.10")[0-9]+\.[0-9]+"/g, '"<address>"')
      .replace(/("nodePort":)3(?!0080|0081|0053|1000|1001)\d{4}/g, '$1"<port>"'),
  );
}
