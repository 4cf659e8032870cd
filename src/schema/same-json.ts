import { goJson } from './go-format.js';

/** True when two JSON values are equal, whatever the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || goJson(a) === goJson(b);
}
