import { groupKindOf } from '../kube/api-resource.js';
import { asError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { isMap } from '../kube/plain-map.js';
import { WholeNumbers } from '../kube/whole-numbers.js';
import { patchBetween } from './patch-between.js';
import type { ReviewedKind } from './reviewed-kind.js';

/** https://kubernetes.io/docs/reference/config-api/apiserver-admission.v1/ */
export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request?: {
    readonly uid: string;
    readonly object?: KubeObject | null;
    readonly oldObject?: KubeObject | null;
  };
  readonly response?: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
    readonly patchType?: 'JSONPatch';
    /** Base64. */
    readonly patch?: string;
  };
}

/** True of what can be reviewed, and not only read. */
export function isAdmissionReview(body: unknown): boolean {
  if (!isMap(body) || !isMap(body['request'])) return false;
  const { object, oldObject } = body['request'];
  return [object, oldObject].every((each) => each === undefined || each === null || isObject(each));
}

/** True of what has metadata, as all that an API server stores. */
export function isObject(value: unknown): boolean {
  return isMap(value) && isMap(value['metadata']);
}

type Answer = Omit<NonNullable<AdmissionReview['response']>, 'uid'>;

const allowed: Answer = { allowed: true };

/** Says whether an object may be stored as it is. */
export function validatingReview(review: AdmissionReview, kind: ReviewedKind): AdmissionReview {
  return answered(review, kind, (now, before) => {
    const problems = kind.admission.problems(now, before);
    if (problems.length === 0) return allowed;
    const message = `${groupKindOf(kind)} "${now.metadata.name}" is invalid: ${problems.join('; ')}`;
    return { allowed: false, status: { code: 422, reason: 'Invalid', message } };
  });
}

/** Says what of an object is to be stored otherwise. `numbers` are those of the JSON that `review` was parsed of. */
export function mutatingReview(
  review: AdmissionReview,
  kind: ReviewedKind,
  numbers = new WholeNumbers(),
): AdmissionReview {
  return answered(review, kind, (now, before) => {
    const { spec } = kind.admission.mutated(now, before) as KubeObject & { readonly spec?: unknown };
    const operations = patchBetween(now['spec'], spec, '/spec');
    if (operations.length === 0) return allowed;
    // Here, since nobody finds them in what is encoded.
    const patch = Buffer.from(numbers.restored(JSON.stringify(operations))).toString('base64');
    return { allowed: true, patchType: 'JSONPatch', patch };
  });
}

function answered(
  { apiVersion, kind: of, request }: AdmissionReview,
  kind: ReviewedKind,
  judge: (now: KubeObject, before: KubeObject | undefined) => Answer,
): AdmissionReview {
  const { uid = '', object, oldObject } = request ?? {};
  const answer = (response: Answer): AdmissionReview => ({ apiVersion, kind: of, response: { uid, ...response } });
  const before = oldObject ?? undefined;
  if (!object || isLetGo(object, before)) return answer(allowed);
  const now = named(object);
  try {
    return answer(judge(now, before));
  } catch (error) {
    const message = `reviewing ${show(refOf({ ...now, kind: kind.kind }))} failed: ${asError(error).message}`;
    return answer({ allowed: false, status: { code: 500, reason: 'InternalError', message } });
  }
}

/**
 * True of what is on its way out, which must not be kept by what it became invalid by. With another spec it is judged, for by that
 * something outside the cluster is removed.
 */
export function isLetGo(now: KubeObject, before: KubeObject | undefined): boolean {
  if (now.metadata.deletionTimestamp === undefined || before === undefined) return false;
  return patchBetween(before['spec'], now['spec'], '/spec').length === 0;
}

/** What has a `generateName` is mutated before it has a name. Empty, as in Go, it still is the text that authors count on. */
function named(object: KubeObject): KubeObject {
  const { name = '' } = object.metadata as Partial<KubeObject['metadata']>;
  return { ...object, metadata: { ...object.metadata, name } };
}
