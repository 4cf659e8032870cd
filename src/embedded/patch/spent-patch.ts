import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { isList } from '../fields/field-type.js';
import { fieldNamedBy } from './element-order.js';
import type { PatchField, PatchType } from './patch-type.js';

const order = '$setElementOrder';

/**
 * What is left of a strategic merge patch when it has been merged, which is how the server shows it where the result is
 * no object of the kind: directives that were followed are gone, and so is what they were about.
 */
export function spentPatch(original: Json, patch: Json, type: PatchType): Json {
  return isMap(patch) ? spentMap(isMap(original) ? original : {}, patch, type) : patch;
}

function spentMap(original: JsonMap, patch: JsonMap, type: PatchType): JsonMap {
  const { $patch: directive, $retainKeys: retained, ...others } = patch;
  const rest: Record<string, Json> = others;
  if (directive === 'replace') return { ...rest, ...(retained !== undefined && { $retainKeys: retained }) };
  if (directive !== undefined) return patch;
  for (const key of Object.keys(rest)) {
    if (!key.startsWith(order)) continue;
    delete rest[key];
    delete rest[fieldNamedBy(key, order)];
  }
  const isKept = (field: string) => retained === undefined || (isList(retained) && retained.includes(field));
  for (const [field, value] of Object.entries(rest)) {
    if (field.startsWith('$') || value === null) continue;
    const before = Object.hasOwn(original, field) && isKept(field) ? original[field] : undefined;
    rest[field] = before === undefined ? taken(value) : spent(before, value, fieldOf(type, field));
  }
  return rest;
}

function spent(before: Json, value: Json, field: PatchField | undefined): Json {
  if (isMap(before) && isMap(value)) {
    if (field === undefined || field.strategies.includes('replace')) return value;
    return spentMap(before, value, field.type());
  }
  if (isList(before) && isList(value)) {
    return field?.strategies.includes('merge') && field.mergeKey ? spentItems(before, value, field) : value;
  }
  return typeof before === typeof value && isList(before) === isList(value) ? value : taken(value);
}

/** Items that meet another one are merged into it, unless the list is replaced. */
function spentItems(before: readonly Json[], items: readonly Json[], field: PatchField): readonly Json[] {
  const { mergeKey = '' } = field;
  const list = field.type();
  const type = list.type === 'list' ? list.item() : list;
  const directive = (item: Json) => (isMap(item) ? item['$patch'] : undefined);
  if (items.some((item) => directive(item) === 'replace')) return items;
  return items.map((item) => {
    if (!isMap(item) || directive(item) !== undefined) return item;
    const other = before.find((each) => isMap(each) && each[mergeKey] === item[mergeKey]);
    return isMap(other as Json) ? spentMap(other as JsonMap, item, type) : item;
  });
}

/** What is new is taken as it is, less what says that something shall go. Of a list itself nothing goes. */
function taken(value: Json): Json {
  return withoutDirectives(withoutNulls(value));
}

/** Nulls go also from what says what shall be done with it. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]));
}

function withoutDirectives(value: Json): Json {
  if (isList(value)) return value.map(withoutDirectives);
  if (!isMap(value) || isDirective(value)) return value;
  const kept = Object.entries(value).filter(([, child]) => !isDirective(child));
  return Object.fromEntries(
    kept.map(([key, child]) => [key, isList(child) ? itemsLeft(child) : withoutDirectives(child)]),
  );
}

function itemsLeft(items: readonly Json[]): readonly Json[] {
  const kept = items.filter((item) => !isDirective(item));
  return kept.map((item) => (isList(item) ? itemsLeft(item) : withoutDirectives(item)));
}

function isDirective(value: Json): boolean {
  return isMap(value) && Object.hasOwn(value, '$patch');
}

function fieldOf(type: PatchType, name: string): PatchField | undefined {
  if (type.type !== 'map' || type.others !== undefined) return undefined;
  return Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
}
