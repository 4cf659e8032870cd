import type { FieldsV1, Json } from '../../kube/manifest.js';
import { readSegment } from './segment-form.js';
import { compareSegments } from './segment-order.js';

/** `f:` and a field's name, `k:` and a list item's keys, or `v:` and a set's item, each as in `fieldsV1`. */
export type Segment = string;
export type FieldPath = readonly Segment[];

/**
 * A set of field paths, with the algebra that ownership is made of. Immutable.
 *
 * A path is in the set when its last segment is a member of the node that the others lead to; a node below a path says
 * nothing of the path itself. The form is that of `fieldsV1`, so converting loses nothing:
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export class FieldSet {
  static #empty: FieldSet | undefined;

  private constructor(
    private readonly members: ReadonlySet<Segment>,
    private readonly below: ReadonlyMap<Segment, FieldSet>,
  ) {}

  #fieldsV1: FieldsV1 | undefined;

  /** Made when it is first asked for: the compiler names the class by what has no value until the class is whole. */
  static get empty(): FieldSet {
    FieldSet.#empty ??= new FieldSet(new Set(), new Map());
    return FieldSet.#empty;
  }

  static of(...paths: readonly FieldPath[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** A set from its parts; empty nodes are dropped, so that equal sets have equal form. */
  static from(members: ReadonlySet<Segment>, below: ReadonlyMap<Segment, FieldSet>): FieldSet {
    let kept = below;
    for (const [segment, child] of below) {
      if (!child.isEmpty) continue;
      if (kept === below) kept = new Map(below);
      (kept as Map<Segment, FieldSet>).delete(segment);
    }
    return members.size === 0 && kept.size === 0 ? FieldSet.empty : new FieldSet(members, kept);
  }

  /** Undefined for what is no set of fields. Segments of a form that is still to come are dropped. */
  static parse(fields: Json | undefined): FieldSet | undefined {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return undefined;
    const members = new Set<Segment>();
    const below = new Map<Segment, FieldSet>();
    for (const [said, child] of Object.entries(fields as { readonly [segment: string]: Json })) {
      if (said === '.') continue;
      const read = readSegment(said);
      if (read === 'broken') return undefined;
      if (read === 'unknown') continue;
      const { segment } = read;
      const inner = FieldSet.parse(child);
      if (!inner) return undefined;
      if (inner.isEmpty || Object.hasOwn(child as object, '.')) members.add(segment);
      if (!inner.isEmpty) below.set(segment, inner);
    }
    return FieldSet.from(members, below);
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.below.size === 0;
  }

  /** The part below one segment. */
  under(segment: Segment): FieldSet {
    return this.below.get(segment) ?? FieldSet.empty;
  }

  /** True when the path of this one segment is in the set. */
  hasMember(segment: Segment): boolean {
    return this.members.has(segment);
  }

  has(path: FieldPath): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return false;
    return rest.length === 0 ? this.members.has(first) : this.under(first).has(rest);
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    const members = unionOf(this.members, other.members);
    let below = this.below;
    for (const [segment, child] of other.below) {
      const mine = this.below.get(segment);
      const both = mine ? mine.union(child) : child;
      if (both === mine) continue;
      if (below === this.below) below = new Map(this.below);
      (below as Map<Segment, FieldSet>).set(segment, both);
    }
    return members === this.members && below === this.below ? this : new FieldSet(members, below);
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    const members = new Set<Segment>();
    for (const segment of this.members) if (other.members.has(segment)) members.add(segment);
    const below = new Map<Segment, FieldSet>();
    for (const [segment, child] of this.below) {
      const theirs = other.below.get(segment);
      if (theirs) below.set(segment, child.intersection(theirs));
    }
    return FieldSet.from(members, below);
  }

  difference(other: FieldSet): FieldSet {
    if (other === this) return FieldSet.empty;
    if (this.isEmpty || other.isEmpty) return this;
    return this.#less(other, (child, theirs) => child.difference(theirs), false);
  }

  /** Without the paths of `other` and all below them. */
  without(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#less(other, (child, theirs) => child.without(theirs), true);
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  /** In the order in which conflicts tell them: those that end here, then those that lead deeper. */
  paths(): FieldPath[] {
    const here = [...this.members].sort(compareSegments).map((segment) => [segment]);
    const below = [...this.below].sort(([a], [b]) => compareSegments(a, b));
    const deeper = below.flatMap(([segment, child]) => child.paths().map((path) => [segment, ...path]));
    return [...here, ...deeper];
  }

  /** Frozen, and the same each time. */
  toFieldsV1(): FieldsV1 {
    if (this.#fieldsV1) return this.#fieldsV1;
    const fields: Record<string, FieldsV1> = {};
    const segments = [...this.members];
    for (const segment of this.below.keys()) if (!this.members.has(segment)) segments.push(segment);
    if (segments.length > 1) segments.sort(compareSegments);
    for (const segment of segments) {
      const child = this.below.get(segment);
      if (!child) fields[segment] = leafFields;
      else {
        const inner = child.toFieldsV1();
        fields[segment] = this.members.has(segment) ? Object.freeze({ '.': leafFields, ...inner }) : inner;
      }
    }
    this.#fieldsV1 = Object.freeze(fields);
    return this.#fieldsV1;
  }

  /** With other nodes below each segment; a segment for which there is none becomes a member. The same where all are. */
  withBelow(next: (segment: Segment, child: FieldSet) => FieldSet | undefined): FieldSet {
    let members = this.members;
    let below = this.below;
    for (const [segment, child] of this.below) {
      const other = next(segment, child);
      if (other === child) continue;
      if (below === this.below) below = new Map(this.below);
      if (other !== undefined) {
        (below as Map<Segment, FieldSet>).set(segment, other);
        continue;
      }
      (below as Map<Segment, FieldSet>).delete(segment);
      if (members === this.members) members = new Set(this.members);
      (members as Set<Segment>).add(segment);
    }
    return below === this.below ? this : FieldSet.from(members, below);
  }

  /** The segments of the first step. */
  *segments(): Generator<Segment> {
    yield* this.members;
    for (const segment of this.below.keys()) if (!this.members.has(segment)) yield segment;
  }

  /** The same set where nothing is taken away, so that whoever holds it can tell cheaply. */
  #less(other: FieldSet, deeper: (mine: FieldSet, theirs: FieldSet) => FieldSet, dropsBelow: boolean): FieldSet {
    let members = this.members;
    for (const segment of this.members) {
      if (!other.members.has(segment)) continue;
      if (members === this.members) members = new Set(this.members);
      (members as Set<Segment>).delete(segment);
    }
    let below = this.below;
    for (const [segment, child] of this.below) {
      const theirs = other.below.get(segment);
      const isDropped = dropsBelow && other.members.has(segment);
      const left = isDropped ? FieldSet.empty : theirs ? deeper(child, theirs) : child;
      if (left === child) continue;
      if (below === this.below) below = new Map(this.below);
      if (left.isEmpty) (below as Map<Segment, FieldSet>).delete(segment);
      else (below as Map<Segment, FieldSet>).set(segment, left);
    }
    return members === this.members && below === this.below ? this : FieldSet.from(members, below);
  }
}

const leafFields: FieldsV1 = Object.freeze({});

function unionOf(mine: ReadonlySet<Segment>, theirs: ReadonlySet<Segment>): ReadonlySet<Segment> {
  let all = mine;
  for (const segment of theirs) {
    if (mine.has(segment)) continue;
    if (all === mine) all = new Set(mine);
    (all as Set<Segment>).add(segment);
  }
  return all;
}

/** Collects paths, then builds the set once. */
export class FieldSetBuilder {
  readonly #members = new Set<Segment>();
  readonly #below = new Map<Segment, FieldSetBuilder>();

  insert(path: FieldPath, from = 0): void {
    const segment = path[from];
    if (segment === undefined) return;
    if (from === path.length - 1) {
      this.#members.add(segment);
      return;
    }
    let child = this.#below.get(segment);
    if (!child) {
      child = new FieldSetBuilder();
      this.#below.set(segment, child);
    }
    child.insert(path, from + 1);
  }

  build(): FieldSet {
    return FieldSet.from(this.#members, new Map([...this.#below].map(([segment, child]) => [segment, child.build()])));
  }
}
