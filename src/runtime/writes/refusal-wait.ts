const first = 5000;
const longest = 5 * 60_000;

/** How long, in milliseconds, what was refused for good `times` in a row is not asked for again: 5 s, then 10, 20, … up to five minutes. */
export function refusalWait(times: number): number {
  return Math.min(longest, first * 2 ** Math.min(times - 1, 20));
}

/** So long after a kind was defined otherwise all API servers have heard of it, and longer than what was refused once since is not asked for again. */
export const untilAllHaveHeard = refusalWait(1) + 1000;
