/** The value to which `trail` leads from `value`, in the segments of `fieldsV1`. */
export function valueAt(value: unknown, trail: readonly string[]): unknown {
  return trail.reduce((at, segment) => childAt(at, segment, 'exactly'), value);
}

/** The value to which a segment of `fieldsV1` leads from `value`. In what is desired, keys may be left to their defaults. */
export function childAt(value: unknown, segment: string, how: 'exactly' | 'loosely'): unknown {
  const name = segment.slice(2);
  if (segment.startsWith('f:')) {
    const map = value as Readonly<Record<string, unknown>>;
    return typeof value === 'object' && value !== null && Object.hasOwn(map, name) ? map[name] : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  if (segment.startsWith('v:')) return value.find((item) => item === JSON.parse(name));
  const keys = Object.entries(JSON.parse(name) as object);
  const fits = (item: Readonly<Record<string, unknown>>, isLoose: boolean) =>
    keys.every(([key, wanted]) => item[key] === wanted || (isLoose && item[key] === undefined));
  return (
    value.find((item) => fits(item, false)) ?? (how === 'loosely' ? value.find((item) => fits(item, true)) : undefined)
  );
}
