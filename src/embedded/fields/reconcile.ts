import type { FieldSet } from './field-set.js';
import { deduced, type FieldType, typeOfField } from './field-type.js';

/** Sets that were found to be right already, by the type that they are right for. */
const right = new WeakMap<FieldSet, FieldType>();

/** A set after the type has changed: who owned a part of what is owned as one now owns the whole. */
export function reconciled(set: FieldSet, type: FieldType): FieldSet {
  if (right.get(set) === type) return set;
  const next = step(set, type);
  right.set(next, type);
  return next;
}

function step(set: FieldSet, type: FieldType): FieldSet {
  // Of what a schema says nothing it never said anything else.
  if (type.type === 'deduced' || type.type === 'atomic') return set;
  return set.withBelow((segment, child) => {
    const below = typeBelow(segment, type);
    return below.type === 'atomic' && below.scalar === undefined ? undefined : step(child, below);
  });
}

function typeBelow(segment: string, type: FieldType): FieldType {
  if (type.type === 'struct') return segment.startsWith('f:') ? typeOfField(type, segment.slice(2)).type : deduced;
  return type.type === 'listMap' ? type.item() : deduced;
}
