/** Whether a count that goes up stands still, for somebody who looks now and then. */
export interface Stillness {
  /** From now on it is looked at. */
  begin(count: number, now: number): void;
  /** It is looked at once more: whether it has stood still long enough now, which is said once of each standstill. */
  look(count: number, now: number): boolean;
}

/**
 * Sees that a count has stood still for `milliseconds` by looks that should come every `everyMilliseconds`, and by the time between
 * them. On a machine that is busy they come late, and a loop of seconds sees few of them. But one alone never says so, however late:
 * where all of the process was stopped, who counts has not had a turn either. Its text is handed over to another thread.
 */
export function stillness(milliseconds: number, everyMilliseconds: number): Stillness {
  let seen = 0;
  let lookedAt = 0;
  let stood = 0;
  const begin = (count: number, now: number): void => {
    seen = count;
    lookedAt = now;
    stood = 0;
  };
  return {
    begin,
    look(count, now) {
      if (count !== seen) {
        begin(count, now);
        return false;
      }
      const before = stood;
      stood += Math.min(now - lookedAt, milliseconds - everyMilliseconds);
      lookedAt = now;
      return before < milliseconds && stood >= milliseconds;
    },
  };
}
