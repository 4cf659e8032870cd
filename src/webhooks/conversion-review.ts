import { groupOf } from '../kube/api-resource.js';
import { asError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { isMap } from '../kube/plain-map.js';
import type { WholeNumbers } from '../kube/whole-numbers.js';
import { isObject } from './admission-review.js';
import { MarkSeals } from './mark-seals.js';
import type { ReviewedKind } from './reviewed-kind.js';

/** https://kubernetes.io/docs/reference/config-api/apiextensions.v1/ */
export interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request?: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
  readonly response?: {
    readonly uid: string;
    readonly convertedObjects: readonly KubeObject[];
    readonly result: { readonly status: 'Success' } | { readonly status: 'Failure'; readonly message: string };
  };
}

/** True of what can be converted, and not only read. */
export function isConversionReview(body: unknown): boolean {
  if (!isMap(body) || !isMap(body['request'])) return false;
  const { objects, desiredAPIVersion } = body['request'];
  const isOne = (each: unknown) => isObject(each) && typeof (each as KubeObject).apiVersion === 'string';
  return typeof desiredAPIVersion === 'string' && Array.isArray(objects) && objects.every(isOne);
}

/**
 * Answers a request of the API server to convert objects. All or none: the server takes no part of them, and shows the
 * message to whoever asked for the objects.
 */
export function conversionReview(
  { apiVersion, kind, request }: ConversionReview,
  kinds: readonly ReviewedKind[],
  numbers?: WholeNumbers,
  seals = new MarkSeals(),
): ConversionReview {
  const { uid = '', desiredAPIVersion = '', objects = [] } = request ?? {};
  const answer = (convertedObjects: readonly KubeObject[], message?: string): ConversionReview => ({
    apiVersion,
    kind,
    response: {
      uid,
      convertedObjects,
      result: message === undefined ? { status: 'Success' } : { status: 'Failure', message },
    },
  });
  try {
    const converted = objects.map((object) => {
      const group = groupOf(object.apiVersion);
      const found = kinds.find((each) => each.group === group && each.kind === object.kind);
      if (!found) throw new Error(`this controller does not convert ${object.kind} of ${object.apiVersion}`);
      return seals.sealed(found.convert(seals.opened(object, found), desiredAPIVersion, numbers), found);
    });
    return answer(converted);
  } catch (error) {
    return answer([], asError(error).message);
  }
}
