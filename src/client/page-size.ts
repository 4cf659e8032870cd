import type { Clock } from '../kube/clock.js';
import { isAnswer } from './api-error.js';
import type { ObjectList } from './cluster.js';
import { DeadlineError } from './deadline-error.js';

const most = 500;
const fewest = 10;
/** What breaks later was no vain attempt: it took too long. */
const slowMilliseconds = 5000;

export interface PageSizeOptions {
  readonly clock: Clock;
  /** Told that pages have so many objects from now on, since one failed by `error`. */
  readonly shrank?: (limit: number, error: unknown) => void;
}

/** How many objects a page of a list has: fewer where they do not come in time, as many large ones do not on a slow link. */
export class PageSize {
  #limit = most;

  constructor(private readonly options: PageSizeOptions) {}

  /** What `list` gives, asked for smaller pages until one comes in time. Throws what it throws where that has another reason. */
  async page(list: (limit: number) => Promise<ObjectList>, signal?: AbortSignal): Promise<ObjectList> {
    const { clock, shrank } = this.options;
    for (;;) {
      const limit = this.#limit;
      const startedAt = clock.monotonic();
      const isSlow = () => clock.monotonic() - startedAt >= slowMilliseconds;
      try {
        const page = await list(limit);
        if (!isSlow()) this.#limit = Math.min(most, 2 * limit);
        return page;
      } catch (error) {
        const isLate = isAnswer(error) ? error.status?.code === 504 : error instanceof DeadlineError || isSlow();
        if (!isLate || limit === fewest || signal?.aborted) throw error;
        // A quarter, since each try may take two minutes in which no sign of life comes to anything.
        this.#limit = Math.max(fewest, Math.floor(limit / 4));
        shrank?.(this.#limit, error);
      }
    }
  }
}
