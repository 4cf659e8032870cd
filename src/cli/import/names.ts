import { groupOf, versionOf } from '../../kube/api-resource.js';

interface Named {
  /** What the type would like to be called: `Event`. */
  readonly short: string;
  readonly apiVersion: string;
}

/**
 * One identifier for each of many types, however often two want the same.
 *
 * Within a group the newest version keeps the short name, and older ones append theirs (`HorizontalPodAutoscalerV1`).
 * Between groups the core group keeps it, or else the first by name, and others put their group before it
 * (`EventsEvent`). So a name never changes when another kind appears in a later group or an older version leaves.
 */
export function uniqueNames<T extends Named>(types: readonly T[]): Map<T, string> {
  const names = new Map<T, string>();
  const groups = new Map<string, T[]>();
  for (const type of types) groups.set(type.short, [...(groups.get(type.short) ?? []), type]);
  for (const [short, wanting] of groups) {
    const ranked = [...wanting].sort(
      (a, b) => compare(groupOf(a.apiVersion), groupOf(b.apiVersion)) || versionNumber(b) - versionNumber(a),
    );
    const firstGroup = groupOf(ranked[0]?.apiVersion ?? '');
    const taken = new Set<string>();
    for (const type of ranked) {
      const group = groupOf(type.apiVersion);
      const prefix = group === firstGroup ? '' : pascal(group.split('.')[0] ?? '');
      const bare = `${prefix}${short}`;
      const name = taken.has(bare) ? `${bare}${pascal(versionOf(type.apiVersion))}` : bare;
      taken.add(name);
      names.set(type, name);
    }
  }
  return names;
}

/** `volume-mounts` as `VolumeMounts`: whatever stands between letters and digits is left out. */
export function pascal(text: string): string {
  const joined = text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return /^[A-Za-z]/.test(joined) ? joined : `Field${joined}`;
}

/** A field's name in an interface, quoted where it is no identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quote(name);
}

/** `text` as a single-quoted literal. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)}'`;
}

function versionNumber({ apiVersion }: Named): number {
  return Number(/^v(\d+)$/.exec(versionOf(apiVersion))?.[1] ?? 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
