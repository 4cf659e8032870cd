import { timestamp } from '../../kube/timestamp.js';
import { type FieldProblem, problem } from '../../schema/field-problem.js';
import type { Caller } from '../api-server.js';
import { badRequest, invalid } from '../status-error.js';
import {
  type AccessAttributes,
  actionOf,
  eitherOr,
  evaluationError,
  selectorAttributeProblems,
  shownPath,
} from './access-attributes.js';

import type { Answer, Question, VirtualDesk } from './virtual-kind.js';

interface SubjectAccess extends AccessAttributes {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** May somebody do something? https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/subject-access-review-v1/ */
export function reviewAccess({ object }: Question, desk: VirtualDesk): Answer {
  const spec = (object['spec'] ?? {}) as SubjectAccess;
  refuse([
    ...eitherOr(spec),
    ...nobody(spec),
    ...selectorAttributeProblems(spec),
    ...metadataProblems(object.metadata),
  ]);
  return { metadata: object.metadata, spec, status: statusOf(spec, subjectOf(spec), desk) };
}

/** The same of somebody in one namespace, for those who may not ask about all. */
export function reviewLocalAccess({ object, namespace = '' }: Question, desk: VirtualDesk): Answer {
  const spec = (object['spec'] ?? {}) as SubjectAccess;
  const { resourceAttributes, nonResourceAttributes } = spec;
  const { namespace: _, ...metadata } = object.metadata;
  const problems = [
    ...eitherOr(spec),
    ...nobody(spec),
    ...selectorAttributeProblems(spec),
    ...metadataProblems(metadata, ' except for namespace', { ...metadata, namespace }),
  ];
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace) {
    const value = resourceAttributes.namespace ?? '';
    const path = 'spec.resourceAttributes.namespace';
    problems.push(problem('FieldValueInvalid', path, value, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes) {
    const value = shownPath(nonResourceAttributes);
    const path = 'spec.nonResourceAttributes';
    problems.push(problem('FieldValueInvalid', path, value, 'disallowed on this kind of request'));
  }
  refuse(problems);
  return { metadata: { ...metadata, namespace }, spec, status: statusOf(spec, subjectOf(spec), desk) };
}

/** May I? What `kubectl auth can-i` asks. */
export function reviewOwnAccess({ object, caller }: Question, desk: VirtualDesk): Answer {
  const spec = (object['spec'] ?? {}) as AccessAttributes;
  refuse([...eitherOr(spec), ...selectorAttributeProblems(spec), ...metadataProblems(object.metadata)]);
  return { metadata: object.metadata, spec, status: statusOf(spec, caller, desk) };
}

/** What may I? What `kubectl auth can-i --list` asks. */
export function reviewOwnRules({ object, caller }: Question, { authorizer }: VirtualDesk): Answer {
  const { namespace = '' } = (object['spec'] ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, problem: evaluation } = authorizer.rulesFor(caller, namespace);
  return {
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules
        .filter(({ resources }) => resources?.length)
        .map(({ verbs, apiGroups = [], resources = [], resourceNames = [] }) => ({
          verbs,
          ...given({ apiGroups, resources, resourceNames }),
        })),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
      ...(evaluation === '' ? {} : { evaluationError: evaluation }),
    },
  };
}

/** Who am I? What `kubectl auth whoami` asks. */
export function reviewSelf({ caller }: Question, { clock }: VirtualDesk): Answer {
  return { metadata: { creationTimestamp: timestamp(clock.now()) }, status: { userInfo: userInfo(caller) } };
}

/** Who is it that a token stands for? https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-review-v1/ */
export function reviewToken({ object }: Question, { tokens }: VirtualDesk): Answer {
  const spec = (object['spec'] ?? {}) as { readonly token?: string; readonly audiences?: readonly string[] };
  if (!spec.token) throw badRequest('token is required for TokenReview in authentication');
  const reviewed = tokens.review(spec.token, spec.audiences?.length ? spec.audiences : undefined);
  const status =
    'problem' in reviewed
      ? { user: {}, error: reviewed.problem }
      : { authenticated: true, user: userInfo(reviewed.caller), audiences: reviewed.audiences };
  return { metadata: object.metadata, spec, status };
}

function statusOf(spec: AccessAttributes, caller: Caller, { authorizer }: VirtualDesk) {
  const { allowed, reason } = authorizer.decide(caller, actionOf(spec));
  return { allowed, ...given({ reason, evaluationError: evaluationError(spec) }) };
}

function subjectOf({ user = '', groups = [], extra, uid }: SubjectAccess): Caller {
  return { name: user, groups, ...(extra ? { extra } : {}), ...(uid ? { uid } : {}) };
}

function nobody({ user = '', groups = [] }: SubjectAccess): readonly FieldProblem[] {
  if (user !== '' || groups.length > 0) return [];
  return [problem('FieldValueInvalid', 'spec.user', user, 'at least one of user or group must be specified')];
}

function metadataProblems(metadata: object, except = '', shown = metadata): readonly FieldProblem[] {
  const given = Object.entries(metadata).filter(([field, value]) => field !== 'managedFields' && value !== null);
  if (given.length === 0) return [];
  return [problem('FieldValueInvalid', 'metadata', shown, `must be empty${except}`)];
}

function refuse(problems: readonly FieldProblem[]): void {
  // The server has no kind at hand here, and says so.
  if (problems.length > 0) throw invalid({ group: 'authorization.k8s.io', name: '' }, '', problems);
}

function userInfo({ name, uid = '', groups, extra = {} }: Caller): object {
  return { username: name, ...given({ uid, groups, extra }) };
}

/** Without what is empty, which the server leaves out. */
function given(
  fields: Readonly<Record<string, string | readonly string[] | Readonly<Record<string, unknown>>>>,
): object {
  const isEmpty = (value: (typeof fields)[string]) =>
    typeof value === 'object' && !Array.isArray(value) ? Object.keys(value).length === 0 : value.length === 0;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
