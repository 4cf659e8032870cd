/**
 * `value` as a JSON text that is equal for what says the same, in whatever order of keys.
 *
 * Without a list of parts in between: it is made of every child in every round.
 */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let parts = '';
  if (Array.isArray(value)) {
    for (const item of value) parts += `${parts === '' ? '' : ','}${canonical(item)}`;
    return `[${parts}]`;
  }
  const map = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(map).sort()) {
    const field = map[key];
    if (field !== undefined) parts += `${parts === '' ? '' : ','}${JSON.stringify(key)}:${canonical(field)}`;
  }
  return `{${parts}}`;
}
