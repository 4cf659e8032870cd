import type { Operator } from '../compose/operator.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { WatchedKind } from './watched-kind.js';

/** How many children there are of each kind that the operator owns, by the stores. */
export function countChildren(
  { resource, owns }: Operator,
  kindOf: (resource: ApiResource) => WatchedKind,
): ReadonlyMap<string, number> {
  const owners = kindOf(resource).list();
  return new Map(
    owns.map((owned) => {
      const kind = kindOf(owned);
      return [owned.kind, owners.reduce((sum, { metadata }) => sum + kind.controlledBy(metadata.uid).length, 0)];
    }),
  );
}
