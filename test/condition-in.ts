import type { Condition } from '../src/index.js';

/** What the status of an object says of `type`. */
export function conditionIn(object: object, type = 'Ready'): Condition | undefined {
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[] } };
  return status?.conditions?.find((each) => each.type === type);
}
