import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { isMap } from '../kube/plain-map.js';
import { undeclaredIn } from './additions.js';
import { changedFields } from './changed.js';
import type { DriftPolicy } from './drift-policy.js';
import { appliedHash } from './hash.js';
import { isHidden, masked } from './hidden.js';
import { allFieldsOf, ancientChanges, entriesOf, ownershipOf, owns, unite } from './ownership.js';
import { type UncoveredField, uncoveredFields } from './uncovered.js';
import { valuesAt } from './value-at.js';

/** One field that is not as we applied it, and who made it so. */
export interface Difference {
  /** For people. Empty for the child as a whole: it is missing, or no longer desired. */
  readonly path: string;
  /** The same in the segments of `fieldsV1`. */
  readonly trail: readonly string[];
  readonly desired: unknown;
  readonly observed: unknown;
  /** Undefined where nobody owns the field now: it was removed. */
  readonly by: { readonly manager: string; readonly operation: string; readonly time: string | undefined } | undefined;
}

/** A child as it is desired and as it is, and under which name and policy. */
export interface Compared {
  readonly desired: Manifest;
  readonly observed: KubeObject;
  readonly manager: string;
  readonly policy: DriftPolicy;
}

/**
 * What was changed on `observed` of what `desired` says, by ownership; values are here for people alone. Those of a
 * Secret, and of what the policy says is sensitive, are masked.
 */
export function differences(compared: Compared): Difference[] {
  const { desired, observed, manager } = compared;
  const { fields } = ownershipOf(observed, manager);
  return differencesIn(uncoveredFields(desired, observed, fields, allFieldsOf(observed)), compared);
}

/** What `fields` are, which are not ours, and who has them. */
export function differencesIn(fields: readonly UncoveredField[], compared: Compared): Difference[] {
  const { desired, observed, manager } = compared;
  const others = entriesOf(observed).filter((entry) => entry.manager !== manager || entry.subresource);
  return fields
    .filter((field) => !isForgotten(field, others))
    .map((field) => {
      // Who only moves items becomes the owner of nothing.
      return difference(field, compared, field.isOrder ? undefined : writerOf(field, others, desired.apiVersion));
    });
}

/**
 * What is told of `found`. Who has a map as a whole has all of it, also where he changed one part, or added one: it is that
 * part that is told.
 */
export function telling(found: readonly Difference[], compared: Compared): Difference[] {
  const { desired, observed, manager } = compared;
  const others = entriesOf(observed).filter((entry) => entry.manager !== manager || entry.subresource);
  const groups = new Map<string, { readonly whole: readonly string[] | undefined; readonly parts: Difference[] }>();
  for (const each of found) {
    const whole = wholeAbove(each.trail, others);
    const key = (whole ?? each.trail).join('\n');
    const group = groups.get(key) ?? { whole, parts: [] };
    groups.set(key, group);
    group.parts.push(each);
  }
  return [...groups.values()].flatMap(({ whole, parts }) => {
    if (!whole) return parts;
    const isOther = ({ trail }: Difference) =>
      JSON.stringify(valuesAt(desired, trail)) !== JSON.stringify(valuesAt(observed, trail));
    const changed = parts.filter(isOther);
    if (changed.length > 0) return changed;
    const sample = parts.find(({ trail }) => trail.slice(whole.length).every((segment) => segment.startsWith('f:')));
    const added = sample ? addedTo(whole, sample, compared) : [];
    return added.length > 0 ? added : parts;
  });
}

/** What somebody owns as one, and is more than `trail` leads to. */
function wholeAbove(trail: readonly string[], entries: readonly ManagedFieldsEntry[]): readonly string[] | undefined {
  for (const { fieldsV1 = {} } of entries) {
    let node: FieldsV1 | undefined = fieldsV1;
    for (const [depth, segment] of trail.entries()) {
      node = Object.hasOwn(node, segment) ? node[segment] : undefined;
      if (node === undefined) break;
      if (Object.keys(node).length === 0 && depth + 1 < trail.length) return trail.slice(0, depth + 1);
    }
  }
  return undefined;
}

/** The keys of a map that are not desired. `sample` is a part of it. */
function addedTo(whole: readonly string[], sample: Difference, compared: Compared): Difference[] {
  const [wanted, found] = [compared.desired, compared.observed].map((each) => valuesAt(each, whole)[0]);
  if (!isMap(wanted) || !isMap(found)) return [];
  const below = sample.trail.slice(whole.length).map((segment) => `.${segment.slice(2)}`);
  const above = sample.path.slice(0, -below.join('').length);
  return Object.keys(found)
    .filter((key) => !Object.hasOwn(wanted, key))
    .map((key) => {
      const field = {
        path: `${above}.${key}`,
        trail: [...whole, `f:${key}`],
        desired: undefined,
        observed: found[key],
      };
      return { ...difference(field, compared, undefined), by: sample.by };
    });
}

