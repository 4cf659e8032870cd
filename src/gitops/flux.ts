import type { Manifest } from '../kube/manifest.js';
import { isDefinition } from './is-definition.js';

const prune = 'kustomize.toolkit.fluxcd.io/prune';

/**
 * `manifest` as Flux is to have it: it keeps a CustomResourceDefinition when that leaves Git, or its Kustomization is deleted, for
 * every custom resource of its kind would go with it. What the author wrote wins.
 *
 * https://fluxcd.io/flux/components/kustomize/kustomizations/#prune
 */
export function forFlux(manifest: Manifest): Manifest {
  if (!isDefinition(manifest)) return manifest;
  const annotations = { [prune]: 'disabled', ...manifest.metadata.annotations };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}
