import type { Random } from '../../kube/clock.js';

export interface BackOffOptions {
  readonly firstSeconds: number;
  readonly mostSeconds: number;
  /** How much longer than the plain exponential a wait may be; 1 is up to twice as long. */
  readonly jitter: number;
  readonly random: Random;
}

/** How long to wait before each next try: twice as long each time, up to a limit, until something worked. */
export class BackOff {
  #failures = 0;

  constructor(private readonly options: BackOffOptions) {}

  /** Milliseconds to wait after one more failure. */
  next(): number {
    const { firstSeconds, mostSeconds, jitter, random } = this.options;
    // 2 ** 40 milliseconds is over thirty years: no need to let the exponent grow for ever.
    const plain = Math.min(mostSeconds, firstSeconds * 2 ** Math.min(this.#failures++, 40));
    return plain * (1 + jitter * random()) * 1000;
  }

  reset(): void {
    this.#failures = 0;
  }
}
