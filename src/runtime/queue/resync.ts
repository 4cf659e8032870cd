import type { Clock, Random } from '../../kube/clock.js';

export interface ResyncOptions {
  readonly seconds: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Looks at everything. */
  readonly look: () => void;
}

/**
 * Looks at everything again and again until `signal` aborts, for those who do not trust watches alone. Each time it waits
 * up to a tenth longer, so that replicas and operators do not all do so at once.
 */
export function resync({ seconds, clock, random, look }: ResyncOptions, signal: AbortSignal): void {
  let cancel = () => {};
  const next = (): void => {
    cancel = clock.after(seconds * 1000 * (1 + random() / 10), () => {
      look();
      next();
    });
  };
  next();
  signal.addEventListener('abort', () => cancel(), { once: true });
}
