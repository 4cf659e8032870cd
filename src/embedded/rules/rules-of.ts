import type { Rules } from '../kinds/served-kind.js';

/** By the name under which the store keeps a kind: `deployments.apps`. */
const rules: Readonly<Record<string, Rules>> = {};

/** The rules of a built-in kind; a kind without any takes what its schema takes. */
export function rulesOf(storage: string): Rules {
  return Object.hasOwn(rules, storage) ? (rules[storage] as Rules) : {};
}
