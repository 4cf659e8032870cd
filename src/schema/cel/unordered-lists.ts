import type { StructuralSchema } from '../structural.js';
import { escapedName } from './escape.js';

type List = readonly unknown[];
/** What tells an item from the others. */
export type KeyOf = (item: unknown) => unknown;

/** The items of a set are their own keys. */
export const itself: KeyOf = (item) => item;

const keys = new WeakMap<List, KeyOf>();

/** `list`, known from now on for a set or a list map if `schema` says so: https://kubernetes.io/docs/reference/using-api/cel/#cel-options-language-features-and-libraries */
export function typedList(list: List, schema: StructuralSchema): List {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return listByKey(list, itself);
  if (type === 'map') {
    const names = (schema['x-kubernetes-list-map-keys'] ?? []).map((name) => escapedName(name) ?? name);
    return listByKey(list, (item) => (item instanceof Map ? names.map((name): unknown => item.get(name)) : item));
  }
  return list;
}

/** What tells the items of a set or a list map apart; undefined for any other list. */
export function keyOfItems(list: List): KeyOf | undefined {
  return keys.get(list);
}

/** `list` as one whose items `keyOf` tells apart. */
export function listByKey(list: List, keyOf: KeyOf): List {
  keys.set(list, keyOf);
  return list;
}

/**
 * Throws, in the words of Go, where a set has objects or lists for items: the server has made their own keys of them before it finds
 * that it cannot. https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiserver/pkg/cel/common/valuesunstructured.go
 */
export function refuseUnhashable(items: List, words = 'runtime error: hash of unhashable type'): void {
  for (const item of items) {
    if (!(item instanceof Map) && !Array.isArray(item)) continue;
    const type = Array.isArray(item) ? '[]interface {}' : 'map[string]interface {}';
    throw new Error(`internal error: ${words} ${type}`);
  }
}
