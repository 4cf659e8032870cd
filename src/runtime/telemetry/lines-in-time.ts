/** As standard output is: of a pipe whose reader does not keep up, all that was written waits in this process. */
export interface LineStream {
  readonly writableLength: number;
  write(line: string): unknown;
  once(event: 'drain', listener: () => void): unknown;
}

/** More than is told within a busy minute, and little of what a process may have. */
const mostWaiting = 8 * 2 ** 20;

/**
 * Writes lines to `stream` as long as somebody reads them. A log driver that blocks would else have them heap up until the
 * process is out of memory, and again in the next one.
 *
 * **Guarantees.** No line is cut, and none comes out of turn. Once one was left out, so are all others until what waits was read:
 * a log has one gap, and not a hole in every other place. `leftOut` is told then how many are missing.
 */
export function linesInTime(stream: LineStream, leftOut: (lines: number) => void): (line: string) => void {
  let missing = 0;
  return (line) => {
    if (missing === 0 && stream.writableLength < mostWaiting) {
      stream.write(line);
      return;
    }
    missing++;
    if (missing > 1) return;
    stream.once('drain', () => {
      const lines = missing;
      missing = 0;
      leftOut(lines);
    });
  };
}
