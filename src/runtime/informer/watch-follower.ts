import { isAnswer } from '../../client/api-error.js';
import type { Cluster, WatchEvent } from '../../client/cluster.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import type { ListSelection } from './list-selection.js';
import type { SignsOfLife } from './signs-of-life.js';
import { SilenceGuard } from './silence-guard.js';
import type { WatchTime } from './watch-time.js';

export interface WatchFollowerOptions {
  readonly cluster: Pick<Cluster, 'watch'>;
  readonly resource: ApiResource;
  readonly selection: ListSelection;
  readonly clock: Clock;
  readonly watchTime: WatchTime;
  readonly signs: SignsOfLife;
  /** False of an event that only repeats what was shown already. */
  readonly isNews: (event: WatchEvent) => boolean;
  /** True while something is known to be there that was not shown yet. */
  readonly isOwed: () => boolean;
  /** Asks the API server whether it has something later than what was shown. */
  readonly isBehind: (signal: AbortSignal) => Promise<boolean>;
  /** How a watch ended leaves it open whether the API server still has what it had. */
  readonly doubtful: () => void;
  /** The API server ended a watch before its time. */
  readonly endedEarly: () => void;
  /** A watch that had said nothing was cut, and by then had lasted: to begin it was no vain attempt. */
  readonly outlasted: () => void;
}

/** An object of which parts come for so long is one that takes long. */
const largeSeconds = 30;
/** There is a bookmark about once a minute. That there was no news before one says something after so long. */
const repeatedSeconds = 45;
/** For how long a stream is asked for that begins with a list, which takes as long as it takes. */
const listSeconds = 3600;
/** A stream that the server closes sooner is a failure, and not the ordinary end of a watch. */
const shortestSeconds = 1;
/** What broke later was no vain attempt: a stream was cut on the way. */
const attemptSeconds = 5;

/** Follows the watches of one kind, one after the other, and learns from how each ends for how long to ask for the next. */
export class WatchFollower {
  #silence: SilenceGuard | undefined;

  constructor(private readonly options: WatchFollowerOptions) {}

  /**
   * Hands each event to `handle`, and whether it is news, until the server closes the stream. Throws when it breaks or falls
   * silent. `goesOn` is told of parts of an object that takes long.
   */
  async follow(
    from: { readonly resourceVersion: string; readonly sendInitialEvents?: boolean },
    signal: AbortSignal,
    handle: (event: WatchEvent, isNews: boolean) => void | Promise<void>,
    goesOn: () => void = () => {},
  ): Promise<void> {
    const { cluster, resource, selection, clock, watchTime, signs } = this.options;
    const { patienceSeconds: seconds } = signs;
    const owedSeconds = () => signs.owedSeconds;
    const silence = new SilenceGuard({ clock, seconds, owedSeconds, isOwed: this.options.isOwed }, signal);
    this.#silence = silence;
    const startedAt = clock.monotonic();
    const lasted = () => clock.monotonic() - startedAt;
    const timeoutSeconds = from.sendInitialEvents ? watchTime.spread(listSeconds) : watchTime.next();
    let isQuiet = !from.sendInitialEvents;
    /** The server has something later, which is to be shown before the watch is given up. */
    let isDue = false;
    let newsAt = startedAt;
    let wholeAt = startedAt;
    const partly = () => {
      silence.heard();
      isQuiet = false;
      if (clock.monotonic() - wholeAt < largeSeconds * 1000) return;
      signs.seen();
      goesOn();
    };
    try {
      const events = cluster.watch(resource, {
        ...from,
        allowWatchBookmarks: true,
        timeoutSeconds,
        signal: silence.signal,
        partly,
        ...selection,
      });
      for await (const event of events) {
        const isNews = this.options.isNews(event);
        const handled = handle(event, isNews);
        // Only now is it known what is still owed.
        if (isNews) {
          silence.heard();
          newsAt = clock.monotonic();
          isDue = false;
        } else if (!isDue && clock.monotonic() - newsAt >= repeatedSeconds * 1000) {
          void this.#lookBehind(silence).then((isBehind) => {
            isDue = isBehind;
          });
        }
        isQuiet = false;
        wholeAt = clock.monotonic();
        if (handled !== undefined) await handled;
      }
      // However an iterator ends when it is told to, and whatever a client makes of the reason.
      silence.signal.throwIfAborted();
      const isEarly = lasted() < timeoutSeconds * 1000;
      // Before its time, as when the server ends; or so soon that a quiet kind has no bookmark unless the server has to look.
      if (isEarly || watchTime.isShort) this.options.doubtful();
      if (isEarly) this.options.endedEarly();
      if (!isEarly) watchTime.ended({ isQuiet });
      else if (isQuiet) this.#isCut(lasted());
      if (lasted() < shortestSeconds * 1000) throw new Error('the server closed it at once');
    } catch (error) {
      silence.signal.throwIfAborted();
      if (isQuiet && !isAnswer(error)) this.#isCut(lasted());
      throw error;
    } finally {
      silence.stop();
    }
  }

  /** Something is there that is still to be shown: one who says nothing meanwhile is asked again soon, and maybe another. */
  owes(): void {
    this.#silence?.owes();
  }

  /** A call has no answer since then, on another connection. A watch that has said nothing either may lead to the same server. */
  suspects(since: number): void {
    this.#silence?.suspect(since, this.options.signs.suspectedSeconds);
  }

  /**
   * A server that hears nothing from its etcd any more goes on to tell, each minute, the version that it had got to; so does one of
   * which nothing changes. Behind a balancer another may know more.
   */
  async #lookBehind(silence: SilenceGuard): Promise<boolean> {
    // Of who cannot be asked that is no sign of life.
    const isBehind = await this.options.isBehind(silence.signal).catch(() => undefined);
    if (isBehind === undefined) return false;
    silence.answered();
    if (!isBehind) this.options.signs.shown();
    return isBehind;
  }

  /** A watch broke, or ended before its time, and had said nothing. */
  #isCut(lasted: number): void {
    if (lasted < attemptSeconds * 1000) return;
    this.options.watchTime.cut(lasted);
    this.options.outlasted();
  }
}
