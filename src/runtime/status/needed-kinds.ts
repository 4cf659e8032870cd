import type { Operator } from '../../compose/operator.js';
import { type ApiResource, groupVersionKindOf, showInVersion } from '../../kube/api-resource.js';
import type { Unmet } from './status.js';

/** The kinds without which nothing is done for a custom resource: its own, those of its children, and what it reads. */
export function neededKinds({ resource, owns, reads }: Operator): readonly ApiResource[] {
  // What is read may be of another version than what is owned.
  const optional = new Set(owns.filter((owned) => owned.optional).map(groupVersionKindOf));
  const all = [resource, ...owns, ...Object.values(reads).map((read) => read.resource)];
  const needed = all.filter((kind) => !optional.has(groupVersionKindOf(kind)));
  return [...new Map(needed.map((kind) => [groupVersionKindOf(kind), kind])).values()];
}

/**
 * What is told while `kinds` are not served, and nothing else is done: what is known of them is of another time, and the
 * children that are no longer wanted are not seen. Whoever installs them has all looked at anew.
 */
export function notServed(kinds: readonly ApiResource[]): Unmet {
  return {
    reason: 'KindNotServed',
    message: `The API server does not serve ${kinds.map(showInVersion).join(', ')}`,
    isStalled: true,
  };
}
