import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';

/** What of a kind its webhooks have to know. Every class of `customResource` is one. */
export interface ReviewedKind extends ApiResource {
  readonly group: string;
  readonly isConvertible: boolean;
  readonly admission: {
    readonly validates: boolean;
    readonly mutates: boolean;
    mutated(now: KubeObject, before?: KubeObject): KubeObject;
    problems(now: KubeObject, before?: KubeObject): readonly string[];
  };
  convert(object: KubeObject, apiVersion: string): KubeObject;
}

/** Whether the API server has anything to ask about a kind. */
export function isReviewed({ isConvertible, admission }: Pick<ReviewedKind, 'isConvertible' | 'admission'>): boolean {
  return isConvertible || admission.validates || admission.mutates;
}
