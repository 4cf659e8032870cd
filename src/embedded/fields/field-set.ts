import type { FieldsV1 } from '../../kube/manifest.js';

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
  static readonly empty = new FieldSet(new Set(), new Map());

  private constructor(
    private readonly members: ReadonlySet<Segment>,
    private readonly below: ReadonlyMap<Segment, FieldSet>,
  ) {}

  static of(...paths: readonly FieldPath[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** A set from its parts; empty nodes are dropped, so that equal sets have equal form. */
  static from(members: ReadonlySet<Segment>, below: ReadonlyMap<Segment, FieldSet>): FieldSet {
    const kept = new Map([...below].filter(([, child]) => !child.isEmpty));
    return members.size === 0 && kept.size === 0 ? FieldSet.empty : new FieldSet(members, kept);
  }

  static parse(fields: FieldsV1): FieldSet {
    const members = new Set<Segment>();
    const below = new Map<Segment, FieldSet>();
    for (const [segment, child] of Object.entries(fields)) {
      if (segment === '.') continue;
      const isLeaf = Object.keys(child).length === 0;
      if (isLeaf || '.' in child) members.add(segment);
      if (!isLeaf) below.set(segment, FieldSet.parse(child));
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
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    return this.#combine(
      other,
      (mine, theirs) => mine || theirs,
      (mine, theirs) => mine.union(theirs),
    );
  }

  intersection(other: FieldSet): FieldSet {
    return this.#combine(
      other,
      (mine, theirs) => mine && theirs,
      (mine, theirs) => mine.intersection(theirs),
    );
  }

  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#combine(
      other,
      (mine, theirs) => mine && !theirs,
      (mine, theirs) => mine.difference(theirs),
    );
  }

  /** Without the paths of `other` and all below them. */
  without(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    const members = new Set([...this.members].filter((segment) => !other.members.has(segment)));
    const below = new Map<Segment, FieldSet>();
    for (const [segment, child] of this.below) {
      if (!other.members.has(segment)) below.set(segment, child.without(other.under(segment)));
    }
    return FieldSet.from(members, below);
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  paths(): FieldPath[] {
    const here = [...this.members].map((segment) => [segment]);
    const deeper = [...this.below].flatMap(([segment, child]) => child.paths().map((path) => [segment, ...path]));
    return [...here, ...deeper];
  }

  toFieldsV1(): FieldsV1 {
    const fields: Record<string, FieldsV1> = {};
    for (const segment of [...new Set([...this.members, ...this.below.keys()])].sort()) {
      const child = this.below.get(segment);
      if (!child) fields[segment] = {};
      else fields[segment] = this.members.has(segment) ? { '.': {}, ...child.toFieldsV1() } : child.toFieldsV1();
    }
    return fields;
  }

  #combine(
    other: FieldSet,
    keeps: (mine: boolean, theirs: boolean) => boolean,
    deeper: (mine: FieldSet, theirs: FieldSet) => FieldSet,
  ): FieldSet {
    const members = new Set<Segment>();
    for (const segment of new Set([...this.members, ...other.members])) {
      if (keeps(this.members.has(segment), other.members.has(segment))) members.add(segment);
    }
    const below = new Map<Segment, FieldSet>();
    for (const segment of new Set([...this.below.keys(), ...other.below.keys()])) {
      below.set(segment, deeper(this.under(segment), other.under(segment)));
    }
    return FieldSet.from(members, below);
  }
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
