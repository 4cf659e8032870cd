import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import type { Segment } from './field-set.js';
import { isList } from './field-type.js';

/**
 * The order of segments as sets of fields are shown and written: fields by name, then list items by their keys, then items
 * of sets by value, with numbers as numbers.
 *
 * https://github.com/kubernetes-sigs/structured-merge-diff/blob/master/fieldpath/element.go
 */
export function compareSegments(a: Segment, b: Segment): number {
  if (a[0] !== b[0]) return order.indexOf(a[0] as string) - order.indexOf(b[0] as string);
  if (a[0] === 'f') return compareText(a, b);
  const [first, second] = [a.slice(2), b.slice(2)];
  if (a[0] === 'i') return Number(first) - Number(second);
  return compareValues(JSON.parse(first) as Json, JSON.parse(second) as Json);
}

const order = ['f', 'k', 'v', 'i'];
const ranks = ['number', 'string', 'boolean'];

/** Numbers, text, truth, lists, maps, nothing. */
function rank(value: Json): number {
  if (value === null) return 5;
  if (isList(value)) return 3;
  return isMap(value) ? 4 : ranks.indexOf(typeof value);
}

function compareValues(a: Json, b: Json): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (isList(a) && isList(b)) return compareLists(a, b);
  if (isMap(a) && isMap(b)) return compareLists(entriesOf(a), entriesOf(b));
  const byRank = rank(a) - rank(b);
  return byRank !== 0 || a === null ? byRank : Number(a) - Number(b);
}

function entriesOf(map: { readonly [field: string]: Json }): Json[] {
  const names = Object.keys(map).sort(compareText);
  return names.flatMap((name) => [name, map[name] as Json]);
}

function compareLists(a: readonly Json[], b: readonly Json[]): number {
  for (const [index, item] of a.entries()) {
    if (index >= b.length) break;
    const order = compareValues(item, b[index] as Json);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** As bytes compare: JavaScript has the characters beyond the first 65,536 before the last of these. */
function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) {
    const first = a.charCodeAt(index);
    const second = b.charCodeAt(index);
    if (first !== second) return placeOf(first) - placeOf(second);
  }
  return a.length - b.length;
}

function placeOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
