/**
 * Which lists and maps a body has said to be empty. They are no part of an object, for nobody is told of them and the
 * store does not keep them, but until an object is stored the server tells them from those of which nothing was said: in
 * some defaults, in what grows a generation, and where a refusal shows a value.
 */
const said = new WeakMap<object, Set<string>>();

export function sayEmpty(parent: object, field: string): void {
  const fields = said.get(parent);
  if (fields) fields.add(field);
  else said.set(parent, new Set([field]));
}

export function isSaidEmpty(parent: object | undefined, field: string): boolean {
  return parent !== undefined && (said.get(parent)?.has(field) ?? false) && !Object.hasOwn(parent, field);
}

/** Whether anything within a value was said to be empty. */
export function saysEmpties(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = said.get(value);
  if (fields !== undefined && [...fields].some((field) => isSaidEmpty(value, field))) return true;
  return Object.values(value).some(saysEmpties);
}

/** `copy`, in which the same is said to be empty as in `original`. */
export function withEmptiesOf<T extends object>(copy: T, original: object): T {
  const fields = said.get(original);
  if (fields) said.set(copy, new Set(fields));
  return copy;
}
