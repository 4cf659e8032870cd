import type { Json } from '../../kube/manifest.js';
import type { WriteRequest } from '../api-server.js';
import { shapeOf } from '../built-in/built-in-shape.js';
import type { Draft } from '../draft.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';

export interface Decoded {
  readonly draft: Draft;
  readonly warnings: readonly string[];
}

type JsonObject = { readonly [field: string]: Json };

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

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A body that was sent whole, with defaults. Throws a `StatusError` (400) for what is not an object of the kind. */
export function decode(kind: ServedKind, body: Json, request: Strictness): Decoded {
  if (!isObject(body)) throw badRequest(unreadable(kind, body));
  const expected = apiVersionOf(kind);
  const { apiVersion = expected, kind: said = kind.kind } = body;
  if (kind.shape.checkHead) kind.shape.checkHead(body);
  else if (apiVersion !== expected || said !== kind.kind) {
    throw badRequest(mismatch(kind, String(apiVersion), String(said)));
  }
  const { object, strict: unknown } = kind.shape.decode(
    body['apiVersion'] === expected && body['kind'] === kind.kind ? body : { ...body, apiVersion, kind: said },
  );
  const strict = withTextProblems(request, unknown);
  const warnings = judge(strict, request.fieldValidation, () =>
    badRequest(`${cannotBeHandled(kind)}: strict decoding error: ${strict.join(', ')}`),
  );
  kind.rules.default?.(object);
  return { draft: object, warnings };
}

export type Strictness = Pick<WriteRequest, 'fieldValidation' | 'strictProblems'>;

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

export function cannotBeHandled({ kind, version }: ServedKind): string {
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
}

function mismatch(kind: ServedKind, apiVersion: string, said: string): string {
  // Of a kind that nobody knows the server says so; of another one, that it is not the one that is wanted.
  if (apiVersion !== apiVersionOf(kind) && shapeOf(apiVersion, said)) {
    return `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`;
  }
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return `${said} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${unregistered(said, apiVersion)}`;
}

export function unregistered(kind: string, apiVersion: string): string {
  const [said, version] = [kind, apiVersion].map((text) => JSON.stringify(text));
  return `no kind ${said} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`;
}

function unreadable({ kind, version }: ServedKind, body: Json): string {
  const type = Array.isArray(body) ? 'array' : body === null ? 'null' : typeof body;
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: json: cannot unmarshal ${type} into Go value of type ${version}.${kind}`;
}
