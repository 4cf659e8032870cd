import type { Manifest } from './manifest.js';

/** On a child: what becomes of it when it leaves the composition, or when its custom resource is deleted. */
export const removal = 'kilter.dev/removal';

/**
 * - `delete`: it is deleted in both cases.
 * - `retain`: it stays when it leaves the composition, and goes with its custom resource: for what holds data.
 * - `orphan`: it stays in both cases, and is nobody's when its custom resource is gone. It has no owner reference, for that
 *   would delete it.
 */
export const removals = ['delete', 'retain', 'orphan'] as const;

export type Removal = (typeof removals)[number];

/** What is to become of `child`. What means nothing keeps it, for whoever wrote it wanted something. */
export function removalOf({ metadata }: Pick<Manifest, 'metadata'>): Removal {
  const asked = metadata.annotations?.[removal];
  if (asked === undefined || asked === '') return 'delete';
  return removals.find((each) => each === asked) ?? 'retain';
}
