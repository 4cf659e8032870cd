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
      // A list or map that may be merged but is null owns nothing by itself; whoever holds it decides below.
      set.insert(path);
      return;
    case 'map':
      for (const [name, child] of Object.entries(value as Record<string, Json>)) {
        const field = typeOfField(type, name);
        const at = [...path, `f:${name}`];
        collect(child, field.type, at, set);
        const isEmpty = child === null || (isMap(child) && Object.keys(child).length === 0);
        if (isEmpty || !field.declared) set.insert(at);
      }
      return;
    default:
      for (const item of isList(value) ? value : []) {
        const segment = segmentOf(type, item);
        if (segment === undefined) continue;
        const at = [...path, segment];
        if (type.type === 'listMap') collect(item, type.item(), at, set);
        set.insert(at);
      }
  }
}
