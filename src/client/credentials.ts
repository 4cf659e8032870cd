import type { Clock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import type { Shown } from './cluster-config.js';
import { type ExecCredential, isGood } from './exec-plugin.js';

/** What is to be shown to an API server. */
export interface Credential extends Shown {
  /** What the plugin gave that it is made of, where there is one. */
  readonly plugin?: ExecCredential | undefined;
}

/** What is asked for: `known` may be made use of, and is absent when it was refused. */
export type Ask = (options: {
  readonly known: Credential | undefined;
  readonly signal: AbortSignal;
}) => Promise<Credential>;

/** How long an answer is good for: files rotate. */
const goodMilliseconds = 30_000;

/** How often is asked at most for what had expired when it came. */
const expiredMilliseconds = 1000;

/** How long an answer is waited for: a person may be logging in by a browser. */
const mostMinutes = 5;

/**
 * Credentials of one user, asked for once for all who wait, and again after a while, or when they expired.
 *
 * **Guarantees.** Whoever was refused gets credentials that were asked for after a refusal; all who were refused with the same
 * ones, together or one after another, share one ask for others. Credentials that were asked for earlier never take the place of
 * later ones. What was there once is good until it expires or is refused, though its files cannot be read any more. The same
 * certificates are the same value: another value means new connections. An ask without an answer ends after five minutes.
 */
export class Credentials {
  #known: Credential | undefined;
  #knownAt = 0;
  /** Which ask brought what is known. */
  #knownBy = 0;
  #asks = 0;
  #asking: { readonly refresh: boolean; readonly answer: Promise<Credential> } | undefined;

  constructor(
    private readonly options: {
      /** Whose they are. */
      readonly subject: string;
      /** What to do when there are none to be had, and nobody knows better. */
      readonly hint: string;
      readonly ask: Ask;
      readonly clock: Clock;
    },
  ) {}

  /** Others than those that were `refused`, if there are. Throws `OperatorError` when there are none to be had. */
  async read(refused?: Shown): Promise<Credential> {
    const known = this.#known;
    const refresh = known !== undefined && known.authorization === refused?.authorization && known.tls === refused?.tls;
    // What was begun before a refusal may bring what was refused.
    if (this.#asking && (this.#asking.refresh || !refresh)) return this.#asking.answer;
    if (known && !refresh && this.#isGood(known)) return known;
    const asking = { refresh, answer: this.#ask(refresh) };
    const end = () => {
      if (this.#asking === asking) this.#asking = undefined;
    };
    this.#asking = asking;
    asking.answer.then(end, end);
    return asking.answer;
  }

  #isGood(known: Credential): boolean {
    const { clock } = this.options;
    const most = isLasting(known, clock) ? goodMilliseconds : expiredMilliseconds;
    return clock.monotonic() - this.#knownAt < most;
  }

  async #ask(refresh: boolean): Promise<Credential> {
    const order = ++this.#asks;
    const { subject, clock } = this.options;
    try {
      const credential = await this.#answer(refresh ? undefined : this.#known);
      if (this.#known && order < this.#knownBy) return this.#known;
      const same = JSON.stringify(this.#known?.tls) === JSON.stringify(credential.tls);
      this.#known = same && this.#known ? { ...credential, tls: this.#known.tls } : credential;
      this.#knownAt = clock.monotonic();
      this.#knownBy = order;
      return this.#known;
    } catch (cause) {
      const known = this.#known;
      if (known && !refresh && isLasting(known, clock)) {
        if (order > this.#knownBy) this.#knownAt = clock.monotonic();
        return known;
      }
      const hint = (cause instanceof OperatorError ? cause.hint : undefined) ?? this.options.hint;
      throw new OperatorError(`credentials of ${subject} failed: ${(cause as Error).message}`, { cause, hint });
    }
  }

  #answer(known: Credential | undefined): Promise<Credential> {
    const { ask, clock } = this.options;
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      const cancel = clock.after(mostMinutes * 60_000, () => {
        stop.abort(new OperatorError(`no answer within ${mostMinutes} minutes`));
        reject(stop.signal.reason);
      });
      ask({ known, signal: stop.signal }).then(resolve, reject).finally(cancel);
    });
  }
}

/** False of what a plugin gave, and has expired. */
function isLasting({ plugin }: Credential, clock: Clock): boolean {
  return !plugin || isGood(plugin, clock);
}
