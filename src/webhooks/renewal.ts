import { type Clock, sleep } from '../kube/clock.js';
import type { Log } from '../runtime/telemetry/log.js';
import { ToldTrouble } from '../runtime/telemetry/told-trouble.js';
import type { IssuedPair } from '../tls/issued.js';
import { goodFor, isVouchedFor, untilStale } from './webhook-certificate.js';

export interface RenewalOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** What is shown now, and was told. */
  readonly pair: IssuedPair;
  /** The certificate that the replicas have by now. */
  find(): Promise<IssuedPair>;
  /** Tells the API server by which authority it verifies. Resolves with which of its objects say so by now; else it is tried on. */
  tell(ca: string): Promise<readonly boolean[]>;
  /** Serves with this one from now on. */
  show(pair: IssuedPair): void;
}

/** A day: timers cannot be set for as long as a certificate is good. */
const longestMilliseconds = 24 * 60 * 60 * 1000;
const shortestMilliseconds = 60_000;
/** API servers hear by their watches what one of them was told. */
const hearingMilliseconds = 5000;

/**
 * Takes over the certificate that the replicas have by now: before the one that is shown is too old, and when somebody asks.
 *
 * **Guarantees.** While it is changed no API server meets a certificate that it does not trust: each of the two is vouched for
 * before the new one is shown, and the old one is shown until all have had the time to hear of that.
 */
export class Renewal {
  #found: IssuedPair;
  #shown: IssuedPair;
  /** What the API server was told last, or is still to be told by then. */
  #toldCa: string;
  #renewing: Promise<void> | undefined;
  #cancel = () => {};
  /** Where it is too old it is looked for each minute. */
  readonly #trouble: ToldTrouble;

  constructor(
    private readonly options: RenewalOptions,
    private readonly signal: AbortSignal,
  ) {
    this.#found = this.#shown = options.pair;
    this.#toldCa = options.pair.ca;
    this.#trouble = new ToldTrouble(options.clock);
    this.#wait();
    signal.addEventListener('abort', () => this.#cancel(), { once: true });
  }

  /** Looks now, and resolves when what was found is shown. Never rejects. */
  now(): Promise<void> {
    const { log } = this.options;
    this.#renewing ??= this.#renewed()
      .then(() => {
        if (this.#trouble.over() !== undefined) log.info('Looked after the certificate of webhooks again');
      })
      .catch((error: unknown) => {
        if (!this.signal.aborted && this.#trouble.failed(error))
          log.error('Failed to renew the certificate of webhooks', { error });
      })
      .finally(() => {
        this.#renewing = undefined;
        this.#wait();
      });
    return this.#renewing;
  }

  async #renewed(): Promise<void> {
    const { clock, find, tell, show } = this.options;
    const found = await find();
    this.#found = found;
    // One that is back after another of which only some were told is to be told again, for that may not vouch for it.
    if (this.#isShown && found.ca === this.#toldCa) return;
    this.#toldCa = found.ca;
    const told = await tell(found.ca);
    if (this.#isShown) return;
    const isTold = told.every(Boolean);
    const isVouched = isVouchedFor(this.#shown, found.ca);
    // Who was told trusts what is shown no more, unless that is vouched for; and others may never be told.
    const isTrusted = isVouched || !told.some(Boolean);
    // In the end it is better known to some than to none.
    if (!isTold && isTrusted && goodFor(this.#shown, clock.now()) > longestMilliseconds) return;
    if (isTold && isVouched) await sleep(clock, hearingMilliseconds, this.signal);
    show(found);
    this.#shown = found;
  }

  #wait(): void {
    this.#cancel();
    if (this.signal.aborted) return;
    const { clock } = this.options;
    const left = this.#isShown ? untilStale(this.#found, clock.now()) + 1 : 0;
    const milliseconds = Math.max(shortestMilliseconds, Math.min(left, longestMilliseconds));
    this.#cancel = clock.after(milliseconds, () => void this.now());
  }

  get #isShown(): boolean {
    return this.#found.cert === this.#shown.cert && this.#found.ca === this.#shown.ca;
  }
}
