import { OperatorError } from '../kube/errors.js';

/** Throws `OperatorError` for what is no number of seconds, by which time would go on for ever, or never, and a test with it. */
export function refuseEndless(
  what: string,
  seconds: unknown,
  most = Number.POSITIVE_INFINITY,
  least = Number.NEGATIVE_INFINITY,
): void {
  if (typeof seconds === 'number' && seconds >= least && seconds <= most) return;
  throw new OperatorError(
    `${what} takes a number of seconds${least > 0 ? ' above 0' : ''}, and not ${String(seconds)}`,
    {
      hint: 'see what it is computed of',
    },
  );
}
