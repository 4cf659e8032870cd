const units: readonly (readonly [RegExp, bigint])[] = [
  [/^(ns|nano.*)$/i, 1n],
  [/^(us|µs|μs|micro.*)$/i, 1_000n],
  [/^(ms|milli.*)$/i, 1_000_000n],
  [/^(s|sec.*)$/i, 1_000_000_000n],
  [/^(m|min.*)$/i, 60_000_000_000n],
  [/^(h|hr|hour.*)$/i, 3_600_000_000_000n],
  [/^(d|day.*)$/i, 86_400_000_000_000n],
  [/^(w|wk|week.*)$/i, 604_800_000_000_000n],
];

/** A duration in nanoseconds, or undefined: Go's own form (`-1.5h`), or whole numbers with long units (`3 days`). */
export function parseDuration(text: string): bigint | undefined {
  const isGo = isGoDuration(text);
  const parts = isGo ? text.matchAll(/(\d*)(?:\.(\d*))?([a-zµμ]+)/g) : text.matchAll(/(\d+)()\s*([A-Za-zµ]+)/g);
  let total = 0n;
  let found = isGo;
  for (const [, whole = '', fraction = '', unit = ''] of parts) {
    if (whole.length > 18 && BigInt(whole) >= 2n ** 63n) return undefined;
    const scale = units.find(([pattern]) => pattern.test(unit))?.[1];
    if (scale === undefined) continue;
    found = true;
    total += (BigInt(`${whole}${fraction}` || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  if (!found) return undefined;
  return text.startsWith('-') ? -total : total;
}

/** What Go's `time.ParseDuration` takes. */
export function isGoDuration(text: string): boolean {
  return /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text);
}
