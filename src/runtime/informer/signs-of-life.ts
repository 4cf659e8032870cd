import type { Clock } from '../../kube/clock.js';

/** The server sends a bookmark about once a minute; a stream that shows nothing for longer is dead, or its kind very quiet. */
const silenceSeconds = 90;
/**
 * How long the first bookmark may take once the server was asked how new it is. With the silence before, and with the list that
 * comes after, this is less than the three minutes in which a probe wants to see something.
 */
const bookmarkSeconds = 80;
/** A watch that is well shows sooner what was written. */
const owedSeconds = 10;

/**
 * When the API server was last there, by the lists and watches of one kind, and how far it is trusted that says nothing.
 *
 *     trusted ──silent──▶ doubtful ──silent──▶ mute
 *        ▲                   │                  │
 *        └───────────────────┴──────shown───────┘
 */
export class SignsOfLife {
  #trust: 'trusted' | 'doubtful' | 'mute' = 'trusted';
  /** For how many seconds watches have shown nothing, one after the other. */
  #silence = 0;
  /** How many of these were given up since something else hung. */
  #suspicions = 0;
  /** All of these, so that none had its time. */
  #isOnlySuspected = false;
  #seenAt: number;
  #shownAt: number;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.#seenAt = clock.monotonic();
    this.#shownAt = this.#seenAt;
  }

  /** It answered, be it by a refusal, or has sent more of something that is not whole yet. */
  seen(at = this.clock.monotonic()): void {
    this.#seenAt = at;
  }

  /** It showed how things are, by a list or on the watch. */
  shown(): void {
    this.#seenAt = this.clock.monotonic();
    this.#shownAt = this.#seenAt;
    this.#trust = 'trusted';
    this.#silence = 0;
    this.#suspicions = 0;
    this.#isOnlySuspected = false;
  }

  /** A watch showed nothing for as long as it may, which was for so many `seconds`. Returns for how many nothing was heard. */
  silent(seconds: number): number {
    // What was only suspected says little; but with the time of one more a probe would wait for too long.
    const isHurried = seconds <= owedSeconds && this.staleMilliseconds < silenceSeconds * 1000;
    const isFirst = this.#trust === 'trusted' || (this.#isOnlySuspected && isHurried);
    this.#trust = isFirst ? 'doubtful' : 'mute';
    this.#isOnlySuspected = false;
    this.#silence += seconds;
    return this.#silence;
  }

  /** The same as soon as something else hangs. That says less of it, and no two of them make it mute. */
  suspected(seconds: number): number {
    this.#suspicions++;
    this.#isOnlySuspected ||= this.#trust === 'trusted';
    this.#trust = this.#trust === 'trusted' ? 'doubtful' : this.#trust;
    this.#silence += seconds;
    return this.#silence;
  }

  /**
   * For how many seconds a watch has to have shown nothing to be given up where something else hangs. The next one may lead to the same
   * server, so that it is tried twice until one shows something. More often would have a quiet kind begin anew before its bookmark comes.
   */
  get suspectedSeconds(): number {
    if (this.#trust === 'trusted') return 0;
    return this.#suspicions === 1 ? owedSeconds : Number.POSITIVE_INFINITY;
  }

  /** For how long the next watch may show nothing: one that follows a silence begins with a question to the server. */
  get patienceSeconds(): number {
    return this.#trust === 'trusted' ? silenceSeconds : bookmarkSeconds;
  }

  /**
   * How long a watch may show nothing though something is known to be there. A new watch is tried once so soon, until one shows
   * something; beside those that were tried since something else hung.
   */
  get owedSeconds(): number {
    return this.#trust === 'trusted' || this.#isOnlySuspected ? owedSeconds : this.patienceSeconds;
  }

  /** True when two watches in a row said nothing, the second one though the server was asked. */
  get isMute(): boolean {
    return this.#trust === 'mute';
  }

  /** Milliseconds since it was seen. */
  get silentMilliseconds(): number {
    return this.clock.monotonic() - this.#seenAt;
  }

  /** Milliseconds since it showed how things are. */
  get staleMilliseconds(): number {
    return this.clock.monotonic() - this.#shownAt;
  }
}
