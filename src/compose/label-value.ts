import { createHash } from 'node:crypto';

/**
 * `text` as the value of a label, for selectors that tell the pods of one custom resource from those of another.
 *
 * A name may have 253 characters and a label 63. What does not fit is cut, and a hash of the whole tells apart what was cut off.
 */
export function labelValue(text: string): string {
  if (text.length <= longest && /^([A-Za-z0-9]([-\w.]*[A-Za-z0-9])?)?$/.test(text)) return text;
  const tame = text
    .replace(/[^-\w.]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, longest - hashLength - 1)
    .replace(/[^A-Za-z0-9]+$/, '');
  return tame === '' ? shortHash(text) : `${tame}-${shortHash(text)}`;
}

/** True for a value that `labelValue` may have cut: what it was cannot be told from it. */
export function mayBeCut(value: string): boolean {
  return cutValue.test(value);
}

const longest = 63;
const hashLength = 8;
const cutValue = new RegExp(`(^|-)[0-9a-f]{${hashLength}}$`);

/** Enough of a hash to tell apart what was cut off; lower-case letters and digits, so that it fits any name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, hashLength);
}
