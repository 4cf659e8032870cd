import type { KubeObject } from '../../src/kube/manifest.js';
import { Shelf } from '../../src/runtime/informer/shelf.js';

export const configMaps = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** A ConfigMap as a server returns it; `rest` is metadata. */
export function configMap(
  name: string,
  resourceVersion: string | number,
  rest: Partial<KubeObject['metadata']> = {},
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'prod', uid: `uid-${name}`, resourceVersion: String(resourceVersion), ...rest },
  };
}

/** What makes the owner with this uid the controller. */
export function controlledBy(uid: string) {
  return { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Cache', name: 'cache', uid, controller: true }] };
}

/** What a list of these objects is handed to a store as. */
export function shelfOf(objects: readonly KubeObject[]): Shelf {
  const shelf = new Shelf();
  for (const object of objects) shelf.put(object);
  return shelf;
}
