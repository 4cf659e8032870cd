import type { FieldsV1, KubeObject, Manifest } from '../kube/manifest.js';
import { isEmptyValue } from '../kube/plain-map.js';
import { isItem } from './item-segments.js';
import { ownershipOf } from './ownership.js';
import { childAt, indexAt } from './value-at.js';

/**
 * The fields of `desired` that are not in what the API server answered to our write of it, `stored`, though it took them for ours:
 * what it knows and has no use for, since it is of a version, or has feature gates, in which the field does nothing. It clears
 * these without a word, and only after it has noted who owns them. What admission has taken out is ours no more, and not among
 * them.
 *
 * https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/api/pod/util.go
 */
export function droppedFields(desired: Manifest, stored: KubeObject, manager: string): readonly string[] {
  const found = new Set<string>();
  for (const fields of ownershipOf(stored, manager).fields) visit({ fields, desired, stored, path: '' }, found);
  return [...found];
}

interface Place {
  /** Those of one of our entries that are below. */
  readonly fields: FieldsV1;
  readonly desired: unknown;
  readonly stored: unknown;
  readonly path: string;
}

function visit({ fields, desired, stored, path }: Place, found: Set<string>): void {
  for (const segment in fields) {
    const wanted = segment === '.' ? undefined : childAt(desired, segment, 'loosely');
    if (isAsGoodAsAbsent(wanted)) continue;
    const there = childAt(stored, segment, 'exactly');
    // Only items have indexes, and only lists have items.
    const index = isItem(segment) && indexAt(desired as readonly unknown[], segment, 'loosely');
    const at = index === false ? `${path}.${segment.slice(2)}` : `${path}[${index}]`;
    if (there === undefined) found.add(at.slice(1));
    else visit({ fields: fields[segment] as FieldsV1, desired: wanted, stored: there, path: at }, found);
  }
}

/** What the server may leave out, and mean the same by it. */
function isAsGoodAsAbsent(value: unknown): boolean {
  return value === undefined || isEmptyValue(value);
}
