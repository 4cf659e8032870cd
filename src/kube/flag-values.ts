/**
 * What words mean as values of flags, in the forms in which programs in Go take them; `undefined`, or false, where a word
 * cannot be such a value. The controller reads its flags by it, and an install refuses what the controller could not read.
 */
export function booleanOf(word: string): boolean | undefined {
  if (/^(true|1|t)$/i.test(word)) return true;
  return /^(false|0|f)$/i.test(word) ? false : undefined;
}

/** Above 0. */
export function wholeNumberOf(word: string): number | undefined {
  const number = Number(word);
  return /^\d+$/.test(word) && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** More workers than any process has room for: each waits in memory, and too many end it as it begins. */
export const mostWorkers = 10_000;

/** Of workers: above 0, and as many as there may be at most. */
export function workersOf(word: string): number | undefined {
  const number = wholeNumberOf(word);
  return number !== undefined && number <= mostWorkers ? number : undefined;
}

/** Above 0, of so many a second. */
export function rateOf(word: string): number | undefined {
  const number = Number(word);
  return /^\d+(\.\d+)?$/.test(word) && number > 0 ? number : undefined;
}

export function portOf(word: string): number | undefined {
  const number = Number(word);
  return /^\d+$/.test(word) && number > 0 && number < 65_536 ? number : undefined;
}

const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Of a duration above 0 as Go writes it: https://pkg.go.dev/time#ParseDuration */
export function secondsOf(word: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(word)) return undefined;
  const parts = [...word.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const seconds = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0);
  // 2.05m are 122.99999999999999 as such, and no whole seconds.
  const exact = Math.round(seconds * 1e9) / 1e9;
  return exact > 0 ? exact : undefined;
}

/** Whether something can be served there, or nowhere, which is `0`. */
export function isBindAddress(word: string): boolean {
  const digits = /^(?:[A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(word)?.[1];
  return word === '0' || Number(digits) < 65_536;
}

/** Whether a word is the address of a server by HTTPS, with nothing behind its name and its port. */
export function isHttpsServer(word: string): boolean {
  return /^https:\/\/[^/?#]+\/?$/.test(word) && URL.canParse(word);
}

/** What stands between commas. */
export function listOf(words: string): readonly string[] {
  return words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
