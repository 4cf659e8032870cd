/** What all conditions of built-in kinds have in common. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
}

export function conditionOf<T extends Condition>(conditions: readonly T[] | undefined, type: string): T | undefined {
  return conditions?.find((each) => each.type === type);
}

/**
 * `conditions` with `condition` last, in place of the one of its type: unless that has the same status and reason, which
 * leaves all as it is. The time of transition is kept where the status is.
 */
export function withCondition<T extends Condition>(conditions: readonly T[] | undefined, condition: T): readonly T[] {
  const current = conditionOf(conditions, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return conditions ?? [];
  const { lastTransitionTime } = current?.status === condition.status ? current : condition;
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) },
  ];
}

export function withoutCondition<T extends Condition>(
  conditions: readonly T[] | undefined,
  type: string,
): readonly T[] {
  return (conditions ?? []).filter((each) => each.type !== type);
}
