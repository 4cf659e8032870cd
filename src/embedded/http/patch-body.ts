import type { JsonPatchOperation } from '../../client/cluster.js';
import type { Json } from '../../kube/manifest.js';
import type { PatchRequest } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, unsupportedMediaType } from '../status-error.js';
import { unknownFormat } from './http-status.js';
import { JsonError, type JsonText, readJson, tooLargeNumber } from './json-text.js';
import { mediaTypeOf, mistyped } from './request-body.js';
import { isTyped } from './typed-kind.js';
import { controls, hasControls, readYaml, YamlError } from './yaml-text.js';

export interface ReadPatch {
  readonly patch: PatchRequest;
  /** What of the text strict field validation refuses, before any schema is asked. */
  readonly strict: readonly string[];
}

const types: Readonly<Record<string, PatchRequest['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Throws a `StatusError` (415) for a patch that the kind does not take. */
export function patchTypeOf(contentType: string | undefined, kind: ServedKind): PatchRequest['type'] {
  const name = mediaTypeOf(contentType);
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (isTyped(kind)) {
    if (type === undefined) throw unsupportedMediaType('415: Unsupported Media Type');
    return type;
  }
  if (type !== undefined && type !== 'strategic') return type;
  throw unknownFormat(Object.keys(types).filter((each) => types[each] !== 'strategic'));
}

const object = 'map[string]interface {}';

/**
 * The patch of a body. Throws a `StatusError` (400) in the server's words for what is none. `isLenient`: nothing is judged
 * strictly, so that the server reads it in another way.
 */
export function readPatch(text: string, type: PatchRequest['type'], isLenient: boolean): ReadPatch {
  if (type === 'apply') return readApply(text);
  const prefix = type === 'strategic' || isLenient ? '' : 'error decoding patch: ';
  let read: JsonText;
  try {
    read = readJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw badRequest(type === 'merge' && isLenient ? 'Invalid JSON Patch' : `${prefix}${error.message}`);
  }
  const { value, duplicates, infinite } = read;
  if (infinite !== undefined) {
    throw badRequest(
      `${prefix}${tooLargeNumber(infinite, type === 'json' ? 'struct field jsonPatchOp.value' : 'value')}`,
    );
  }
  if (type === 'json') {
    const { operations, unknown } = isLenient ? lenientOperationsOf(value) : operationsOf(value);
    const strict = [...duplicates, ...unknown].map((problem) => `json patch ${problem}`);
    return { patch: { type, operations }, strict };
  }
  const isMap = typeof value === 'object' && !Array.isArray(value);
  if (type === 'merge') {
    // Whatever it is, a list takes the place of the object.
    if (isLenient && Array.isArray(value)) return { patch: { type, body: value as never }, strict: [] };
    if (value === null || (isLenient && !isMap)) throw badRequest('Invalid JSON Patch');
  }
  if (!isMap) throw badRequest(`${prefix}${mistyped(value, object)}`);
  return { patch: { type, body: value ?? {} }, strict: duplicates };
}

function readApply(text: string): ReadPatch {
  const { value, duplicates } = applied(text);
  if (typeof value !== 'object' || Array.isArray(value)) {
    const because = mistyped(value, object);
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${because}`);
  }
  return { patch: { type: 'apply', body: value ?? {} }, strict: duplicates };
}

/** Most clients send JSON, which is read ten times as fast as the YAML that it is as well. */
function applied(text: string): JsonText {
  if (text.startsWith('{')) {
    if (hasControls(text)) throw unconvertible(`yaml: ${controls}`);
    if (surrogate.test(text)) throw unconvertible('yaml: found invalid Unicode character escape code');
    try {
      const read = readJson(text);
      if (hasLongKey(text)) throw unconvertible("yaml: did not find expected ',' or '}'");
      if (read.duplicates.length === 0 && read.infinite === undefined) return read;
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
  }
  try {
    return readYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw unconvertible(error.message);
    throw error;
  }
}

/** YAML has no pairs of escapes for one character. */
const surrogate = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Nor has it keys of more than 1,024 characters, with their quotes, unless a question mark says so, which no JSON has. */
function hasLongKey(text: string): boolean {
  if (!/"(?:[^"\\]|\\.){500}/.test(text)) return false;
  return [...text.matchAll(/("(?:[^"\\]|\\.)*")(:?)/g)].some(([, word = '', colon]) => colon && word.length > 1024);
}

function unconvertible(why: string): Error {
  return badRequest(`error decoding YAML: error converting YAML to JSON: ${why}`);
}

const operationFields = ['op', 'path', 'from', 'value'];

function operationsOf(value: Json): { operations: readonly JsonPatchOperation[]; unknown: readonly string[] } {
  if (value === null) return { operations: [], unknown: [] };
  const refuse = (found: Json, type: string) => badRequest(`error decoding patch: ${mistyped(found, type)}`);
  if (!Array.isArray(value)) throw refuse(value, '[]handlers.jsonPatchOp');
  const unknown: string[] = [];
  for (const [index, operation] of (value as readonly Json[]).entries()) {
    if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
      throw refuse(operation, 'handlers.jsonPatchOp');
    }
    for (const [name, field] of Object.entries(operation)) {
      if (!operationFields.includes(name)) unknown.push(`unknown field ${JSON.stringify(`[${index}].${name}`)}`);
      else if (name !== 'value' && typeof field !== 'string' && field !== null) {
        const said = mistyped(field, '').replace(
          /Go value of type $/,
          `Go struct field jsonPatchOp.${name} of type string`,
        );
        throw badRequest(`error decoding patch: ${said}`);
      }
    }
  }
  return { operations: value as unknown as readonly JsonPatchOperation[], unknown };
}

/** Read without looking at what is in each: that is found out when it is done. */
function lenientOperationsOf(value: Json): { operations: readonly JsonPatchOperation[]; unknown: readonly string[] } {
  if (value !== null && !Array.isArray(value)) throw badRequest(mistyped(value, 'jsonpatch.Patch'));
  const operations = (value ?? []) as readonly Json[];
  for (const each of operations) {
    if (each !== null && (typeof each !== 'object' || Array.isArray(each))) {
      throw badRequest(mistyped(each, 'jsonpatch.Operation'));
    }
  }
  return { operations: operations.map((each) => each ?? {}) as unknown as readonly JsonPatchOperation[], unknown: [] };
}
