import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { FieldSet } from './field-set.js';
import { deduced, type FieldType, isList, segmentOf, shapeOf, typeOfField } from './field-type.js';

/**
 * `value` without the fields of `set`. What is left empty by that becomes null, which the caller drops: a map that
 * nobody wrote anything into is not the same as an empty one.
 */
export function remove(value: Json, set: FieldSet, type: FieldType): Json {
  if (set.isEmpty || value === null) return value;
  switch (shapeOf(type, value)) {
    case 'leaf':
      return typeof value === 'object' ? null : value;
    case 'map': {
      const kept = Object.entries(isMap(value) ? value : {})
        .filter(([name]) => !set.hasMember(`f:${name}`))
        .map(([name, child]) => [name, remove(child, set.under(`f:${name}`), typeOfField(type, name).type)] as const);
      return kept.length === 0 ? null : Object.fromEntries(kept);
    }
    default: {
      const itemType = type.type === 'listMap' ? type.item() : deduced;
      const kept = (isList(value) ? value : []).flatMap((item) => {
        const segment = segmentOf(type, item);
        if (segment === undefined) return [item];
        return set.hasMember(segment) ? [] : [remove(item, set.under(segment), itemType)];
      });
      return kept.length === 0 ? null : kept;
    }
  }
}

/**
 * `set` with each declared field counted as a member when something below it is, so that removing what is in a struct
 * can remove the struct.
 */
export function withNamedFields(set: FieldSet, type: FieldType): FieldSet {
  const members = new Set<string>();
  const below = new Map<string, FieldSet>();
  for (const segment of set.segments()) {
    if (set.hasMember(segment)) members.add(segment);
    const child = set.under(segment);
    if (child.isEmpty) continue;
    const [declared, childType] = typeBelow(segment, type);
    if (declared) members.add(segment);
    below.set(segment, withNamedFields(child, childType));
  }
  return FieldSet.from(members, below);
}

function typeBelow(segment: string, type: FieldType): readonly [declared: boolean, type: FieldType] {
  if (segment.startsWith('f:')) {
    const field = typeOfField(type, segment.slice(2));
    return [field.declared, field.type];
  }
  return [false, type.type === 'listMap' ? type.item() : deduced];
}
