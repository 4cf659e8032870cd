/**
 * What happens when somebody changes what we applied: it is put back, it is shown and left alone, or it is left alone.
 */
export type DriftMode = 'enforce' | 'report' | 'ignore';

export const driftModes: readonly DriftMode[] = ['enforce', 'report', 'ignore'];

/** Says a mode for a kind, for a field of a kind, or for a field of all kinds. */
export interface DriftRule {
  readonly kind?: { readonly apiVersion: string; readonly kind: string };
  /** `spec.replicas`, `spec.template.spec.containers[name=web].image`; see `fieldPath`. */
  readonly field?: string;
  readonly mode: DriftMode;
}
