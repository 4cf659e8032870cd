import { isAnswer } from '../../client/api-error.js';
import type { CallOptions, Cluster } from '../../client/cluster.js';
import { DeadlineError } from '../../client/deadline-error.js';
import type { Clock } from '../../kube/clock.js';
import { firstAnswer } from './first-answer.js';
import type { Hangs } from './hangs.js';

/** What is asked about one object is asked once more after so long, and a third time. */
const again = { times: 3, everySeconds: 5, timeoutSeconds: 30 } as const;
/** One that was given less time says nothing of the server, which may only be slow. */
const leastMilliseconds = 3000;

/**
 * `cluster`, of which `hangs` hears what has no answer, and where what is asked about one object does not wait for one that hangs: where no
 * answer comes it is asked again beside, on another connection, which behind a balancer may lead to another server. A write is not, since
 * it may be carried out each time; nor is a list, which takes as long as it takes.
 */
export function hedgedCluster(cluster: Cluster, clock: Clock, hangs: Hangs): Cluster {
  const heard = async <T>(call: () => Promise<T>): Promise<T> => {
    const since = clock.monotonic();
    try {
      return await call();
    } catch (error) {
      const isUnanswered = error instanceof DeadlineError && !isAnswer(error);
      if (isUnanswered && clock.monotonic() - since >= leastMilliseconds) hangs.seen(since);
      throw error;
    }
  };
  const asked = <T>({ signal, timeoutSeconds }: CallOptions, ask: (call: CallOptions) => Promise<T>): Promise<T> =>
    heard(() => {
      // Who gave it a time of its own knows what it is for.
      if (timeoutSeconds !== undefined) return ask({});
      const overtaken = (since: number) => hangs.seen(since);
      return firstAnswer({ ...again, clock, signal, overtaken }, (call, isFirst) => {
        const inTime = call();
        // The first goes on for as long as its answer flows, as it would alone: a large object takes long on a slow link.
        const { timeoutSeconds: _, ...flowing } = inTime;
        return ask(isFirst ? flowing : inTime);
      });
    });
  return {
    get: (kind, target, options = {}) => asked(options, (call) => cluster.get(kind, target, { ...options, ...call })),
    list: (kind, options = {}) =>
      isOfOne(options.fieldSelector)
        ? asked(options, (call) => cluster.list(kind, { ...options, ...call }))
        : heard(() => cluster.list(kind, options)),
    watch: (kind, options) => cluster.watch(kind, options),
    create: (kind, manifest, options) => heard(() => cluster.create(kind, manifest, options)),
    update: (kind, object, options) => heard(() => cluster.update(kind, object, options)),
    apply: (kind, manifest, options) => heard(() => cluster.apply(kind, manifest, options)),
    patch: (kind, target, patch, options) => heard(() => cluster.patch(kind, target, patch, options)),
    delete: (kind, target, options) => heard(() => cluster.delete(kind, target, options)),
  };
}

function isOfOne(fieldSelector = ''): boolean {
  return fieldSelector.startsWith('metadata.name=');
}
