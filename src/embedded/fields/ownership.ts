import type { Json } from '../../kube/manifest.js';
import { type Comparison, compare, UntypedError } from './compare.js';
import { FieldSet } from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import { equal, type FieldType } from './field-type.js';
import { merge } from './merge.js';
import { reconciled } from './reconcile.js';
import { remove, withNamedFields } from './remove.js';
import { seenIn, type Versions, type VersionView } from './versions.js';

/** Who owns which fields. A manager's Apply and its Update, and each subresource, count apart. */
export type Managers = ReadonlyMap<string, Managed>;

export interface Managed {
  readonly fields: FieldSet;
  readonly applied: boolean;
  /** In which the fields are named. */
  readonly version: string;
}

/** A field that an apply without force would take from another manager. */
export interface FieldClash {
  readonly manager: string;
  readonly fields: FieldSet;
}

/** Server-side apply was refused because of fields that others own. */
export class ClashError extends Error {
  override readonly name = 'ClashError';

  constructor(readonly clashes: readonly FieldClash[]) {
    super(`conflicts with ${clashes.map(({ manager }) => manager).join(', ')}`);
  }
}

/**
 * Ownership after `manager` wrote `after` over `before` in any way but apply: it owns what it changed, and nobody owns
 * what it removed. Throws `UntypedError` when a version in which somebody owns something cannot have the object.
 */
export function update(before: Json, after: Json, versions: Versions, managers: Managers, manager: string): Managers {
  const changes = new Changes(before, after, versions);
  const others = withdraw(changes, known(before, versions, managers), manager, true);
  const { current } = versions;
  const change = changes.in(current) as Comparison;
  const mine = others.get(manager)?.fields ?? FieldSet.empty;
  const all = mine.difference(change.removed).union(change.modified).union(change.added);
  const fields = all.without(viewOf(versions).ignored);
  const next = new Map(others);
  if (fields.isEmpty) next.delete(manager);
  else next.set(manager, { fields, applied: false, version: current });
  return next;
}

/**
 * The object and its owners after `manager` applied `config`: merged over `live`, and without what the manager applied
 * before and nobody owns any more. Throws `ClashError` when others own fields of other values, unless `force`.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
 */
export function apply(
  live: Json,
  config: Json,
  versions: Versions,
  before: Managers,
  manager: string,
  force: boolean,
): { readonly object: Json; readonly managers: Managers } {
  const { type, ignored } = viewOf(versions);
  const managers = known(live, versions, before);
  const applied: Managed = {
    fields: fieldSetOf(config, type).without(ignored),
    applied: true,
    version: versions.current,
  };
  const claimed = new Map(managers).set(manager, applied);
  const object = prune(merge(live, config, type) as Json, versions, claimed, managers.get(manager), applied);
  const next = new Map(withdraw(new Changes(live, object, versions), claimed, manager, force));
  if (applied.fields.isEmpty) next.delete(manager);
  return { object: equal(object, live) ? live : object, managers: next };
}

function viewOf(versions: Versions): VersionView {
  return versions.view(versions.current) as VersionView;
}

/** Without managers of versions that are gone, and with their fields as the types have them now. */
function known(live: Json, versions: Versions, managers: Managers): Managers {
  let next = managers;
  for (const [name, managed] of managers) {
    const view = versions.view(managed.version);
    if (view) seenIn(versions, managed.version, live);
    const fields = view && reconciled(managed.fields, view.type);
    if (fields === managed.fields) continue;
    if (next === managers) next = new Map(managers);
    if (fields) (next as Map<string, Managed>).set(name, { ...managed, fields });
    else (next as Map<string, Managed>).delete(name);
  }
  return next;
}

/** What changed, in each version in which somebody owns something. */
class Changes {
  readonly #known = new Map<string, Comparison | undefined>();

  constructor(
    private readonly before: Json,
    private readonly after: Json,
    private readonly versions: Versions,
  ) {}

