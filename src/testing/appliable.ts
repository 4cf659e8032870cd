import type { Target } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';

/** A manifest, or a construct that renders one. */
export type Appliable = Manifest | { toJson(): unknown };

/** A class of `imports/` or a custom resource's, for its kind and its type. */
export type KindOf<T> = ApiResource & (abstract new (...parameters: never) => { readonly object?: T });

export function manifestOf(what: Appliable): Manifest {
  return 'toJson' in what && typeof what.toJson === 'function' ? (what.toJson() as Manifest) : (what as Manifest);
}

export function inDefault(manifest: Manifest): Manifest {
  return { ...manifest, metadata: { ...manifest.metadata, namespace: manifest.metadata.namespace ?? 'default' } };
}

export function targetOf({ namespaced }: ApiResource, name: string, namespace: string): Target {
  return namespaced ? { namespace, name } : { name };
}
