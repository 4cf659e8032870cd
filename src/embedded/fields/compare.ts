import type { Json } from '../../kube/manifest.js';
import { type FieldPath, type FieldSet, FieldSetBuilder } from './field-set.js';
import {
  deduced,
  equal,
  type FieldType,
  isList,
  isMap,
  type Shape,
  segmentOf,
  shapeOf,
  typeOfField,
} from './field-type.js';

/** What became of each field between two states of one object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(before: Json | undefined, after: Json | undefined, type: FieldType): Comparison {
  const walk: Walk = { added: new FieldSetBuilder(), modified: new FieldSetBuilder(), removed: new FieldSetBuilder() };
  step(before, after, type, [], walk);
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() };
}

interface Walk {
  readonly added: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly removed: FieldSetBuilder;
}

function step(before: Json | undefined, after: Json | undefined, type: FieldType, path: FieldPath, walk: Walk): void {
  // Both may be absent only at the top; the same value has no differences below.
  if (before === after) return;
  const was = shapeOf(type, before ?? after);
  const is = shapeOf(type, after ?? before);
  // A value that became another shape counts as both: what was in it went, and what is in it came.
  if (was !== is) within(was, before, after, type, path, walk);
  within(is, before, after, type, path, walk);
}

function within(
  shape: Shape,
  before: Json | undefined,
  after: Json | undefined,
  type: FieldType,
  path: FieldPath,
  walk: Walk,
): void {
  if (shape === 'leaf' || (isHollow(before) && isHollow(after))) {
    note(before, after, path, walk, !equal(before, after));
    return;
  }
  if (shape === 'map') maps(asMap(before), asMap(after), type, path, walk);
  else lists(asList(before), asList(after), type, path, walk);
  // A node that came or went counts itself, beside what is in it.
  if (before === undefined || after === undefined) note(before, after, path, walk, false);
}

function note(before: Json | undefined, after: Json | undefined, path: FieldPath, walk: Walk, differs: boolean): void {
  if (before === undefined) walk.added.insert(path);
  else if (after === undefined) walk.removed.insert(path);
  else if (differs) walk.modified.insert(path);
}

function maps(before: Map<string, Json>, after: Map<string, Json>, type: FieldType, path: FieldPath, walk: Walk): void {
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    step(before.get(name), after.get(name), typeOfField(type, name).type, [...path, `f:${name}`], walk);
  }
}

function lists(before: readonly Json[], after: readonly Json[], type: FieldType, path: FieldPath, walk: Walk): void {
  const [old, now] = [bySegment(before, type), bySegment(after, type)];
  const itemType = type.type === 'listMap' ? type.item() : deduced;
  for (const segment of new Set([...old.keys(), ...now.keys()])) {
    step(old.get(segment), now.get(segment), itemType, [...path, segment], walk);
  }
}

/** A list item lacks what tells it from others, so that nobody can say who owns what. */
export class UntypedError extends Error {
  override readonly name = 'UntypedError';
}

/** List items by their segment; the first of several equal ones counts. Throws `UntypedError`. */
export function bySegment(items: readonly Json[], type: FieldType): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const item of items) {
    const segment = segmentOf(type, item);
    if (segment === undefined) throw new UntypedError('a list item has no key');
    if (!found.has(segment)) found.set(segment, item);
  }
  return found;
}

function isHollow(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return (isMap(value) && Object.keys(value).length === 0) || (isList(value) && value.length === 0);
}

const asMap = (value: Json | undefined): Map<string, Json> => new Map(isMap(value) ? Object.entries(value) : []);
const asList = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
