import { mustMatch } from '../../../schema/name-formats.js';
import type { Problems } from '../problems.js';

const notAPercentage = mustMatch(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

/** A number of Pods, or a share of them: `2` or `25%`. */
export function numberOrShare(found: Problems, path: string, value: number | string): void {
  if (typeof value === 'number') found.nonNegative(path, value);
  else if (!/^[0-9]+%$/.test(value)) found.invalid(path, value, notAPercentage);
}

export function atMostAll(found: Problems, path: string, value: number | string): void {
  if (typeof value === 'string' && /^[0-9]+%$/.test(value) && Number(value.slice(0, -1)) > 100) {
    found.invalid(path, value, 'must not be greater than 100%');
  }
}

/** True for none; what is neither a number nor a share counts as none, too. */
export function isNone(value: number | string): boolean {
  if (typeof value === 'number') return value === 0;
  return !/^[+-]?[0-9]+%?$/.test(value) || Number.parseInt(value, 10) === 0;
}
