const first = 5000;
const longest = 5 * 60_000;

/** How long, in milliseconds, what was refused for good `times` in a row is not asked for again: 5 s, then 10, 20, … up to five minutes. */
export function refusalWait(times: number): number {
  return Math.min(longest, first * 2 ** Math.min(times - 1, 20));
}

/** So long after a kind was defined otherwise all API servers have heard of it, and longer than what was refused once since is not asked for again. */
export const untilAllHaveHeard = refusalWait(1) + 1000;

/** What was refused, and may be taken at another time. */
export interface Refused {
  /** Not before then, by the clock that no one sets. */
  readonly until: number;
  /** There was a reason to try again before that. */
  isOwed: boolean;
}

/** When to do what there was a reason for, and was not done. */
export function nextLookAt(refused: readonly Refused[], now: number): number | undefined {
  const owed = refused.filter(({ isOwed }) => isOwed);
  // What has become due while its round went on has no other look, and one is enough: that round may not come to it.
  for (const each of owed) each.isOwed = each.until > now;
  return owed.length === 0 ? undefined : Math.min(...owed.map(({ until }) => until));
}