/** True of what is as it is to be, and of which the server only forgot who wrote it. */
function isForgotten({ trail, desired, observed }: UncoveredField, others: readonly ManagedFieldsEntry[]): boolean {
  const owners = others.filter(({ fieldsV1 = {} }) => owns(fieldsV1, trail));
  const isMerged = owners.length > 0 && owners.every(({ manager }) => manager === ancientChanges);
  // Our note is another one as soon as anything is left to others.
  return isMerged && (trail.at(-1) === `f:${appliedHash}` || JSON.stringify(desired) === JSON.stringify(observed));
}

/** What somebody wrote under our own name, where ownership tells nothing, and values have to be compared. */
export function overwrittenDifferences(compared: Compared): Difference[] {
  const { desired, observed, manager } = compared;
  const written = latest(entriesOf(observed).filter((entry) => entry.manager === manager && !entry.subresource));
  if (!written?.fieldsV1) return [];
  return changedFields(desired, observed, written.fieldsV1).map((field) => difference(field, compared, written));
}

/**
 * What we would change in what is ours, for something else is desired by now than what we wrote: values, and what we applied
 * and desire no more. What the POST of a child owns of that cannot be told from defaults. Where nothing else tells, `taken`
 * neither, our note of what was applied does, if `desired` has it.
 */
export function pendingDifferences(compared: Compared, taken: readonly Difference[]): Difference[] {
  const { desired, observed, manager, policy } = compared;
  const ours = entriesOf(observed).filter((entry) => entry.manager === manager && !entry.subresource);
  const applied = ours.find(({ operation }) => operation === 'Apply')?.fieldsV1 ?? {};
  const fields = ours.map(({ fieldsV1 = {} }) => fieldsV1).reduce(unite, {});
  const found = [...changedFields(desired, observed, fields), ...undeclaredIn(applied, desired, observed, policy)].map(
    (field) => difference(field, compared, writerOf(field, ours, desired.apiVersion)),
  );
  const told = found.filter(({ trail }) => trail.at(-1) !== `f:${appliedHash}`);
  return told.length + taken.length > 0 ? told : found;
}

function difference(
  { path, trail, desired, observed }: UncoveredField,
  { desired: child, policy }: Compared,
  writer: ManagedFieldsEntry | undefined,
): Difference {
  const isMasked = isHidden(child, trail, policy);
  const shown = (value: unknown) => (isMasked && value !== undefined ? masked : value);
  return {
    path,
    trail,
    desired: shown(desired),
    observed: shown(observed),
    by: writer && { manager: writer.manager ?? '', operation: writer.operation ?? '', time: writer.time },
  };
}

/** The latest who owns the field. Of what was removed there is no trace. */
function writerOf(
  { trail, observed }: UncoveredField,
  others: readonly ManagedFieldsEntry[],
  apiVersion: string,
): ManagedFieldsEntry | undefined {
  const owners = others.filter(({ fieldsV1 = {} }) => owns(fieldsV1, trail));
  // Of whom the server has forgotten the name nothing can be told.
  const owner = latest(owners.filter(({ manager }) => manager !== ancientChanges));
  if (owners.length > 0 || observed === undefined) return owner;
  // Who writes in another version owns the field by the name that it has there.
  return latest(others.filter((entry) => entry.apiVersion !== undefined && entry.apiVersion !== apiVersion));
}

function latest(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries.toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? '')).at(-1);
}

/** `spec.replicas 3 → 9 by kubectl (Update)`, for conditions and logs: the same for as long as it is so. */
export function showDifference({ path, desired, observed, by }: Difference): string {
  if (path === '') return observed === undefined ? 'missing' : 'no longer desired';
  return `${path} ${showValue(desired)} → ${showValue(observed)}${by ? ` by ${by.manager} (${by.operation})` : ''}`;
}

/** The same with the time of the write, for events. */
export function showTimedDifference(difference: Difference): string {
  const time = difference.by?.time;
  const text = showDifference(difference);
  return time === undefined ? text : `${text.slice(0, -1)}, ${time})`;
}

const longestValue = 100;

/** A value as JSON, cut where it is long; `nothing` where there is none. */
export function showValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  if (text.length <= longestValue) return text;
  // Half a character is another one to the server that stores it, so that a condition would never be as it was meant.
  return `${text.slice(0, longestValue - 1).replace(/\p{Surrogate}$/u, '')}…`;
}
