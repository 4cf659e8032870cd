import type { KubeObject } from '../../kube/manifest.js';

/** An object of which only the metadata is wanted. */
export function partial({ metadata }: KubeObject, version: string): object {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}
