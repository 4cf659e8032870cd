import { InvalidError, isOfLaterVersion } from '../../client/api-error.js';
import type { Cluster, ObjectList, WatchEvent } from '../../client/cluster.js';
import { PageSize } from '../../client/page-size.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { firstAbort } from '../../kube/first-abort.js';
import { type Log, wordsOfError } from '../telemetry/log.js';
import { ListGuard } from './list-guard.js';
import type { ListSelection } from './list-selection.js';
import { ExpiredListError, pagedList } from './paged-list.js';
import { type Room, Shelf, shelfKey } from './shelf.js';
import type { SignsOfLife } from './signs-of-life.js';
import { compareVersions, latest } from './store.js';
import type { WatchFollower } from './watch-follower.js';
import type { WatchTime } from './watch-time.js';

export interface ListReaderOptions {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly resource: ApiResource;
  readonly selection: ListSelection;
  readonly clock: Clock;
  readonly log: Log;
  readonly watches: WatchFollower;
  readonly watchTime: WatchTime;
  readonly room: Room | undefined;
  readonly signs: SignsOfLife;
  /** True of a list of the past. */
  readonly isPast: (resourceVersion: string) => boolean;
  /** The list is whole. */
  readonly listed: (listed: Shelf, resourceVersion: string, signal: AbortSignal) => Promise<void>;
  /** A list took so long that the API server to watch may be another than the one that was listed. */
  readonly doubtful: () => void;
  /** What comes after the list, on the same stream; whether it is news. */
  readonly handle: (event: WatchEvent, isNews: boolean) => void;
}

/** How long nothing more may come of a streaming list that is not complete; old servers and some proxies never say that it is. */
const initialSeconds = 60;
/** To restore a server from a backup takes longer: one that was listed within it is the one that is watched next. */
const restoreSeconds = 1;

/**
 * Reads all that there is of a kind, in one stream with what comes after it, or, from a server that does not stream lists or does not
 * come to their end, in pages.
 *
 * **Guarantees.** `listed` is handed whole lists only. Throws what the API server answers, and what `listed` throws.
 */
export class ListReader {
  readonly #pageSize: PageSize;
  /** The API server streams lists, as far as is known. */
  #canStream = true;
  /** The next list is asked for in pages. */
  #isPaged = false;

  constructor(private readonly options: ListReaderOptions) {
    const { clock, log } = options;
    this.#pageSize = new PageSize({
      clock,
      shrank: (limit, error) =>
        log.warn('Listing in smaller pages, since one took too long', { limit, ...wordsOfError(error) }),
    });
  }

  /** Resolves when the pages, or the stream with what came after the list, are at their end. */
  read(signal: AbortSignal): Promise<void> {
    return this.#isPaged ? this.#pages(signal) : this.#stream(signal);
  }

  /** Whether a list failed by `error` since the server does not stream any; the next one is asked for in pages then. */
  isNotStreamed(error: unknown): boolean {
    if (!(error instanceof InvalidError) || this.#isPaged) return false;
    this.#canStream = false;
    this.#isPaged = true;
    return true;
  }

  /**
   * The list and what comes after, in one stream: https://kep.k8s.io/3157
   *
   * It may take as long as more of it keeps coming: where a list in pages takes longer than the server keeps its snapshot, no other
   * list comes to an end. News comes in the order of versions, so an object of an earlier version than one before is of the list.
   */
  async #stream(signal: AbortSignal): Promise<void> {
    const { clock, log, room, watches, watchTime, signs } = this.options;
    let initial = new Shelf(room);
    let newest = '';
    const guard = new ListGuard({
      clock,
      seconds: initialSeconds,
      slow: (grewAt) => signs.seen(grewAt),
      stalled: () => {
        log.warn('The API server has not completed its list, so it is paged', { seconds: initialSeconds });
        this.#isPaged = true;
      },
    });
    const either = firstAbort(signal, guard.signal);
    try {
      await watches.follow(
        { sendInitialEvents: true, resourceVersion: '' },
        either.signal,
        (event, isNews) => {
          if (guard.isComplete) return this.options.handle(event, isNews);
          if (event.type !== 'BOOKMARK') {
            const { resourceVersion } = event.object.metadata;
            if (newest === '' || compareVersions(resourceVersion, newest) < 0) guard.grew();
            newest = latest(newest, resourceVersion);
            if (event.type === 'DELETED') initial.delete(shelfKey(event.object));
            else initial.put(event.object);
          } else if (event.initialEventsEnd) {
            guard.completed(watchTime.spread());
            const listed = initial;
            initial = new Shelf(room);
            return this.options.listed(listed, event.resourceVersion, signal);
          }
        },
        () => guard.grew(),
      );
      if (!guard.isComplete) throw new Error('the stream ended before the list was complete');
    } catch (error) {
      if (guard.signal.aborted && !signal.aborted) return;
      // As client-go does: a server cuts off who does not keep up with what changes meanwhile. And one that does not hear from
      // etcd in time cannot stream what is there: pages it reads from etcd itself.
      if (guard.isLate || isOfLaterVersion(error)) this.#isPaged = true;
      throw error;
    } finally {
      guard.stop();
      either.letGo();
    }
  }

  async #pages(signal: AbortSignal): Promise<void> {
    const { cluster, resource, clock, room, selection, signs, isPast, listed, doubtful } = this.options;
    const shelf = new Shelf(room);
    const startedAt = clock.monotonic();
    const take = (page: ObjectList) => {
      // Many pages take long, and each is a sign of life; those of the past are none.
      if (!isPast(page.resourceVersion)) signs.seen();
      for (const object of page.items) shelf.put(object);
    };
    const options = { cluster, resource, clock, selection, pageSize: this.#pageSize };
    const resourceVersion = await pagedList(options, take, signal).catch((error: unknown) => {
      // A stream does not expire.
      if (error instanceof ExpiredListError) this.#isPaged = !this.#canStream;
      throw error;
    });
    await listed(shelf, resourceVersion, signal);
    if (clock.monotonic() - startedAt > restoreSeconds * 1000) doubtful();
  }
}
