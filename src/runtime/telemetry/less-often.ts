/** For so long what was told is no news at first. */
export const quietMilliseconds = 60_000;
/** For somebody who mends one cause after the other. */
const mostAtFirst = 5;
/** What lasts is told so often in the end: by a month of it nobody learns more than by a day. */
export const longestMilliseconds = 60 * 60_000;

/**
 * How many milliseconds it is no news, after it was told so many times in a row: in the end twice as long each time, up to an hour.
 */
export function quietAfter(times: number): number {
  return Math.min(quietMilliseconds * 2 ** Math.max(0, times - mostAtFirst), longestMilliseconds);
}

/** Whether what is told now is told once more in a row, or had been over: in milliseconds of one clock. */
export function isInARow(lastAt: number, now: number): boolean {
  return now - lastAt < 2 * longestMilliseconds;
}
