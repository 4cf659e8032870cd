import { type ApiResource, isSameKind } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';

/** The key of an object among those of its kind, in stores and queues: `namespace/name`, or `/name` for a cluster-scoped one. */
export function queueKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

export function splitKey(key: string): readonly [namespace: string | undefined, name: string] {
  const slash = key.indexOf('/');
  return [slash === 0 ? undefined : key.slice(0, slash), key.slice(slash + 1)];
}

/** What is one to others where workers are shared out: a namespace, and each object that is in none. */
export function groupOfKey(key: string): string {
  const slash = key.indexOf('/');
  return slash === 0 ? key : key.slice(0, slash);
}

/** The key of the custom resource that controls `child`; undefined where that is of another kind, or nobody does. */
export function controllerKey(child: KubeObject, resource: ApiResource): string | undefined {
  const owner = controllerOf(child);
  if (!owner || !isSameKind(owner, resource)) return undefined;
  return queueKey(resource.namespaced ? child.metadata.namespace : undefined, owner.name);
}
