/**
 * One thing that is said of an object: `Ready`, `Reconciling`, `Stalled`, `Drifted` …
 *
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One CamelCase word for machines. */
  readonly reason: string;
  /** One sentence for people: short, stable, without times, so that writing it twice is writing nothing. */
  readonly message: string;
  /** The `metadata.generation` of which it is said. */
  readonly observedGeneration?: number;
  /** RFC 3339, seconds. Moves only when `status` does. */
  readonly lastTransitionTime: string;
}

/** What a reason has to be: https://pkg.go.dev/k8s.io/apimachinery/pkg/apis/meta/v1#Condition */
export const conditionReason = { maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' } as const;

/** A condition before it is known whether it is news. */
export type ConditionClaim = Omit<Condition, 'lastTransitionTime'>;

/**
 * `claims` as conditions, each keeping its old transition time unless its status changed.
 *
 * What is not claimed is dropped: conditions are computed whole each time, as everything in `status` is.
 */
export function transition(before: readonly Condition[], claims: readonly ConditionClaim[], now: string): Condition[] {
  return claims.map((claim) => {
    const old = before.find(({ type }) => type === claim.type);
    return { ...claim, lastTransitionTime: old?.status === claim.status ? old.lastTransitionTime : now };
  });
}
