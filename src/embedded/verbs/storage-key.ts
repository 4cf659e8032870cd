import type { Address } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';

/** Where etcd has kinds whose place is not called as they are. */
const places: Readonly<Record<string, string>> = {
  customresourcedefinitions: 'apiextensions.k8s.io/customresourcedefinitions',
  endpoints: 'services/endpoints',
  ingresses: 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/** The key under which etcd has an object, which some refusals tell. A dry run tells it without the registry. */
export function storageKey(
  { group, plural, shape, namespaced }: ServedKind,
  { namespace, name }: Address,
  dryRun: boolean | undefined,
): string {
  const place = shape.patchType ? (places[plural] ?? plural) : `${group}/${plural}`;
  return [...(dryRun ? [] : ['/registry']), `/${place}`, ...(namespaced ? [`/${namespace}`] : []), `/${name}`].join('');
}
