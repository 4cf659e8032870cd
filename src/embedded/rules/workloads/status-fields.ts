import type { Rules } from '../../kinds/served-kind.js';
import type { Problems } from '../problems.js';

type Counts = Readonly<Record<string, unknown>>;

/** What writes of the main resource and of the status may own. */
export const specAndStatusApart: Required<Pick<Rules, 'resetFields'>> = {
  resetFields: { main: [['f:status']], status: [['f:spec']] },
};

export function statusOf(object: object): Counts {
  return ((object as { readonly status?: Counts }).status ?? {}) as Counts;
}

/** Counts that cannot be negative. */
export function nonNegativeCounts(found: Problems, status: Counts, ...fields: readonly string[]): void {
  for (const field of fields) found.nonNegative(`status.${field}`, status[field] as number | undefined);
}

/** Counts of Pods of which there cannot be more than of all. */
export function atMost(
  found: Problems,
  status: Counts,
  most: string,
  detail: string,
  ...fields: readonly string[]
): void {
  const limit = (status[most] ?? 0) as number;
  for (const field of fields) {
    const count = (status[field] ?? 0) as number;
    if (count > limit) found.invalid(`status.${field}`, count, detail);
  }
}

/** How often a name was taken is never forgotten. */
export function collisionsKept(found: Problems, status: Counts, old: Counts): void {
  const before = old.collisionCount as number | undefined;
  const now = status.collisionCount as number | undefined;
  if (before !== undefined && (now === undefined || now < before)) {
    found.invalid('status.collisionCount', now ?? 0, 'cannot be decremented');
  }
}
