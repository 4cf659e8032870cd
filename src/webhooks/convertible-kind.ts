import type { KubeObject } from '../kube/manifest.js';

/** What of a kind its webhooks have to know. Every class of `customResource` is one. */
export interface ConvertibleKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly isConvertible: boolean;
  convert(object: KubeObject, apiVersion: string): KubeObject;
}
