import {
  AlreadyExistsError,
  type ApiError,
  ConflictError,
  FieldConflict,
  ForbiddenError,
  GoneError,
  InvalidError,
  KindNotServedError,
  NotFoundError,
  RetryAfterError,
  type Status,
  TransportError,
  UnauthorizedError,
} from './api-error.js';
import { DeadlineError } from './deadline-error.js';

/** What was asked, for the first words of an error: subject and step. */
export interface Asked {
  /** `Deployment/default/cache`, or a kind where it was about many. */
  readonly subject: string;
  /** `apply`, `list`, … */
  readonly verb: string;
  /** Its kind is one of Kubernetes itself. */
  readonly isBuiltIn?: boolean;
}

const undeclared = /field not declared in schema|strict decoding error: .*\bunknown field "/s;
const otherDefinition =
  'the field is misspelt, or the API server knows the kind by another definition than this was written for: apply the ' +
  'CustomResourceDefinition that goes with it, or leave the field out';
const otherVersion =
  'the field is misspelt, or the API server is of a version of Kubernetes in which the kind has none of that name: leave it ' +
  'out, or upgrade the cluster';

const noBase64 = /illegal base64 data at input byte/;
const texts =
  'data of a Secret and binaryData of a ConfigMap are base64: write a text into stringData of the one, and data of the other';

const noSuchKind =
  'the API server does not serve the kind in this version, or its definition has another scope than the class, Namespaced or ' +
  'Cluster: see "kubectl api-resources", and import it anew';

/** As kinds of an aggregated API server may be, such as those of metrics. */
const unwatched =
  'the API server lists this kind, and has no watch of it, so that nobody hears of changes: ask for it in an external instead';

/** These arrive with code 500 though the same request can never succeed; their code is no guide. */
const permanent = [
  undeclared,
  /failed to create typed (patch|live) object/,
  /duplicate entries for key/,
  noBase64,
  /etcdserver: request is too large/,
  /trying to send message larger than max/,
];

/**
 * The error for a response with a code of 300 or more, by what a caller does about it.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 */
export function responseError(
  { subject, verb, isBuiltIn }: Asked,
  code: number,
  answer: Status,
  retryAfterSeconds: number | undefined,
): ApiError {
  const status = withoutObject(answer);
  const said = status.message ?? `the server answered ${code}`;
  const message = `${subject} ${verb} failed: ${said}`;
  const seconds = status.details?.retryAfterSeconds ?? retryAfterSeconds;
  // Filters that stand before the API answer in plain text: the code is all of the account that there is.
  const options = { status: { code, ...status } };
  const hint = hintFor(said, isBuiltIn);

  if (isDenied(said, code)) return new ForbiddenError(message, options);
  if (code < 400) return new TransportError(message, { ...options, hint: sentElsewhere });
  switch (code) {
    case 401:
      return new UnauthorizedError(message, { ...options, hint: 'the credentials are not valid at this API server' });
    case 403:
      return new ForbiddenError(message, { ...options, hint: rbacHint(said) });
    case 404:
      // Of an object that lacks the server says the name, and of a path that it does not know nothing, or only a text.
      return status.details?.name === undefined
        ? new KindNotServedError(message, { ...options, hint: noSuchKind })
        : new NotFoundError(message, options);
    case 409:
      if (status.reason === 'AlreadyExists') return new AlreadyExistsError(message, options);
      return conflictsOf(status).length > 0
        ? new FieldConflict(message, conflictsOf(status), {
            ...options,
            hint: 'drop the field from what you compose, so that its manager keeps it, or apply with force to take it over',
          })
        : new ConflictError(message, options);
    case 410:
      return new GoneError(message, options);
    case 429:
      return new RetryAfterError(message, positive(seconds) ?? 1, options);
    case 405:
      return new InvalidError(message, { ...options, hint: verb === 'watch' ? unwatched : undefined });
    case 400:
    case 406:
    case 413:
    case 415:
      return new InvalidError(message, { ...options, hint });
    case 422:
      return isAnother(status) ? new ConflictError(message, options) : new InvalidError(message, options);
    default:
      if (code === 500 && permanent.some((pattern) => pattern.test(said))) {
        return new InvalidError(message, { ...options, hint });
      }
      if (positive(seconds) !== undefined) return new RetryAfterError(message, positive(seconds) as number, options);
      return new (code === 504 ? DeadlineError : TransportError)(message, options);
  }
}

