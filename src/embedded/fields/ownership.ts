import type { Json } from '../../kube/manifest.js';
import { type Comparison, compare } from './compare.js';
import { FieldSet } from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import { equal, type FieldType } from './field-type.js';
import { merge } from './merge.js';
import { remove, withNamedFields } from './remove.js';

/** Who owns which fields. A manager's Apply and its Update, and each subresource, count apart. */
export type Managers = ReadonlyMap<string, Managed>;

export interface Managed {
  readonly fields: FieldSet;
  readonly applied: boolean;
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
 * what it removed.
 */
export function update(
  before: Json,
  after: Json,
  type: FieldType,
  managers: Managers,
  manager: string,
  ignored: FieldSet,
): Managers {
  const change = visible(compare(before, after, type), ignored);
  const others = withdraw(change, managers, manager, true);
  const mine = managers.get(manager)?.fields ?? FieldSet.empty;
  const fields = mine.difference(change.removed).union(change.modified).union(change.added).without(ignored);
  const next = new Map(others);
  if (fields.isEmpty) next.delete(manager);
  else next.set(manager, { fields, applied: false });
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
  type: FieldType,
  managers: Managers,
  manager: string,
  { force, ignored }: { readonly force: boolean; readonly ignored: FieldSet },
): { readonly object: Json; readonly managers: Managers } {
  const last = managers.get(manager)?.fields ?? FieldSet.empty;
  const applied = fieldSetOf(config, type).without(ignored);
  const claimed = new Map(managers).set(manager, { fields: applied, applied: true });
  const object = prune(merge(live, config, type) as Json, type, claimed, last, applied);
  const change = visible(compare(live, object, type), ignored);
  const next = new Map(withdraw(change, claimed, manager, force));
  if (applied.isEmpty) next.delete(manager);
  return { object: equal(object, live) ? live : object, managers: next };
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
function withdraw(change: Comparison, managers: Managers, manager: string, force: boolean): Managers {
  const written = change.modified.union(change.added);
  const clashes: FieldClash[] = [];
  const next = new Map<string, Managed>();
  for (const [name, managed] of managers) {
    if (name === manager) {
      next.set(name, managed);
      continue;
    }
    const taken = managed.fields.intersection(written);
    if (!taken.isEmpty) clashes.push({ manager: name, fields: taken });
    const fields = managed.fields.difference(taken).difference(change.removed);
    if (!fields.isEmpty) next.set(name, { ...managed, fields });
  }
  if (!force && clashes.length > 0) throw new ClashError(clashes);
  return next;
}

/** Without what was in `last` and is owned by nobody in `managers`. */
function prune(merged: Json, type: FieldType, managers: Managers, last: FieldSet, applied: FieldSet): Json {
  // What is said again stays, whoever else owns it.
  if (last.difference(applied).isEmpty) return merged;
  const all = withNamedFields(fieldSetOf(merged, type), type);
  const named = (value: Json) => withNamedFields(fieldSetOf(value, type), type);

  const owned = [...managers.values()].reduce((union, { fields }) => union.union(fields), FieldSet.empty);
  const lean = remove(merged, withNamedFields(last, type), type);
  const ownedBack = remove(merged, all.difference(named(lean).union(withNamedFields(owned, type))), type);
  // What the removal dragged along, though it was never in the manager's set, comes back.
  return remove(merged, all.difference(named(ownedBack)).intersection(withNamedFields(last, type)), type);
}
