import type { JsonPatchOperation } from '../client/cluster.js';
import { admissionPolicy } from '../embedded/custom/admission-policy.js';
import { jsonPatch } from '../embedded/patch/json-patch.js';
import type { AskedWrite, Reviewer } from '../embedded/reviewer.js';
import { StatusError } from '../embedded/status-error.js';
import type { Json, KubeObject } from '../kube/manifest.js';
import { type AdmissionStep, admissionName, asksFor } from '../kube/webhook.js';
import type { CustomResourceClass } from '../resource/custom-resource.js';
import { type AdmissionReview, isLetGo, mutatingReview, validatingReview } from '../webhooks/admission-review.js';
import { accountOf, userInfoOf } from './account-of.js';

/**
 * Who answers the API server about a kind in a test: the functions that its webhooks call, by the same reviews.
 *
 * **Guarantees.** As `OperatorInstall` renders it for an install called `install`: neither webhooks nor policies judge what the
 * controller itself writes, nor what is being deleted with the spec that it has, nor what is in none of `namespaces`, where they
 * are given.
 *
 * Throws a `StatusError` for a policy that the API server would not take.
 */
export function reviewerOf(resource: CustomResourceClass, install: string, namespaces?: readonly string[]): Reviewer {
  const account = accountOf(install);
  const policy = admissionPolicy({
    name: `${install}-${resource.kind.toLowerCase()}`,
    resource,
    validations: resource.policies,
    userInfo: userInfoOf,
  });
  const { apiVersion, isConvertible, policies } = resource;
  const isJudged = ({ caller, now, before }: AskedWrite) =>
    caller.name !== account.name &&
    !isLetGo(now, before) &&
    (namespaces === undefined || namespaces.includes(now.metadata.namespace ?? ''));
  const validates = asksFor('validate', resource) || policies.length > 0;
  return {
    apiVersion,
    convert: (object, into) => (isConvertible ? resource.convert(object, into) : { ...object, apiVersion: into }),
    ...(asksFor('mutate', resource) && {
      mutate(write) {
        if (!isJudged(write)) return write.now;
        const { patch } = answered('mutate', resource, mutatingReview(asked(write), resource));
        if (patch === undefined) return write.now;
        const operations = JSON.parse(Buffer.from(patch, 'base64').toString()) as readonly JsonPatchOperation[];
        return jsonPatch(write.now as unknown as Json, operations) as unknown as KubeObject;
      },
    }),
    ...(validates && {
      validate(write) {
        if (!isJudged(write)) return;
        policy(write);
        if (asksFor('validate', resource)) answered('validate', resource, validatingReview(asked(write), resource));
      },
    }),
  };
}

function asked({ now, before }: AskedWrite): AdmissionReview {
  const request = { uid: '', object: now, oldObject: before ?? null };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

/** An answer that allows. Any other is thrown, in the words of the API server. */
function answered(
  step: AdmissionStep,
  resource: CustomResourceClass,
  { response }: AdmissionReview,
): NonNullable<AdmissionReview['response']> {
  if (response?.allowed) return response;
  const { code = 400, reason = '', message = '' } = response?.status ?? {};
  const name = admissionName(step, resource);
  throw new StatusError({
    code,
    reason,
    message: `admission webhook ${JSON.stringify(name)} denied the request: ${message}`,
  });
}
