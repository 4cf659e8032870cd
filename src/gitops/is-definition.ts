import { groupKindOf } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';

/** True of a CustomResourceDefinition, with which every custom resource of its kind would go. */
export function isDefinition(manifest: Manifest): boolean {
  return groupKindOf(manifest) === 'CustomResourceDefinition.apiextensions.k8s.io';
}