  /** Undefined for a version that is not served. */
  in(version: string): Comparison | undefined {
    if (this.#known.has(version)) return this.#known.get(version);
    const view = this.versions.view(version);
    const change =
      view &&
      visible(
        compare(
          seenAs('failed to convert old object', this.versions, version, this.before),
          seenAs('failed to convert new object', this.versions, version, this.after),
          view.type,
        ),
        view.ignored,
      );
    this.#known.set(version, change);
    return change;
  }
}

/** Changes of ignored fields are reset before they are stored, and take nothing from anybody. */
function visible(change: Comparison, ignored: FieldSet): Comparison {
  if (ignored.isEmpty) return change;
  return {
    added: change.added.without(ignored),
    modified: change.modified.without(ignored),
    removed: change.removed.without(ignored),
  };
}

/** Takes from all but `manager` what it changed; without force that is a clash, except for what only disappeared. */
function withdraw(changes: Changes, managers: Managers, manager: string, force: boolean): Managers {
  const clashes: FieldClash[] = [];
  const next = new Map<string, Managed>();
  for (const [name, managed] of managers) {
    if (name === manager) {
      next.set(name, managed);
      continue;
    }
    const change = changes.in(managed.version);
    if (!change) continue;
    const taken = managed.fields.intersection(change.modified.union(change.added));
    if (!taken.isEmpty) clashes.push({ manager: name, fields: taken });
    const fields = managed.fields.difference(taken).difference(change.removed);
    if (!fields.isEmpty) next.set(name, fields === managed.fields ? managed : { ...managed, fields });
  }
  if (!force && clashes.length > 0) throw new ClashError(clashes);
  return next;
}

/** Without what was in `last` and is owned by nobody in `managers`. */
function prune(
  merged: Json,
  versions: Versions,
  managers: Managers,
  last: Managed | undefined,
  applied: Managed,
): Json {
  if (!last || last.fields.isEmpty) return merged;
  // What is said again stays, whoever else owns it.
  const isAgain = last.version === applied.version && last.fields.difference(applied.fields).isEmpty;
  if (isAgain && [...managers.values()].every(({ version }) => version === versions.current)) return merged;
  const then = versions.view(last.version);
  if (!then) return merged;
  const atLast = 'failed to prune fields: failed to convert merged object to last applied version';
  const whole = seenAs(atLast, versions, last.version, merged);
  let lean = remove(whole, withNamedFields(last.fields, then.type), then.type);
  let full = whole;

  const owned = new Map([[last.version, FieldSet.empty]]);
  for (const { fields, version } of managers.values()) owned.set(version, fields.union(owned.get(version) ?? noFields));
  for (const [version, fields] of owned) {
    const view = versions.view(version);
    if (!view) continue;
    const failed = (what: string) =>
      `failed to prune fields: failed add back owned items: failed to convert ${what} object at version ${version}`;
    full = seenAs(failed('merged'), versions, version, full);
    lean = seenAs(failed('pruned'), versions, version, lean);
    const kept = named(lean, view.type).union(withNamedFields(fields, view.type));
    lean = remove(full, named(full, view.type).difference(kept), view.type);
  }
  // What the removal dragged along, though it was never in the manager's set, comes back.
  const back =
    'failed to prune fields: failed add back dangling items: failed to convert pruned object to last applied version';
  const kept = named(seenAs(back, versions, last.version, lean), then.type);
  const gone = named(whole, then.type).difference(kept).intersection(withNamedFields(last.fields, then.type));
  return seenAs('failed to prune fields', versions, versions.current, remove(whole, gone, then.type));
}

/** As `seenIn`, of a version that is served, with what was tried where that fails. */
function seenAs(failed: string, versions: Versions, version: string, object: Json): Json {
  try {
    return seenIn(versions, version, object) as Json;
  } catch (error) {
    throw error instanceof UntypedError ? new UntypedError(`${failed}: ${error.message}`) : error;
  }
}

const noFields = FieldSet.empty;

function named(value: Json, type: FieldType): FieldSet {
  return withNamedFields(fieldSetOf(value, type), type);
}
