import type { Json } from '../../kube/manifest.js';
import type { JsonMap } from '../../kube/plain-map.js';
import type { WriteRequest } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { checkHead } from './body-head.js';

export function apiVersionOf({ group, version }: ServedKind): string {
  return group === '' ? version : `${group}/${version}`;
}

export function aboutResource({ group, plural }: ServedKind): { group: string; name: string } {
  return { group, name: plural };
}

/** The kind as the store knows it: an Event of the newer group is refused as one of the core. */
export function aboutKind({ group, kind, storage }: ServedKind): { group: string; name: string } {
  return { group: storage.includes('.') ? group : '', name: kind };
}

/** A body that was sent whole, with defaults. Throws a `StatusError` (400) for what is not an object of the kind. */
export function decode(kind: ServedKind, body: Json, request: Strictness): Draft {
  const { object, strict: unknown } = kind.shape.decode(checked(kind, body, request));
  const strict = withTextProblems(request, unknown);
  const warnings = judge(strict, request.fieldValidation, () =>
    badRequest(`${cannotBeHandled(object)}: strict decoding error: ${strict.join(', ')}`),
  );
  request.warnings?.push(...warnings);
  const expected = apiVersionOf(kind);
  if (object.apiVersion !== expected) {
    const said = object.apiVersion ?? '';
    throw badRequest(`the API version in the data (${said}) does not match the expected API version (${expected})`);
  }
  kind.rules.default?.(object);
  return object;
}

function checked(kind: ServedKind, body: Json, { fieldValidation, text }: Strictness): JsonMap {
  if (!kind.shape.checkHead) {
    checkHead(kind, body, text);
    return body;
  }
  kind.shape.checkHead(body, fieldValidation === 'Ignore', text);
  return body as JsonMap;
}

export type Strictness = Pick<WriteRequest, 'fieldValidation' | 'strictProblems' | 'text'> & {
  /** Takes what there is to warn of. */
  readonly warnings?: string[];
};

/** What was found in the text comes before what the schema says; nothing is said of what is inside an unknown field. */
export function withTextProblems({ strictProblems = [] }: Strictness, unknown: readonly string[]): readonly string[] {
  if (strictProblems.length === 0) return unknown;
  const paths = unknown.flatMap((problem) => /^unknown field "(.*)"$/.exec(problem)?.[1] ?? []);
  const isInside = (problem: string) =>
    paths.some(
      (path) => problem.startsWith(`duplicate field "${path}.`) || problem.startsWith(`duplicate field "${path}[`),
    );
  return [...strictProblems.filter((problem) => !isInside(problem)), ...unknown];
}

/** Strict problems as warnings, or thrown by `refuse`, or passed over. */
export function judge(
  strict: readonly string[],
  validation: WriteRequest['fieldValidation'],
  refuse: () => Error,
): readonly string[] {
  if (strict.length === 0 || validation === 'Ignore') return [];
  if (validation === 'Strict') throw refuse();
  return strict;
}

/** Once it is decoded the server takes a body for what it says that it is. */
function cannotBeHandled({ apiVersion, kind }: Draft): string {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
}
