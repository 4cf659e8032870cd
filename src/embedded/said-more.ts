/**
 * What a body says beyond what an object shows: which lists and maps it has said to be empty, which quantities it writes
 * otherwise than the server does, and where it has null for bytes. Nobody is told of that and the store does not keep it,
 * but until an object is stored the server tells it apart: in some defaults, in what grows a generation, in who owns a
 * list that is owned as one, and where a refusal shows a value.
 */
const said = new WeakMap<object, Set<string>>();

/** Of a field that `parent` has not: that it was said to be empty. Of one that it has: that it was written otherwise. */
export function sayMore(parent: object, field: string): void {
  const fields = said.get(parent);
  if (fields) fields.add(field);
  else said.set(parent, new Set([field]));
}

/** For what is empty whether or not that was said. */
export function sayNoMore(parent: object, field: string): void {
  said.get(parent)?.delete(field);
}

export function isSaidEmpty(parent: object | undefined, field: string): boolean {
  return parent !== undefined && fieldsSaid(parent)?.has(field) === true && !Object.hasOwn(parent, field);
}

/** Whether more was said of anything within a value than it shows. */
export function saysMore(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as { readonly [name: string]: unknown };
  // A list or map that was empty may have been filled since.
  for (const field of fieldsSaid(value) ?? []) if (typeof fields[field] !== 'object') return true;
  for (const key in fields) if (saysMore(fields[key])) return true;
  return false;
}

/** `copy`, of which the same was said as of `original`, but for some fields. */
export function withMoreOf<T extends object>(copy: T, original: object, ...except: readonly string[]): T {
  const fields = new Set(fieldsSaid(original));
  for (const field of except) fields.delete(field);
  if (fields.size > 0) said.set(copy, fields);
  return copy;
}

/** What is stored is frozen, and nothing more is known of it. */
function fieldsSaid(parent: object): ReadonlySet<string> | undefined {
  const fields = said.get(parent);
  return fields === undefined || Object.isFrozen(parent) ? undefined : fields;
}
