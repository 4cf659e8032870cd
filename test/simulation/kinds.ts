import { ConfigMap, Deployment, Namespace, Pod, RoleBinding, Secret, Service } from '../../imports/k8s.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { Memcached } from '../../src/operators/memcached.js';
import { Depot } from './operators/depot.js';
import { Fleet } from './operators/fleet.js';
import { Report } from './operators/report.js';
import { Gem, Review } from './operators/review.js';
import { Site } from './operators/site.js';
import { Tour } from './operators/tour.js';
import { Trip } from './operators/trip.js';
import { Vault } from './operators/vault.js';

/** The kinds that a simulation is about. Pods and what makes them are the cluster's own affair. */
export const kinds: Readonly<Record<string, ApiResource>> = {
  ConfigMap,
  Secret,
  Service,
  Deployment,
  Pod,
  Site,
  Report,
  Fleet,
  Memcached,
  Tour,
  Trip,
  Depot,
  Vault,
  Review,
  Gem,
  RoleBinding,
  // Who accepts whose children.
  Namespace,
};

export function kindOf(name: string): ApiResource {
  const kind = kinds[name];
  if (kind) return kind;
  throw new Error(`no kind ${name} in the simulation`);
}
