/**
 * When a program began, whatever had to be done around it before.
 *
 * kilter needs a sandbox to find the files of a Pod, which takes a while to set up and which nobody has in a cluster. So the
 * last thing before its `exec` is to write down the time. Everybody is started like this, with a sandbox or without, so
 * that all are timed by the same clock from the same moment.
 */
import { readFileSync } from 'node:fs';

/** `EPOCHREALTIME` is a variable of bash: no process has to be started to ask for the time. */
const script = 'printf %s "$EPOCHREALTIME" >"$1"; shift; exec "$@"';

/** `command`, which writes into `file` when it begins. */
export function stamped(file: string, command: readonly string[]): string[] {
  return ['bash', '-c', script, 'stamped', file, ...command];
}

/** When the program that was to write into `file` began, by the clock of `performance.now()`. */
export function stampIn(file: string): number {
  return performance.now() - (Date.now() - millisecondsOf(readFileSync(file, 'utf8')));
}

/** Of `1700000000.123456`. Some locales write a comma. */
export function millisecondsOf(stamp: string): number {
  if (!/^\d+[.,]\d{6}$/.test(stamp)) throw new Error(`the time of a start is "${stamp}": is there a bash 5?`);
  return Number(stamp.replace(',', '.')) * 1000;
}
