import type { Json } from '../../../src/kube/manifest.js';
import type { Edit, JsonMap } from './operation.js';

type Mutable = { [key: string]: Json } | Json[];

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` with `edit` made. What lies on the path and is not there is made; a path through a scalar changes nothing. */
export function edited(value: Json, ...edits: readonly Edit[]): Json {
  const copy = structuredClone(value);
  for (const edit of edits) make(copy, edit);
  return copy;
}

export function at(value: Json | undefined, path: Edit['path']): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, Json>)[step];
  }
  return found;
}

function make(root: Json, { path, value }: Edit): void {
  let parent = root as Mutable;
  for (const [index, step] of path.entries()) {
    if (typeof parent !== 'object' || parent === null) return;
    const map = parent as Record<string | number, Json>;
    if (index === path.length - 1) {
      if (value !== undefined) map[step] = structuredClone(value);
      else if (Array.isArray(parent)) parent.splice(Number(step), 1);
      else delete map[step];
      return;
    }
    if (!Object.hasOwn(map, step) || map[step] === null) {
      if (value === undefined) return;
      map[step] = typeof path[index + 1] === 'number' ? [] : {};
    }
    parent = map[step] as Mutable;
  }
}

/** Every place in `value`, parents before what is in them. */
export function places(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const children = Array.isArray(value)
    ? value.flatMap((item: Json, index) => places(item, [...path, index]))
    : Object.entries(value as JsonMap).flatMap(([key, child]) => places(child, [...path, key]));
  return [path, ...children];
}

/** Fields by name: of several faults in a body the first that is come upon is told, and each side answers in an order of its own. */
export function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inOrder(item));
  if (!isMap(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name] as Json)]));
}
