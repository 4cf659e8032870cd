import type { Json } from '../../kube/manifest.js';
import { type FieldPath, type FieldSet, FieldSetBuilder } from './field-set.js';
import { type FieldType, isList, isMap, segmentOf, shapeOf, typeOfField } from './field-type.js';

/** The fields that `value` sets: what a manager owns by applying it. */
export function fieldSetOf(value: Json, type: FieldType): FieldSet {
  const set = new FieldSetBuilder();
  collect(value, type, [], set);
  return set.build();
}

function collect(value: Json, type: FieldType, path: FieldPath, set: FieldSetBuilder): void {
  switch (shapeOf(type, value)) {
    case 'leaf':
      set.insert(path);
      return;
    case 'map':
      if (!isMap(value)) return;
      for (const name of Object.keys(value)) {
        const child = value[name] as Json;
        const field = typeOfField(type, name);
        const at = [...path, `f:${name}`];
        collect(child, field.type, at, set);
        if (!field.declared || isNothing(child)) set.insert(at);
      }
      return;
    default:
      if (isList(value)) collectItems(value, type, path, set);
  }
}

function isNothing(value: Json): boolean {
  if (value === null) return true;
  if (!isMap(value)) return false;
  for (const _ in value) return false;
  return true;
}

/** What stands several times is owned as one. */
function collectItems(value: readonly Json[], type: FieldType, path: FieldPath, set: FieldSetBuilder): void {
  const segments = value.map((item) => segmentOf(type, item));
  for (const [index, segment] of segments.entries()) {
    if (segment === undefined) continue;
    const at = [...path, segment];
    set.insert(at);
    if (type.type !== 'listMap') continue;
    const isOnlyOne = segments.indexOf(segment) === index && segments.lastIndexOf(segment) === index;
    if (isOnlyOne) collect(value[index] as Json, type.item(), at, set);
  }
}
