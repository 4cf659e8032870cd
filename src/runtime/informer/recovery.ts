import { GoneError, InvalidError, isAnswer, NotFoundError, UnauthorizedError } from '../../client/api-error.js';
import { type ApiResource, versionOf } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { asError } from '../../kube/errors.js';
import { BackOff, type BackOffOptions } from '../queue/back-off.js';
import type { Log } from '../telemetry/log.js';
import type { InformerTelemetry } from '../telemetry/telemetry.js';
import { ToldTrouble } from '../telemetry/told-trouble.js';
import type { History } from './history.js';
import type { ListReader } from './list-reader.js';
import type { Listeners } from './listeners.js';
import type { Presence } from './presence.js';
import type { Setbacks } from './setbacks.js';
import type { SignsOfLife } from './signs-of-life.js';
import { SilenceError } from './silence-guard.js';

export interface RecoveryOptions {
  readonly resource: ApiResource;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: InformerTelemetry | undefined;
  readonly backOff: BackOffOptions;
  readonly history: History;
  readonly lists: Pick<ListReader, 'isNotStreamed'>;
  readonly presence: Presence;
  readonly setbacks: Setbacks;
  readonly signs: SignsOfLife;
  /** Hear why it cannot be listed or watched. */
  readonly failures: Listeners<[Error]>;
  /** Hear of a watch that ended before its time. */
  readonly endedEarly: Listeners;
}

/** How often in a row a server may refuse to go on from a version, for which a new list may well be an end. */
const mostRefused = 5;

/** So long after a list its version was good, though nothing was changed that a watch could have shown. */
const goodMilliseconds = 5000;

/** How a list or a watch that failed is followed by the next: from where, after how long, and what is told of it. */
export class Recovery {
  /** Between lists that were no good because the next watch said again that their version is gone. */
  readonly #relists: BackOff;
  /** That it is gone, whatever version it is. */
  readonly #toldGone: ToldTrouble;
  readonly #absences: BackOff;
  /** The API server said that the version is gone, and no watch has shown anything since. */
  #isGone = false;
  /** When it was listed last, unless the version was gone since. */
  #listedAt: number | undefined;
  /** How often in a row the server answered that it cannot go on from where the store is. */
  #refusals = 0;

  constructor(private readonly options: RecoveryOptions) {
    const { backOff, clock } = options;
    this.#relists = new BackOff(backOff);
    this.#toldGone = new ToldTrouble(clock);
    this.#absences = new BackOff({ ...backOff, mostSeconds: 10 });
  }

  /** What a failure means for the next step, and how many milliseconds to wait before it. */
  after(error: unknown): number {
    const { history, lists, log, setbacks, signs, telemetry } = this.options;
    // Whatever was answered is a sign of life, a refusal and a 503 as well: a process that starts anew would hear the same.
    if (isAnswer(error)) signs.seen();
    // And whoever is known again hears so by the answer to a question: a watch of a quiet kind says nothing for a minute.
    if (!isAnswer(error) || error instanceof UnauthorizedError) history.doubt();
    if (error instanceof GoneError) return this.#afterGone(error);
    if (error instanceof SilenceError && history.from !== undefined) {
      this.#afterSilence(error);
      return 0;
    }
    if (history.from === undefined && lists.isNotStreamed(error)) {
      telemetry?.restarted('not-streamed');
      log.debug('The API server does not stream lists, so they are paged');
      return 0;
    }
    this.options.failures.tell(asError(error));
    if (error instanceof NotFoundError) return this.#afterAbsence();
    if (isOfVersion(error) && ++this.#refusals >= mostRefused) history.relist();
    telemetry?.restarted('failed');
    return setbacks.failed(error);
  }

  /** The API server showed a version, by a list or on the watch. */
  shown(): void {
    this.#refusals = 0;
    this.options.setbacks.over();
  }

  /** It listed all that there is. */
  listed(): void {
    if (!this.options.presence.isServed) this.options.log.info('The API server serves this kind now');
    this.#absences.reset();
    this.#listedAt = this.options.clock.monotonic();
  }

  /** It showed something on the watch, and so knows the version that this began at. */
  watched(): void {
    this.#goesOn();
  }

  #goesOn(): void {
    if (this.#isGone) this.#toldGone.over();
    this.#isGone = false;
    this.#relists.reset();
  }

  #afterGone(error: GoneError): number {
    const { clock, history, log, telemetry } = this.options;
    const stood = this.#listedAt === undefined ? 0 : clock.monotonic() - this.#listedAt;
    this.#listedAt = undefined;
    if (stood >= goodMilliseconds) this.#goesOn();
    history.trust();
    telemetry?.restarted('gone');
    const level = this.#toldGone.failed(error) ? 'info' : 'debug';
    log[level]('Listing anew, since the watched version is gone');
    history.relist();
    const wait = this.#isGone ? this.#relists.next() : 0;
    this.#isGone = true;
    return wait;
  }

  /**
   * Nothing was heard. The server is asked how new it is, which makes most of them send a bookmark. One before 1.31 it does not, nor
   * one with an etcd that cannot be asked: there only a list of all shows that nothing was missed.
   *
   * https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/2340-Consistent-reads-from-cache
   */
  #afterSilence(error: SilenceError): void {
    const { endedEarly, history, log, signs, telemetry } = this.options;
    telemetry?.restarted('silent');
    const seconds = error.isSuspected ? signs.suspected(error.seconds) : signs.silent(error.seconds);
    if (signs.isMute) {
      log.debug('Listing anew, since nothing was heard', { seconds });
      history.trust();
      history.relist();
    } else log.debug('Watching anew, since nothing was heard', { seconds });
    endedEarly.tell();
  }

  #afterAbsence(): number {
    const { history, log, presence, resource, telemetry } = this.options;
    telemetry?.restarted('not-served');
    if (presence.isServed)
      log.warn('The API server does not serve this kind; waiting for it', { version: versionOf(resource.apiVersion) });
    history.relist();
    presence.missing();
    return this.#absences.next();
  }
}

/**
 * True of an answer that may be about the very version: not every one that is lost is told by 410, as where etcd has what is of
 * before no more, `etcd event received with PrevKv=nil`. Others say nothing of it: who may not watch, or is to wait.
 */
function isOfVersion(error: unknown): boolean {
  return error instanceof InvalidError || (isAnswer(error) && error.status?.code === 500);
}
