import type { KubeObject, Manifest } from '../kube/manifest.js';
import { isHollow, isMap } from '../kube/plain-map.js';
import type { FieldModes } from './drift-policy.js';
import { isAutoscaled, isScaledByAutoscaler } from './handed-over.js';
import { entriesOf, ownershipOf } from './ownership.js';
import { type UncoveredField, uncoveredFields } from './uncovered.js';

/** What is left of a desired child after fields were left to others, and which these are. */
export interface Yielded {
  readonly manifest: Manifest;
  readonly fields: readonly UncoveredField[];
}

/**
 * Leaves fields that are not enforced to whoever has them: what somebody took from us is not applied again.
 *
 * **Guarantees.** A field is left only when we do not own it any more, so that leaving it never resets it. While it is
 * still ours it is applied as any other.
 */
export function yieldFields(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  modes: FieldModes | undefined,
): Yielded {
  if (!modes && !isScaledByAutoscaler(observed)) return { manifest: desired, fields: [] };
  const all = entriesOf(observed).map(({ fieldsV1 = {} }) => fieldsV1);
  const fields = uncoveredFields(desired, observed, ownershipOf(observed, manager).fields, all).filter(({ trail }) => {
    const mode = modes?.modeOf(trail);
    return (mode !== undefined && mode !== 'enforce') || isAutoscaled(trail, observed, modes);
  });
  if (fields.length === 0) return { manifest: desired, fields };
  const manifest = fields.reduce<unknown>((rest, { trail }) => without(rest, trail), desired) as Manifest;
  return { manifest, fields };
}

/** `value` without the place that `trail` leads to, and without maps that are empty for that reason. */
function without(value: unknown, [segment = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const index = value.findIndex((item) => isSegmentOf(segment, item));
    if (index < 0) return value;
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], rest));
  }
  if (typeof value !== 'object' || value === null) return value;
  const name = segment.slice(2);
  const entries = Object.entries(value).flatMap(([key, child]) => {
    if (key !== name) return [[key, child] as const];
    if (rest.length === 0) return [];
    const left = without(child, rest);
    return isMap(left) && isHollow(left) && !isHollow(child) ? [] : [[key, left] as const];
  });
  return Object.fromEntries(entries);
}

function isSegmentOf(segment: string, item: unknown): boolean {
  if (segment.startsWith('v:')) return segment.slice(2) === JSON.stringify(item);
  if (typeof item !== 'object' || item === null) return false;
  const fields = item as Readonly<Record<string, unknown>>;
  // A key that is left out has its default.
  return Object.entries(JSON.parse(segment.slice(2)) as object).every(
    ([key, value]) => fields[key] === undefined || fields[key] === value,
  );
}
