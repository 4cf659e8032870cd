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
  if (isGoDuration(text)) return goNanoseconds(text);
  return nanosecondsIn(text, text.matchAll(/(\d+)()[\t\n\f\r ]*([A-Za-zµ]+)/g));
}

/** What Go's `time.ParseDuration` takes. */
export function isGoDuration(text: string): boolean {
  if (!/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return false;
  const value = goNanoseconds(text);
  return value !== undefined && value === BigInt.asIntN(64, value);
}

function goNanoseconds(text: string): bigint | undefined {
  if (/^[+-]?0$/.test(text)) return 0n;
  return nanosecondsIn(text, text.matchAll(/(\d*)(?:\.(\d*))?([a-zµμ]+)/g));
}

function nanosecondsIn(text: string, parts: Iterable<RegExpMatchArray>): bigint | undefined {
  let total: bigint | undefined;
  for (const [, whole = '', fraction = '', unit = ''] of parts) {
    const scale = units.find(([pattern]) => pattern.test(unit))?.[1];
    // A number of more than 64 bits is none to the server, wherever it stands.
    if (whole.length > 18 && BigInt(whole) >= 2n ** 63n) return undefined;
    if (scale === undefined) continue;
    total = (total ?? 0n) + (BigInt(`${whole}${fraction}` || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  return total !== undefined && text.startsWith('-') ? -total : total;
}
