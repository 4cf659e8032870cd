import type { JsonPatchOperation } from '../../client/cluster.js';
import type { Json } from '../../kube/manifest.js';
import { equal, isList, isMap } from '../fields/field-type.js';

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

/** https://www.rfc-editor.org/rfc/rfc6902: all operations in order, or none. `target` is left as it is. */
export function jsonPatch(target: Json, operations: readonly JsonPatchOperation[]): Json {
  return operations.reduce((document, operation) => step(document, operation), target);
}

function step(document: Json, operation: JsonPatchOperation): Json {
  const path = tokensOf(operation.path);
  switch (operation.op) {
    case 'add':
      return edit(document, path, operand(operation), 'add');
    case 'replace':
      return edit(document, path, operand(operation), 'replace');
    case 'remove':
      read(document, path, operation.path);
      return edit(document, path, undefined, 'remove');
    case 'test':
      if (!equal(read(document, path, operation.path), operand(operation))) {
        throw new JsonPatchError(`testing value ${operation.path} failed`, true);
      }
      return document;
    case 'move':
    case 'copy': {
      const from = tokensOf(operation.from ?? '');
      const value = read(document, from, operation.from ?? '');
      const without = operation.op === 'move' ? edit(document, from, undefined, 'remove') : document;
      return edit(without, path, value, 'add');
    }
    default:
      throw new JsonPatchError(`unexpected kind: ${String((operation as { op: unknown }).op)}`);
  }
}

function tokensOf(pointer: string | undefined): string[] {
  if (pointer === undefined) throw new JsonPatchError('the operation has no path');
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new JsonPatchError(`path "${pointer}" does not begin with "/"`);
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Without a value, the server takes null. */
function operand({ value = null }: JsonPatchOperation): Json {
  return value as Json;
}

function read(document: Json, path: readonly string[], pointer: string): Json {
  let value: Json | undefined = document;
  for (const token of path) value = childOf(value, token);
  if (value === undefined) throw new JsonPatchError(`path "${pointer}" does not exist`);
  return value;
}

function childOf(value: Json | undefined, token: string): Json | undefined {
  if (isList(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isMap(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

type Edit = 'add' | 'replace' | 'remove';

function edit(document: Json, [token, ...rest]: readonly string[], value: Json | undefined, how: Edit): Json {
  if (token === undefined) {
    if (value === undefined) throw new JsonPatchError('the whole document cannot be removed');
    return value;
  }
  if (rest.length > 0) {
    const child = childOf(document, token);
    if (child === undefined) throw new JsonPatchError(`path ends before "${token}"`);
    return put(document, token, edit(child, rest, value, how), 'replace');
  }
  return put(document, token, value, how);
}

function put(parent: Json, token: string, value: Json | undefined, how: Edit): Json {
  if (isList(parent)) {
    const index = token === '-' ? parent.length : Number(token);
    const last = how === 'add' ? parent.length : parent.length - 1;
    if (!Number.isInteger(index) || index < 0 || index > last)
      throw new JsonPatchError(`index "${token}" is out of bounds`);
    return parent.toSpliced(index, how === 'add' ? 0 : 1, ...(value === undefined ? [] : [value]));
  }
  if (!isMap(parent))
    throw new JsonPatchError(`"${token}" is looked for in something that is neither a map nor a list`);
  const entries = Object.entries(parent);
  if (value === undefined) return Object.fromEntries(entries.filter(([name]) => name !== token));
  return Object.fromEntries(
    Object.hasOwn(parent, token)
      ? entries.map(([name, old]) => [name, name === token ? value : old] as const)
      : [...entries, [token, value] as const],
  );
}
