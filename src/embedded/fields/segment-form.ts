import { canonical } from '../../kube/canonical-json.js';
import { goEscaped } from '../../kube/json-escapes.js';
import type { Json } from '../../kube/manifest.js';
import type { Segment } from './field-set.js';

/**
 * A segment of `fieldsV1` as the server writes it, whatever order, spaces and escapes it came with, so that one place has one
 * name. Or whether it is none, or of a form that is still to come.
 */
export function readSegment(segment: string): { readonly segment: Segment } | 'unknown' | 'broken' {
  if (segment.length < 2 || segment[1] !== ':') return 'broken';
  const rest = segment.slice(2);
  switch (segment[0]) {
    case 'f':
      return { segment };
    case 'v': {
      const value = jsonOf(rest);
      return value === undefined ? 'broken' : { segment: valueSegment(value) };
    }
    case 'k': {
      const keys = rest.startsWith('{') ? jsonOf(rest) : undefined;
      return keys === undefined ? 'broken' : { segment: keySegment(Object.entries(keys as { [name: string]: Json })) };
    }
    case 'i':
      return /^[-+]?\d+$/.test(rest) ? { segment } : 'broken';
    default:
      return 'unknown';
  }
}

/** The segment of an item of a set. */
export function valueSegment(value: Json): Segment {
  return `v:${written(value)}`;
}

/** The segment of an item by its keys, in any order. */
export function keySegment(keys: readonly (readonly [name: string, value: Json])[]): Segment {
  const ordered = keys.length < 2 ? keys : keys.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${ordered.map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join(',')}}`;
}

/** As Go writes it. */
function written(value: Json): string {
  return goEscaped(canonical(value));
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
