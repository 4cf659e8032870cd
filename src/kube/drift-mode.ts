/**
 * What happens when somebody changes or removes what an operator applied.
 *
 * - `enforce`: it is put back, and an event says who changed it.
 * - `report`: it stays as it is, and the condition `Drifted` shows it.
 * - `ignore`: it stays as it is, and nothing is said.
 */
export type DriftMode = 'enforce' | 'report' | 'ignore';

export const driftModes: readonly DriftMode[] = ['enforce', 'report', 'ignore'];

/**
 * Another `mode`, another `strict`, or both, for a kind, for a field of a kind, or for a field of all kinds. Of several rules
 * about a field the most specific holds.
 */
export interface DriftRule {
  /** A construct class, such as `Deployment`. Absent: every kind. */
  readonly kind?: { readonly apiVersion: string; readonly kind: string };
  /**
   * Fields parted by dots, `["key"]` for a key with dots in it, `[name=web]` for the item of a list that has these keys, `[*]` for
   * any item and `*` for any field: `spec.template.spec.containers[name=web].image`. A rule holds for all below its field.
   */
  readonly field?: string;
  readonly mode?: DriftMode;
  /** Whether what others add there is removed, too: a container, a port, a label, a field that the operator does not compose. */
  readonly strict?: boolean;
}

/** A field of a kind, or of all kinds, whose values are secret: they are shown to nobody. Fields are written as in `DriftRule`. */
export type SensitiveField = string | { readonly kind?: DriftRule['kind']; readonly field: string };
