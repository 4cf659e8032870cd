/**
 * `value`, of which nothing can be changed any more: a function that should be pure and is not fails at once.
 *
 * **Guarantees.** However deeply it is nested, the stack does not end.
 */
export function frozen<T>(value: T): T {
  if (!isMutable(value)) return value;
  const left: object[] = [Object.freeze(value)];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    for (const child of Object.values(one)) if (isMutable(child)) left.push(Object.freeze(child));
  }
  return value;
}

const isMutable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Object.isFrozen(value);
