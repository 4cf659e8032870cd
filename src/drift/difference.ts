import type { FieldsV1, KubeObject, Manifest } from '../kube/manifest.js';
import { entriesOf, ownershipOf } from './ownership.js';
import { uncoveredFields } from './uncovered.js';

/** One field that is not as we applied it, and who made it so. */
export interface Difference {
  /** For people. Empty for the child as a whole: it is missing, or no longer desired. */
  readonly path: string;
  /** The same in the segments of `fieldsV1`. */
  readonly trail: readonly string[];
  readonly desired: unknown;
  readonly observed: unknown;
  /** Undefined where nobody owns the field now: it was removed. */
  readonly by: { readonly manager: string; readonly operation: string; readonly time: string | undefined } | undefined;
}

const masked = '(hidden)';

/**
 * What was changed on `observed` of what `desired` says, by ownership; values are here for people alone. Those of a
 * Secret are masked.
 */
export function differences(desired: Manifest, observed: KubeObject, manager: string): Difference[] {
  const entries = entriesOf(observed);
  const all = entries.map(({ fieldsV1 = {} }) => fieldsV1);
  const others = entries.filter((entry) => entry.manager !== manager || entry.subresource);
  return uncoveredFields(desired, observed, ownershipOf(observed, manager).fields, all).map(
    ({ path, trail, ...values }) => {
      const writer = others.find(({ fieldsV1 = {} }) => owns(fieldsV1, trail));
      const isSecret = desired.kind === 'Secret' && /^(data|stringData)\b/.test(path);
      return {
        path,
        trail,
        desired: isSecret ? masked : values.desired,
        observed: isSecret && values.observed !== undefined ? masked : values.observed,
        by: writer && { manager: writer.manager ?? '', operation: writer.operation ?? '', time: writer.time },
      };
    },
  );
}

/** `spec.replicas 3 → 9 by kubectl (Update)`, for logs and events. */
export function showDifference({ path, desired, observed, by }: Difference): string {
  if (path === '') return observed === undefined ? 'missing' : 'no longer desired';
  const value = (of: unknown) => (of === undefined ? 'nothing' : JSON.stringify(of));
  return `${path} ${value(desired)} → ${value(observed)}${by ? ` by ${by.manager} (${by.operation})` : ''}`;
}

function owns(fields: FieldsV1, trail: readonly string[]): boolean {
  let node: FieldsV1 | undefined = fields;
  for (const segment of trail) {
    node = Object.hasOwn(node, segment) ? node[segment] : undefined;
    if (node === undefined) return false;
    if (Object.keys(node).length === 0) return true;
  }
  return true;
}
