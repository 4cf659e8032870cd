import type { JsonPatchOperation } from '../../client/cluster.js';
import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { goJson } from '../../schema/go-format.js';
import { equal, isList } from '../fields/field-type.js';

/** An operation of a JSON patch does not fit the document. `isTest` when it was a `test` that found another value. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';

  constructor(
    message: string,
    readonly isTest = false,
  ) {
    super(message);
  }
}

/** 3 MiB of JSON: a few operations could otherwise double a text until no memory is left. */
const mostCopied = 3 * 1024 * 1024;

/**
 * https://www.rfc-editor.org/rfc/rfc6902: all operations in order, or none. `target` is left as it is.
 *
 * Where the server's library is laxer or stricter than the standard, so is this: a field that is missing can be replaced,
 * tested for null and copied, indices count from the end when they are negative, and the whole document can be replaced by
 * a map or a list, and nothing else done to it. What is copied may come to no more than the limit, in all operations together.
 */
export function jsonPatch(target: Json, operations: readonly JsonPatchOperation[]): Json {
  let copied = 0;
  return operations.reduce((document, operation) => {
    copied += bytesCopied(document, operation);
    if (copied > mostCopied) throw new JsonPatchError(`${copied} bytes are copied, and may be ${mostCopied}`);
    return step(document, operation);
  }, target);
}

function step(document: Json, operation: JsonPatchOperation): Json {
  const { path } = operation;
  if (typeof path !== 'string') throw new JsonPatchError('the operation has no path');
  switch (operation.op) {
    case 'add':
      return edit(document, tokensOf(path), (parent, key) => added(parent, key, operand(operation)));
    case 'replace':
      if (path === '') return whole(operand(operation));
      return edit(document, tokensOf(path), (parent, key) => replaced(parent, key, operand(operation)));
    case 'remove':
      return edit(document, tokensOf(path), removed);
    case 'test': {
      const value = path === '' ? document : (read(document, tokensOf(path)) ?? null);
      if (!equal(value, operand(operation))) throw new JsonPatchError(`testing value ${path} failed`, true);
      return document;
    }
    case 'move':
    case 'copy': {
      if (typeof operation.from !== 'string') throw new JsonPatchError('the operation has no from');
      const from = tokensOf(operation.from);
      const value = read(document, from) ?? null;
      const left = operation.op === 'move' ? edit(document, from, removed) : document;
      return edit(left, tokensOf(path), (parent, key) => added(parent, key, value));
    }
    default:
      throw new JsonPatchError(`unexpected kind: ${String((operation as { op: unknown }).op)}`);
  }
}

/** As the server writes it. A null takes nothing. */
function bytesCopied(document: Json, { op, from }: JsonPatchOperation): number {
  if (op !== 'copy' || typeof from !== 'string') return 0;
  const value = read(document, tokensOf(from)) ?? null;
  return value === null ? 0 : Buffer.byteLength(goJson(value));
}

/** What stands before the first slash does not count. */
function tokensOf(pointer: string): string[] {
  const [, ...tokens] = pointer.split('/');
  if (tokens.length === 0) throw new JsonPatchError(`path "${pointer}" leads nowhere`);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Without a value, the server takes null. */
function operand({ value = null }: JsonPatchOperation): Json {
  return value as Json;
}

function whole(value: Json): Json {
  if (isMap(value) || isList(value)) return value;
  throw new JsonPatchError('replace operation value must be object or array');
}

/** Undefined for a field that is not there; a list has to have the item. */
function read(document: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const token of path) value = childOf(value, token);
  return value;
}

function childOf(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return value[indexOf(value, token, value.length - 1)];
  if (isMap(value)) return Object.hasOwn(value, token) ? value[token] : undefined;
  throw new JsonPatchError(`"${token}" is looked for in something that is neither a map nor a list`);
}

function indexOf(list: readonly Json[], token: string, last: number): number {
  const said = /^[-+]?\d+$/.test(token) ? Number(token) : Number.NaN;
  const index = said < 0 ? said + last + 1 : said;
  if (index >= 0 && index <= last) return index;
  throw new JsonPatchError(`index "${token}" of a list with ${list.length} items is out of bounds`);
}

function edit(
  document: Json,
  [token = '', ...rest]: readonly string[],
  change: (parent: Json, key: string) => Json,
): Json {
  if (rest.length === 0) return change(document, token);
  const child = childOf(document, token);
  if (child === undefined) throw new JsonPatchError(`path ends before "${token}"`);
  return replaced(document, token, edit(child, rest, change));
}

function added(parent: Json, key: string, value: Json): Json {
  if (!isList(parent)) return replaced(parent, key, value);
  return parent.toSpliced(key === '-' ? parent.length : indexOf(parent, key, parent.length), 0, value);
}

function replaced(parent: Json, key: string, value: Json): Json {
  if (isList(parent)) return parent.with(indexOf(parent, key, parent.length - 1), value);
  if (!isMap(parent)) throw new JsonPatchError(`"${key}" is put into something that is neither a map nor a list`);
  const entries = Object.entries(parent);
  return Object.fromEntries(
    Object.hasOwn(parent, key)
      ? entries.map(([name, old]) => [name, name === key ? value : old] as const)
      : [...entries, [key, value] as const],
  );
}

function removed(parent: Json, key: string): Json {
  if (isList(parent)) return parent.toSpliced(indexOf(parent, key, parent.length - 1), 1);
  if (!isMap(parent) || !Object.hasOwn(parent, key)) throw new JsonPatchError(`"${key}" does not exist`);
  return Object.fromEntries(Object.entries(parent).filter(([name]) => name !== key));
}
