import { groupOf } from '../kube/api-resource.js';
import { type DriftMode, driftModes } from '../kube/drift-mode.js';
import { OperatorError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

/** What a person who is on call says of one custom resource, by annotations under its own group. */
export interface CustomResourceMode {
  readonly mode: DriftMode;
  /** Milliseconds since the epoch: when this ends of its own accord. */
  readonly until: number | undefined;
}

/**
 * The mode that a custom resource asks for with `<group>/mode: report`, until `<group>/mode-until: <RFC 3339>` where that
 * is there. Undefined when it asks for none, or not any longer.
 *
 * Throws `OperatorError` for a value that means nothing: whoever wrote it wanted something in an incident.
 */
export function customResourceMode(cr: KubeObject, now: number): CustomResourceMode | undefined {
  const group = groupOf(cr.apiVersion);
  const { [`${group}/mode`]: mode, [`${group}/mode-until`]: end } = cr.metadata.annotations ?? {};
  if (mode === undefined || mode === '') return undefined;
  if (!driftModes.includes(mode as DriftMode)) {
    throw new OperatorError(`${show(refOf(cr))} asks for the mode ${JSON.stringify(mode)} in ${group}/mode`, {
      hint: `write ${driftModes.join(', ')}, or remove the annotation`,
    });
  }
  const until = end === undefined || end === '' ? undefined : timeIn(end);
  if (Number.isNaN(until)) {
    throw new OperatorError(`${show(refOf(cr))} says ${JSON.stringify(end)} in ${group}/mode-until, which is no time`, {
      hint: 'write a time such as 2026-01-31T18:00:00Z, or remove the annotation',
    });
  }
  if (until !== undefined && until <= now) return undefined;
  return { mode: mode as DriftMode, until };
}

/** Not as `Date.parse` alone, which finds a day of the year 2001 in `until 5`. */
function timeIn(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
}
