import { compareKubeAwareVersions } from '../../kube/kube-aware-versions.js';

/** A type that wants a name. */
export interface Named {
  /** What it would like to be called: `Event`. */
  readonly short: string;
  /** What tells it from others that want the same: `events`, or `acme.example.com`. */
  readonly group: string;
  readonly version: string;
}

/**
 * Hands out identifiers, none twice, however hostile the names that are asked for.
 *
 * A name that is reserved, since the module itself needs it, gets `Resource` behind it; a name that is taken gets the
 * first free number.
 */
export class Names {
  readonly #taken: Set<string>;

  constructor(readonly reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /** The first of `wishes` that is free together with all that `companions` says must be free beside it. */
  claim(wishes: readonly string[], companions: (name: string) => readonly string[] = () => []): string {
    const usable = wishes.map((wish) => (this.reserved.includes(wish) ? `${wish}Resource` : wish));
    const last = usable.at(-1) ?? 'Type';
    const isFree = (name: string) => [name, ...companions(name)].every((each) => !this.#taken.has(each));
    let name = usable.find(isFree);
    for (let number = 2; name === undefined; number++) {
      if (isFree(`${last}${number}`)) name = `${last}${number}`;
    }
    for (const each of [name, ...companions(name)]) this.#taken.add(each);
    return name;
  }
}

/**
 * A name for each of many types, by a rule that lets names stand when the API grows.
 *
 * Within a group the newest version has the short name, and others append theirs (`HorizontalPodAutoscalerV1`). Of
 * several groups the one of the lowest `rank`, and then the first by name, has the short name; others put themselves
 * before it (`EventsEvent`).
 */
export function nameAll<T extends Named>(
  types: readonly T[],
  names: Names,
  { rank = () => 0, companions }: { rank?: (type: T) => number; companions?: (type: T, name: string) => string[] },
): Map<T, string> {
  const ordered = [...types].sort(
    (a, b) =>
      compareText(a.short, b.short) ||
      rank(a) - rank(b) ||
      compareText(a.group, b.group) ||
      compareKubeAwareVersions(b.version, a.version),
  );
  const first = new Map<string, T>();
  for (const type of ordered) if (!first.has(type.short)) first.set(type.short, type);
  const newest = new Map<string, T>();
  for (const type of ordered)
    if (!newest.has(`${type.group}/${type.short}`)) newest.set(`${type.group}/${type.short}`, type);

  // Who is first takes its bare name before anybody's longer name can stand in the way.
  const named = new Map<T, string>();
  const name = (type: T) => {
    const prefixes =
      first.get(type.short)?.group === type.group ? [''] : [pascal(type.group.split('.')[0] ?? ''), pascal(type.group)];
    const suffix = newest.get(`${type.group}/${type.short}`) === type ? '' : pascal(type.version);
    const wishes = prefixes.map((prefix) => `${prefix}${type.short}${suffix}`);
    named.set(
      type,
      names.claim(wishes, (wish) => companions?.(type, wish) ?? []),
    );
  };
  for (const type of ordered) if (first.get(type.short) === type) name(type);
  for (const type of ordered) if (!named.has(type)) name(type);
  return named;
}

/** `volume-mounts` as `VolumeMounts`: whatever stands between letters and digits is left out. */
export function pascal(text: string): string {
  const joined = text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return /^[A-Za-z]/.test(joined) ? joined : `Field${joined}`;
}

/** By code units, which is the same everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
