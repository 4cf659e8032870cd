import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { goQuote } from '../../schema/go-format.js';
import { isList } from '../fields/field-type.js';
import { badRequest } from '../status-error.js';
import { checkOrder, fieldNamedBy, hasMaps, inOrder } from './element-order.js';
import { goTypeOf } from './go-value.js';
import { mergedList } from './merged-list.js';
import { badFormat, patchError, unknownDirective, wrongType } from './patch-error.js';
import type { PatchField, PatchType } from './patch-type.js';

const deletion = '$deleteFromPrimitiveList';
const order = '$setElementOrder';

/**
 * `original` with `patch` merged into it by the merge keys and strategies of `type`, as the API server does it down to
 * the order of lists: https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
 *
 * Throws a `StatusError` in the server's words. Neither argument is changed; the result may share parts with both.
 */
export function strategicMergePatch(original: Json, patch: Json, type: PatchType): Json {
  if (patch === null) return original;
  if (!isMap(patch)) {
    const what = isList(patch) ? 'array' : goTypeOf(patch).replace(/int64|float64/, 'number');
    throw badRequest(`json: cannot unmarshal ${what} into Go value of type map[string]interface {}`);
  }
  return mergedMap(isMap(original) ? original : {}, patch, type);
}

type MutableMap = Record<string, Json>;

function mergedMap(original: JsonMap, patch: JsonMap, type: PatchType): JsonMap {
  if (Object.hasOwn(patch, '$patch')) return directed(patch);
  const merged: MutableMap = { ...original };
  const rest: MutableMap = { ...patch };
  if (Object.hasOwn(rest, '$retainKeys')) retainKeys(merged, rest);
  for (const key of Object.keys(rest)) if (key.startsWith(order)) reorder(merged, rest, key, type);

  for (const [key, value] of Object.entries(rest)) {
    const isDeletion = key.startsWith(deletion);
    // A name that is empty is no name, and then the directive itself is taken for a field.
    const field = (isDeletion && fieldNamedBy(key, deletion)) || key;
    const before = Object.hasOwn(merged, field) ? merged[field] : undefined;
    if (value === null) delete merged[field];
    else if (before === undefined || goTypeOf(before) !== goTypeOf(value)) {
      if (!isDeletion) put(merged, field, withoutDirectives(withoutNulls(value)));
    } else if (isMap(before) && isMap(value)) {
      const { type: itsType, strategies } = fieldOf(type, field);
      put(merged, field, strategies.includes('replace') ? value : mergedMap(before, value, itsType()));
    } else if (isList(before) && isList(value)) {
      put(merged, field, mergedField([...before], value, fieldOf(type, field), isDeletion));
    } else put(merged, field, value);
  }
  return merged;
}

/** `live` is private, and changed. */
function mergedField(live: Json[], patch: readonly Json[], field: PatchField, isDeletion: boolean): readonly Json[] {
  if (!isDeletion && !field.strategies.includes('merge')) return patch;
  const type = itemOf(field);
  return mergedList(live, patch, field.mergeKey ?? '', isDeletion, (item, other) => mergedMap(item, other, type));
}

function directed(patch: JsonMap): JsonMap {
  const { $patch: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw unknownDirective(directive as Json, patch);
}

/** Drops every field that `$retainKeys` does not name, and refuses a patch that sets one of those. */
function retainKeys(merged: MutableMap, patch: MutableMap): void {
  const kept = patch['$retainKeys'];
  delete patch['$retainKeys'];
  if (!isList(kept as Json)) throw badFormat('retainKeys');
  const names = new Set(kept as readonly Json[]);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(deletion) || key.startsWith(order)) continue;
    if (!names.has(key)) throw badFormat('retainKeys');
  }
  for (const key of Object.keys(merged)) if (!names.has(key)) delete merged[key];
}

/** Merges a list of the patch, if there is one, and puts it in the order of `$setElementOrder`. Takes both from `patch`. */
function reorder(merged: MutableMap, patch: MutableMap, directive: string, type: PatchType): void {
  const names = patch[directive] as Json;
  delete patch[directive];
  if (!isList(names)) throw wrongType([], names);
  const name = fieldNamedBy(directive, order);
  const before = listIn(merged, name);
  const ours = listIn(patch, name);
  const field = fieldOf(type, name);
  if (field.type().type !== 'list' && field.strategies.length === 0) {
    throw patchError('expected slice or array type, but got: struct');
  }
  const mergeKey = field.mergeKey ?? '';
  checkOrder(ours ?? [], names, mergeKey);
  if (before === undefined && ours === undefined) return;

  const live = [...(before ?? [])];
  let items: readonly Json[] = live;
  if (ours !== undefined) {
    items = before === undefined ? (withoutDirectives(ours) as readonly Json[]) : mergedField(live, ours, field, false);
  }
  hasMaps(before ?? [], ours ?? []);
  put(merged, name, inOrder(items, names, names, live, mergeKey));
  delete patch[name];
}

function listIn(map: JsonMap, name: string): readonly Json[] | undefined {
  if (!Object.hasOwn(map, name)) return undefined;
  const value = map[name] as Json;
  if (!isList(value)) throw wrongType([], value);
  return value;
}

/** By its name, or else by its name in other letters, large or small, as Go finds fields. */
function fieldOf(type: PatchType, name: string): PatchField {
  if (type.type !== 'map' || type.others !== undefined) {
    const kind = type.type === 'list' ? 'slice' : 'map';
    throw patchError(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  if (Object.hasOwn(type.fields, name)) return type.fields[name] as PatchField;
  const folded = Object.keys(type.fields).find((other) => other.toLowerCase() === name.toLowerCase());
  if (folded !== undefined) return type.fields[folded] as PatchField;
  throw patchError(`unable to find api field in struct ${type.name ?? ''} for the json field ${goQuote(name)}`);
}

function itemOf(field: PatchField): PatchType {
  const type = field.type();
  return type.type === 'list' ? type.item() : type;
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null)
      .map(([key, child]) => [key, withoutNulls(child)]),
  );
}

/** Undefined for a map that is itself a directive: nothing is there to replace or delete. */
function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  if (Object.hasOwn(value, '$patch')) return undefined;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]) => [key, withoutDirectives(child)] as const)
      .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
  );
}

/** An assignment that takes `__proto__` for a name like any other. */
function put(map: MutableMap, key: string, value: Json | undefined): void {
  if (value === undefined) delete map[key];
  else if (key !== '__proto__') map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
