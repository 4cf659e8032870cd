import type { KubeObject, Manifest } from '../kube/manifest.js';
import { isEmptyCollection, isMap } from '../kube/plain-map.js';
import type { FieldModes } from './drift-policy.js';
import { isAutoscaled, isScaledByAutoscaler } from './handed-over.js';
import { entriesOf, ownershipOf } from './ownership.js';
import { type UncoveredField, uncoveredFields } from './uncovered.js';
import { indexAt, isKeyOf } from './value-at.js';

/** What is left of a desired child after fields were left to others, and which these are. */
export interface Yielded {
  readonly manifest: Manifest;
  readonly fields: readonly UncoveredField[];
}

/**
 * Leaves fields that are not enforced to whoever has them: what somebody took from us is not applied again.
 *
 * **Guarantees.** A field is left only when we do not own it any more, so that leaving it never resets it. While it is
 * still ours it is applied as any other. Of what is `adopted` nothing was ours yet: what is not there nobody took.
 */
export function yieldFields(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  modes: FieldModes | undefined,
  { adopted = false } = {},
): Yielded {
  const child = { desired, observed, manager };
  if (!modes && !isScaledByAutoscaler(child)) return { manifest: desired, fields: [] };
  const all = entriesOf(observed).map(({ fieldsV1 = {} }) => fieldsV1);
  const fields = uncoveredFields(desired, observed, ownershipOf(observed, manager).fields, all).filter(
    ({ trail, observed: found }) => {
      if (adopted && found === undefined) return false;
      const mode = modes?.modeOf(trail);
      return (mode !== undefined && mode !== 'enforce') || isAutoscaled(trail, child, modes);
    },
  );
  if (fields.length === 0) return { manifest: desired, fields };
  const manifest = placesOf(fields).reduce<unknown>(
    (rest, { trail, desired: gone }) => without(rest, trail, gone),
    desired,
  ) as Manifest;
  return { manifest, fields };
}

interface Place {
  readonly trail: readonly string[];
  /** Of what is left as a whole, what it is to be; absent for an item whose key is left. */
  readonly desired?: unknown;
}

/** Of what has not even its key nothing can be applied: such an item is one place, to be found while it has all of its keys. */
function placesOf(fields: readonly UncoveredField[]): readonly Place[] {
  const items = new Map(
    fields
      .map(({ trail }) => trail)
      .filter((trail) => isKeyOf(trail.at(-2) ?? '', trail.at(-1) ?? ''))
      .map((trail) => [trail.slice(0, -1).join('\n'), trail.slice(0, -1)] as const),
  );
  const isInOne = ({ trail }: Place) => trail.some((_, depth) => items.has(trail.slice(0, depth).join('\n')));
  return [...fields.filter((field) => !isInOne(field)), ...[...items.values()].map((trail) => ({ trail }))];
}

/** `value` without the place that `trail` leads to, where `gone` is, and without what is empty for that reason. */
function without(value: unknown, [segment = '', ...rest]: readonly string[], gone: unknown): unknown {
  if (Array.isArray(value)) {
    const index = rest.length === 0 ? indexOfGone(value, segment, gone) : indexAt(value, segment, 'loosely');
    if (index < 0) return value;
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], rest, gone));
  }
  if (!isMap(value)) return value;
  const name = segment.slice(2);
  const entries = Object.entries(value).flatMap(([key, child]) => {
    if (key !== name) return [[key, child] as const];
    if (rest.length === 0) return [];
    const left = without(child, rest, gone);
    return isEmptyCollection(left) && !isEmptyCollection(child) ? [] : [[key, left] as const];
  });
  return Object.fromEntries(entries);
}

/** The segment of an item that nobody has may lack keys, and so fit others, too. */
function indexOfGone(list: readonly unknown[], segment: string, gone: unknown): number {
  const index = list.indexOf(gone);
  return index >= 0 ? index : indexAt(list, segment, 'loosely');
}
