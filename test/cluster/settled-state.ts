import type { Json, KubeObject } from '../../src/kube/manifest.js';

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** What a child was made from, its owner's uid and name included. */
const hash = 'kilter.dev/applied-hash';

/** Fields that no two runs have in common: identities, versions and times. */
const passing = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'lastTransitionTime', 'time']);

/**
 * Objects as they are compared between two runs: sorted, under the name `$name` in place of `name`, without what differs
 * between any two runs, and without the status of built-in kinds, which their own controllers keep.
 */
export function comparable(objects: readonly KubeObject[], name: string): readonly Json[] {
  const all = objects.map((object) => {
    const { status, ...rest } = object as KubeObject & { status?: unknown };
    const isOurs = object.apiVersion.includes('.example.com/');
    // How many steps a child took to get here depends on which of the states in between were seen.
    const child = { ...object.metadata, managedFields: ourFields(object), generation: undefined };
    const metadata = isOurs ? { ...object.metadata, managedFields: undefined } : child;
    return stripped(isOurs ? { ...rest, status, metadata } : { ...rest, metadata }, name);
  });
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Controllers of Kubernetes take part too, when they please. */
function ourFields({ metadata }: KubeObject) {
  return metadata.managedFields?.filter(({ manager, subresource }) => manager === 'memcached' && !subresource);
}

function stripped(value: unknown, name: string): Json {
  if (typeof value === 'string') return value.replaceAll(name, '$name').replace(uid, '$uid');
  if (Array.isArray(value)) return value.map((item) => stripped(item, name));
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !passing.has(key) && item !== undefined && key !== 'deployment.kubernetes.io/revision')
      .map(([key, item]) => [stripped(key, name), key === hash ? '$hash' : stripped(item, name)]),
  );
}
