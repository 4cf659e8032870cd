/** Counts as the API shows them: one of zero is left out. */
export function nonZero<T extends Readonly<Record<string, number | undefined>>>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) as Partial<T>;
}

/** A number or a share of `total` such as `25%`, rounded as asked. */
export function share(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof value !== 'string') return value ?? 0;
  const exact = (Number.parseInt(value, 10) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
