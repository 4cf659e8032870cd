import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { FieldSet, type Segment } from './field-set.js';
import { type FieldType, isList, segmentOf, shapeOf, typeOfField } from './field-type.js';

/** The fields that `value` sets: what a manager owns by applying it. */
export function fieldSetOf(value: Json, type: FieldType): FieldSet {
  switch (shapeOf(type, value)) {
    case 'leaf':
      return FieldSet.empty;
    case 'map':
      return isMap(value) ? fieldsOf(value, type) : FieldSet.empty;
    default:
      return isList(value) ? itemsOf(value, type) : FieldSet.empty;
  }
}

function fieldsOf(value: JsonMap, type: FieldType): FieldSet {
  const members = new Set<Segment>();
  const below = new Map<Segment, FieldSet>();
  for (const name of Object.keys(value)) {
    const child = value[name] as Json;
    const field = typeOfField(type, name);
    const isLeaf = shapeOf(field.type, child) === 'leaf';
    if (isLeaf || !field.declared || isNothing(child)) members.add(field.segment);
    if (!isLeaf) below.set(field.segment, fieldSetOf(child, field.type));
  }
  return FieldSet.from(members, below);
}

function isNothing(value: Json): boolean {
  if (value === null) return true;
  if (!isMap(value)) return false;
  for (const _ in value) return false;
  return true;
}

/** What stands several times is owned as one. */
function itemsOf(value: readonly Json[], type: FieldType): FieldSet {
  const members = new Set<Segment>();
  const below = new Map<Segment, FieldSet>();
  for (const item of value) {
    const segment = segmentOf(type, item);
    if (segment === undefined) continue;
    if (members.has(segment)) below.delete(segment);
    else if (type.type === 'listMap') below.set(segment, fieldSetOf(item, type.item()));
    members.add(segment);
  }
  return FieldSet.from(members, below);
}
