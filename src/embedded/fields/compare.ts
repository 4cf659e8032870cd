import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { saysMore } from '../said-more.js';
import { type FieldSet, FieldSetBuilder, type Segment } from './field-set.js';
import { deduced, equal, type FieldType, isList, type Shape, segmentOf, shapeOf, typeOfField } from './field-type.js';

/** What became of each field between two states of one object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(before: Json | undefined, after: Json | undefined, type: FieldType): Comparison {
  const walk: Walk = {
    path: [],
    added: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    removed: new FieldSetBuilder(),
  };
  step(before, after, type, walk);
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() };
}

interface Walk {
  /** Where it is. */
  readonly path: Segment[];
  readonly added: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly removed: FieldSetBuilder;
}

function step(before: Json | undefined, after: Json | undefined, type: FieldType, walk: Walk): void {
  // Both may be absent only at the top; the same value has no differences below.
  if (before === after) return;
  const was = shapeOf(type, before === undefined ? after : before);
  const is = shapeOf(type, after === undefined ? before : after);
  // A value that became another shape counts as both: what was in it went, and what is in it came.
  if (was !== is) within(was, before, after, type, walk);
  within(is, before, after, type, walk);
}

function within(shape: Shape, before: Json | undefined, after: Json | undefined, type: FieldType, walk: Walk): void {
  if (shape === 'leaf') {
    note(before, after, walk, !equal(before, after) || listsSayMore(after));
    return;
  }
  if (shape === 'map') {
    const [old, now] = [mapOf(before), mapOf(after)];
    if (old || now) maps(old ?? empty, now ?? empty, type, walk);
    else note(before, after, walk, !equal(before, after));
  } else {
    const [old, now] = [listOf(before), listOf(after)];
    if (old || now) lists(old ?? [], now ?? [], type, walk);
    else note(before, after, walk, !equal(before, after));
  }
  // A node that came or went counts itself, beside what is in it.
  if (before === undefined || after === undefined) note(before, after, walk, false);
}

function note(before: Json | undefined, after: Json | undefined, walk: Walk, differs: boolean): void {
  const { path } = walk;
  if (before === undefined) walk.added.insert(path);
  else if (after === undefined) walk.removed.insert(path);
  else if (differs) walk.modified.insert(path);
}

/** The server compares lists that are owned as one, and lists within such a value, as Go does: in all that was said. */
function listsSayMore(value: Json | undefined): boolean {
  if (isList(value)) return value.some(saysMore);
  return isMap(value) && Object.values(value).some(listsSayMore);
}

function maps(before: JsonMap, after: JsonMap, type: FieldType, walk: Walk): void {
  for (const name of Object.keys(before)) {
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (before[name] !== now) field(name, before[name], now, type, walk);
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) field(name, undefined, after[name], type, walk);
  }
}

function field(name: string, before: Json | undefined, after: Json | undefined, type: FieldType, walk: Walk): void {
  const { segment, type: own } = typeOfField(type, name);
  walk.path.push(segment);
  step(before, after, own, walk);
  walk.path.pop();
}

/** Items that stand several times are compared as one, and nobody owns what is in them. */
function lists(before: readonly Json[], after: readonly Json[], type: FieldType, walk: Walk): void {
  const [old, now] = [bySegment(before, type), bySegment(after, type)];
  const itemType = type.type === 'listMap' ? type.item() : deduced;
  const each = (segment: string) => {
    const [was = none, is = none] = [old.get(segment), now.get(segment)];
    walk.path.push(segment);
    if (was.length < 2 && is.length < 2) step(was[0], is[0], itemType, walk);
    else if (was.length >= 2 && is.length >= 2) {
      if (!equal(was, is)) walk.modified.insert(walk.path);
    } else if (was.length >= 2) {
      if (is.length > 0) step(undefined, is[0], itemType, walk);
      walk.removed.insert(walk.path);
    } else {
      if (was.length > 0) step(was[0], undefined, itemType, walk);
      walk.added.insert(walk.path);
    }
    walk.path.pop();
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
function bySegment(items: readonly Json[], type: FieldType): Map<string, readonly Json[]> {
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
