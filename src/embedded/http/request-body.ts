import type { Json } from '../../kube/manifest.js';
import { badRequest } from '../status-error.js';
import { goHead } from '../verbs/body-head.js';
import { bodySummary } from '../verbs/body-summary.js';
import { unknownFormat } from './http-status.js';
import { JsonError, readJson, tooLargeNumber } from './json-text.js';
import { decodeObject } from './protobuf/decode-message.js';
import { WireError } from './protobuf/wire.js';
import { readYaml, YamlError } from './yaml-text.js';

/** What was in a body, and what of it strict field validation refuses before any schema is asked. */
export interface ReadBody {
  readonly value: Json;
  readonly strict: readonly string[];
  /** A number that JavaScript cannot hold, nor Go. */
  readonly infinite?: string;
  /** What stood in the body, when it was text. */
  readonly text?: string;
}

export const protobuf = 'application/vnd.kubernetes.protobuf';

/** `application/json` of `application/json; charset=utf-8`. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Which kind a body has to have, and whether the server has a Go type for it. */
export interface Expected {
  readonly kind: string;
  readonly isTyped: boolean;
}

/** The object of a POST or PUT. Throws a `StatusError` (400, 415) for what is none, in the server's words. */
export function readObject(bytes: Buffer, contentType: string | undefined, { kind, isTyped }: Expected): ReadBody {
  const unrecognized = (because: string) =>
    badRequest(`the object provided is unrecognized (must be of type ${kind}): ${because} (${bodySummary(bytes)})`);
  const type = mediaTypeOf(contentType) || 'application/json';
  const isProtobuf = type === protobuf && isTyped;
  const text = isProtobuf ? '' : bytes.toString();
  const read = isProtobuf ? fromProtobuf(bytes, unrecognized) : parsed(text, type, unrecognized);
  const { value } = read;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unrecognized(`couldn't get version/kind; json parse error: ${mistyped(value, goHead)}`);
  }
  // A Go type says itself which numbers it takes.
  if (read.infinite !== undefined && !isTyped) {
    const { apiVersion } = (value ?? {}) as { readonly apiVersion?: Json };
    const version = JSON.stringify(String(apiVersion ?? '').replace(/^.*\//, ''));
    throw badRequest(`${kind} in version ${version} cannot be handled as a ${kind}: ${tooLargeNumber(read.infinite)}`);
  }
  // Of a custom resource the server knows nothing that would let it guess.
  return { ...read, value: isTyped ? (value ?? {}) : value, ...(isProtobuf ? {} : { text }) };
}

function fromProtobuf(bytes: Buffer, refuse: (because: string) => Error): ReadBody {
  try {
    return { value: decodeObject(bytes), strict: [] };
  } catch (error) {
    if (error instanceof WireError) throw refuse(error.message);
    throw error;
  }
}

function parsed(text: string, type: string, refuse: (because: string) => Error): ReadBody {
  try {
    if (type === 'application/json') {
      const { value, duplicates, ...rest } = readJson(text);
      return { value, strict: duplicates, ...rest };
    }
    if (type === 'application/yaml') {
      const { value, duplicates } = readYaml(text);
      return { value, strict: yamlProblems(duplicates) };
    }
  } catch (error) {
    if (error instanceof JsonError) throw refuse(`couldn't get version/kind; json parse error: ${error.message}`);
    if (error instanceof YamlError) throw refuse(error.message);
    throw error;
  }
  throw unknownFormat();
}

function yamlProblems(duplicates: readonly string[]): string[] {
  return duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
}

/** `json: cannot unmarshal array into Go value of type …`. */
export function mistyped(value: Json, type: string): string {
  const is = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${is} into Go value of type ${type}`;
}
