import { TransportError } from '../../client/api-error.js';
import type { CallOptions } from '../../client/cluster.js';
import type { Clock } from '../../kube/clock.js';
import { follow } from '../../kube/first-abort.js';

/** One of several tries. `call` gives each of its calls what is left of the time. */
export type Try<T> = (call: () => CallOptions, isFirst: boolean) => Promise<T>;

export interface FirstAnswerOptions {
  readonly clock: Clock;
  /** How many tries are under way at most. */
  readonly times: number;
  /** After so long without an answer the next begins. */
  readonly everySeconds: number;
  /** All have to end within that time. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Told, once one is answered that began later, since when the first was not. */
  readonly overtaken?: ((since: number) => void) | undefined;
}

/**
 * What is answered first of several tries, each beside those before and so on a connection of its own: behind a balancer one of them may
 * hang at a server that is gone, and the next lead to another that is well. The others are given up.
 */
export async function firstAnswer<T>(options: FirstAnswerOptions, tryOnce: Try<T>): Promise<T> {
  const { clock, times, everySeconds, timeoutSeconds, signal, overtaken } = options;
  const others = new AbortController();
  const letGo = signal && follow(others, signal);
  const since = clock.monotonic();
  const end = since + timeoutSeconds * 1000;
  const call = () => ({ signal: others.signal, timeoutSeconds: (end - clock.monotonic()) / 1000 });
  let cancel = () => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      let [begun, underWay] = [0, 0];
      let isFirstOver = false;
      let failure: unknown;
      const begin = () => {
        const isFirst = ++begun === 1;
        underWay++;
        const answered = () => {
          // Who was given up says nothing of the first, which may be what was answered.
          if (!isFirst && !isFirstOver && !others.signal.aborted) overtaken?.(since);
        };
        tryOnce(call, isFirst).then(
          (answer) => {
            answered();
            resolve(answer);
          },
          (error: unknown) => {
            isFirstOver ||= isFirst;
            failure ??= error;
            // Another may yet be answered. What the server says of what was asked is an answer, too.
            if (!(error instanceof TransportError)) {
              answered();
              reject(error);
            } else if (--underWay === 0) reject(failure);
          },
        );
        if (begun < times) cancel = clock.after(everySeconds * 1000, begin);
      };
      begin();
    });
  } finally {
    cancel();
    letGo?.();
    others.abort(new Error('another was answered first'));
  }
}