/** What to do about what is sent, where that can never succeed. */
function hintFor(said: string, isBuiltIn: boolean | undefined): string | undefined {
  if (undeclared.test(said)) return isBuiltIn ? otherVersion : otherDefinition;
  return noBase64.test(said) ? texts : undefined;
}

/** What a header `Retry-After` asks for at `now`: a number, or a date, as what is before the server may send it. */
export function secondsOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = Number(retryAfter);
  return Number.isNaN(seconds) ? (Date.parse(retryAfter) - now) / 1000 : seconds;
}

const sentElsewhere =
  'an API server sends nobody elsewhere: see which proxy or login stands at this address, or give the address behind it';

/**
 * An API server that cannot decode what a patch would make of an object quotes all of that: of a Secret what nobody may read,
 * and of others more than anybody would.
 *
 * https://github.com/kubernetes/kubernetes/blob/v1.36.0/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go
 */
function withoutObject(status: Status): Status {
  const { message, details } = status;
  if (!message?.includes(quoted)) return status;
  const causes = details?.causes?.map((cause) => {
    return cause.field === 'patch' ? { ...cause, message: (cause.message ?? '').replace(quotedValue, '') } : cause;
  });
  const more = causes ? { details: { ...details, causes } } : {};
  return { ...status, message: message.replace(quotedPatch, 'patch: '), ...more };
}

const quoted = 'patch: Invalid value: "';
const quotedValue = /^Invalid value: "(?:[^"\\]|\\.)*": /s;
const quotedPatch = /patch: Invalid value: "(?:[^"\\]|\\.)*": /s;

/**
 * True where an admission webhook or policy refuses. The code is its author's choice, and those that an API server says of itself
 * would be taken at their word: a conflict is tried again and told nobody, and a path that is not there is waited for. That of a
 * policy is 422 where its author chose none, also of what may be taken a moment later, as for its parameters.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#response
 * https://github.com/kubernetes/kubernetes/blob/v1.36.0/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go
 */
function isDenied(said: string, code: number): boolean {
  return policyDenial.test(said) || (ownCodes.has(code) && /^admission webhook "[^"]*" denied the request/.test(said));
}

const policyDenial = /^[^:]*forbidden: ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request/;

const ownCodes: ReadonlySet<number> = new Set([401, 404, 409, 410]);

/** An uid that a caller insisted on is that of another object: a precondition, which applies have refused as an edit of it. */
function isAnother({ details }: Status): boolean {
  return (details?.causes ?? []).some(({ field }) => field === 'metadata.uid');
}

/** `conflict with "kubectl" using apps/v1` and the like, one cause a field. */
function conflictsOf({ details }: Status): { field: string; manager: string }[] {
  return (details?.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({ field, manager: /"((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message }));
}

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping */
const escalation = /attempting to grant RBAC permissions not currently held/;

function rbacHint(message: string): string | undefined {
  if (escalation.test(message)) {
    return 'let this account grant it, by the verb "bind" on the role that is bound, or "escalate" on a role that is written: an operator has both by its rights';
  }
  const missing = /cannot (\w+) resource "([^"]+)" in API group "([^"]*)"/.exec(message);
  if (!missing) return undefined;
  const [, verb, resource = '', group] = missing;
  const [plural, ...subresource] = resource.split('/');
  const named = [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
  return `allow "${verb}" on ${named} in the Role or ClusterRole of this account`;
}

/** Nobody means more: a moment of Unix time in place of a number of seconds, as some servers send it, would be half a century. */
const longestPatience = 3600;

function positive(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0
    ? Math.min(seconds, longestPatience)
    : undefined;
}
