import type { Json } from '../../kube/manifest.js';
import { saysMore } from '../said-more.js';
import { type FieldPath, type FieldSet, FieldSetBuilder } from './field-set.js';
import {
  deduced,
  equal,
  type FieldType,
  isList,
  isMap,
  type JsonMap,
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
  const was = shapeOf(type, before === undefined ? after : before);
  const is = shapeOf(type, after === undefined ? before : after);
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
  if (shape === 'leaf') {
    note(before, after, path, walk, !equal(before, after) || listsSayMore(after));
    return;
  }
  if (shape === 'map') {
    const [old, now] = [mapOf(before), mapOf(after)];
    if (old || now) maps(old ?? empty, now ?? empty, type, path, walk);
    else note(before, after, path, walk, !equal(before, after));
  } else {
    const [old, now] = [listOf(before), listOf(after)];
    if (old || now) lists(old ?? [], now ?? [], type, path, walk);
    else note(before, after, path, walk, !equal(before, after));
  }
  // A node that came or went counts itself, beside what is in it.
  if (before === undefined || after === undefined) note(before, after, path, walk, false);
}

function note(before: Json | undefined, after: Json | undefined, path: FieldPath, walk: Walk, differs: boolean): void {
  if (before === undefined) walk.added.insert(path);
  else if (after === undefined) walk.removed.insert(path);
  else if (differs) walk.modified.insert(path);
}

/** The server compares lists that are owned as one, and lists within such a value, as Go does: in all that was said. */
function listsSayMore(value: Json | undefined): boolean {
  if (isList(value)) return value.some(saysMore);
  return isMap(value) && Object.values(value).some(listsSayMore);
}

function maps(before: JsonMap, after: JsonMap, type: FieldType, path: FieldPath, walk: Walk): void {
  for (const name of Object.keys(before)) {
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (before[name] !== now) step(before[name], now, typeOfField(type, name).type, [...path, `f:${name}`], walk);
  }
  for (const name of Object.keys(after)) {
    if (Object.hasOwn(before, name)) continue;
    step(undefined, after[name], typeOfField(type, name).type, [...path, `f:${name}`], walk);
  }
}

/** Items that stand several times are compared as one, and nobody owns what is in them. */
function lists(before: readonly Json[], after: readonly Json[], type: FieldType, path: FieldPath, walk: Walk): void {
  const [old, now] = [bySegment(before, type), bySegment(after, type)];
  const itemType = type.type === 'listMap' ? type.item() : deduced;
  const each = (segment: string) => {
    const [was = none, is = none] = [old.get(segment), now.get(segment)];
    const at = [...path, segment];
    if (was.length < 2 && is.length < 2) step(was[0], is[0], itemType, at, walk);
    else if (was.length >= 2 && is.length >= 2) {
      if (!equal(was, is)) walk.modified.insert(at);
    } else if (was.length >= 2) {
      if (is.length > 0) step(undefined, is[0], itemType, at, walk);
      walk.removed.insert(at);
    } else {
      if (was.length > 0) step(was[0], undefined, itemType, at, walk);
      walk.added.insert(at);
    }
  };
  for (const segment of old.keys()) each(segment);
  for (const segment of now.keys()) if (!old.has(segment)) each(segment);
}

const none: readonly Json[] = [];

/** A list item lacks what tells it from others, so that nobody can say who owns what. */
export class UntypedError extends Error {
  override readonly name = 'UntypedError';
}

/** List items by their segment. Throws `UntypedError`. */
export function bySegment(items: readonly Json[], type: FieldType): Map<string, readonly Json[]> {
  const found = new Map<string, readonly Json[]>();
  for (const item of items) {
    const segment = segmentOf(type, item);
    if (segment === undefined) throw new UntypedError('a list item has no key');
    const others = found.get(segment);
    found.set(segment, others ? [...others, item] : [item]);
  }
  return found;
}

const empty: JsonMap = {};

/** A map that has something in it. */
export function mapOf(value: Json | undefined): JsonMap | undefined {
  if (!isMap(value)) return undefined;
  for (const _ in value) return value;
  return undefined;
}

/** A list that has something in it. */
export function listOf(value: Json | undefined): readonly Json[] | undefined {
  return isList(value) && value.length > 0 ? value : undefined;
}
