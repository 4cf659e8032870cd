/** The middle of some values, and between which they lay. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = [...values].sort((a, b) => a - b);
  return { median: middle(sorted), least: sorted[0]!, most: sorted.at(-1)! };
}

/** The value below which a share of `values` lies; `share` is 0.5 for the median, 0.99 for the slowest of a hundred. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

/** `1.23 (1.10–1.40)`; one value alone where there was one round. */
export function showSpread({ median, least, most }: Spread, digits: number): string {
  const show = (value: number) => showNumber(value, digits);
  return least === most ? show(median) : `${show(median)} (${show(least)}–${show(most)})`;
}

/** With commas between thousands. */
export function showNumber(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function middle(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
