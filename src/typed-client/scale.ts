import type { ObjectMetadata } from '../kube/manifest.js';

/**
 * How many replicas an object has, in words that are the same for all kinds.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/scale/
 */
export interface Scale {
  readonly apiVersion: 'autoscaling/v1';
  readonly kind: 'Scale';
  /** Name, namespace, uid and resourceVersion of the object that is scaled. */
  readonly metadata: ObjectMetadata;
  /** How many there shall be. The API server leaves `replicas` out where it is 0. */
  readonly spec: { readonly replicas?: number };
  /** How many there are, and the labels of their pods as text, where the kind says which. */
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** What a patch of a scale says. */
export interface ScaleChange {
  readonly spec: { readonly replicas: number };
}
