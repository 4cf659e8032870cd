import { ForbiddenError, GoneError, RetryAfterError } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import { sleep, systemClock } from '../../kube/clock.js';
import { firstAbort } from '../../kube/first-abort.js';
import { forMany } from '../../runtime/process/for-many.js';
import type { ListedKind } from './listed-kind.js';

interface Watched {
  readonly kinds: readonly Pick<ListedKind, 'resource' | 'scope' | 'resourceVersion'>[];
}

/** Changes come in swarms: one look for all of them. */
const calmMilliseconds = 300;
/** What refuses watches, or breaks them, is not to be asked for lists instead without end. */
const brokenMilliseconds = 5000;
/** Nobody tells when a kind begins to be served. */
const absentMilliseconds = 10_000;

/** Resolves a moment after any of the objects changed that were looked at. */
export async function nextChange(
  cluster: Pick<Cluster, 'watch'>,
  { kinds }: Watched,
  interrupted: AbortSignal,
): Promise<void> {
  const enough = new AbortController();
  const either = firstAbort(interrupted, enough.signal);
  const signal = forMany(either.signal);
  const first = async ({ resource, scope, resourceVersion }: Watched['kinds'][number]) => {
    if (resourceVersion === undefined) return sleep(systemClock, absentMilliseconds, signal);
    for await (const _ of cluster.watch(resource, { ...scope, resourceVersion, signal })) return;
  };
  try {
    // Where a watch ends, for whatever other reason, a fresh look tells what came of it, which lists everything.
    const ended = (error: unknown) => {
      if (error instanceof ForbiddenError) throw error;
      if (error instanceof GoneError) return undefined;
      const asked = error instanceof RetryAfterError ? error.retryAfterSeconds * 1000 : 0;
      return sleep(systemClock, Math.max(asked, brokenMilliseconds), signal);
    };
    const end = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([end, ...kinds.map((kind) => first(kind).catch(ended))]);
    if (!interrupted.aborted) await sleep(systemClock, calmMilliseconds, interrupted).catch(() => {});
  } finally {
    enough.abort();
    either.letGo();
  }
}
