import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Reviewed } from '../kube/webhook.js';
import type { WholeNumbers } from '../kube/whole-numbers.js';

/** What of a kind its webhooks have to know. Every class of `customResource` is one. */
export interface ReviewedKind extends ApiResource, Reviewed {
  readonly group: string;
  readonly admission: Reviewed['admission'] & {
    mutated(now: KubeObject, before?: KubeObject): KubeObject;
    problems(now: KubeObject, before?: KubeObject): readonly string[];
  };
  convert(object: KubeObject, apiVersion: string, numbers?: WholeNumbers): KubeObject;
}
