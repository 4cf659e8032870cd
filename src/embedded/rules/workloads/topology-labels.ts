import type { World } from '../../kinds/served-kind.js';

const copied = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/**
 * Labels that a Pod gets from its Node when it is put there, so that its containers can read where they are.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#podtopologylabels
 */
export function topologyLabels(node: string, world: World): Readonly<Record<string, string>> {
  const labels = world.get('nodes', undefined, node)?.metadata.labels ?? {};
  return Object.fromEntries(Object.entries(labels).filter(([name]) => copied.includes(name)));
}
