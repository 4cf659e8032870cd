import { AlreadyExistsError, ConflictError } from '../../client/api-error.js';
import type { CallOptions } from '../../client/cluster.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { leaseCalls } from '../../kube/lease-timings.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { firstAnswer, type Try } from '../informer/first-answer.js';
import type { LeaseClient } from './lease-lock.js';

/**
 * `cluster`, of which a call that gets no answer is asked once more beside, and a third time, each a third of its time after the one
 * before, and so on a connection of its own: behind a balancer one of them may hang at a server that is gone, and the next lead to
 * another that is well. What is answered first counts, and the others are given up. All have to end in the time of the first.
 *
 * A write is safe to be sent again where it is of the version that was read, or of an object that must not be there yet, as all writes
 * of a Lease are: of several the server takes one, whenever they come, and none once somebody else has written. The next meets a
 * conflict then, and whether it met what was to be written is read. `overtaken` is told since when a call hangs, once another is answered.
 */
export function askedAgain(
  cluster: LeaseClient,
  clock: Clock,
  overtaken: (since: number) => void = () => {},
): LeaseClient {
  const asking = <T>(options: CallOptions, tryOnce: Try<T>): Promise<T> => {
    const { timeoutSeconds, signal } = options;
    if (timeoutSeconds === undefined) return tryOnce(() => options, true);
    const times = leaseCalls;
    return firstAnswer(
      { clock, times, everySeconds: timeoutSeconds / times, timeoutSeconds, signal, overtaken },
      tryOnce,
    );
  };
  const written = async (kind: ApiResource, object: Manifest, call: () => CallOptions, write: Promise<KubeObject>) => {
    try {
      return await write;
    } catch (error) {
      if (!(error instanceof ConflictError || error instanceof AlreadyExistsError)) throw error;
      const there = await cluster.get(kind, object.metadata, call());
      if (isAsWritten(there, object)) return there;
      throw error;
    }
  };
  const asked = (write: 'create' | 'update'): LeaseClient['update'] => {
    return (kind, object, options) =>
      asking(options, (call, isFirst) => {
        const answer = cluster[write](kind, object, { ...options, ...call() });
        return isFirst ? answer : written(kind, object, call, answer);
      });
  };
  return {
    get: (kind, target, options = {}) => asking(options, (call) => cluster.get(kind, target, call())),
    create: asked('create'),
    update: asked('update'),
    watch: (kind, options) => cluster.watch(kind, options),
  };
}

/** Of a Lease each renewal has a moment of its own. */
function isAsWritten(there: KubeObject, { spec }: Manifest): boolean {
  const found = (there as Manifest).spec as Readonly<Record<string, unknown>> | undefined;
  return Object.entries(spec as object).every(([field, value]) => found?.[field] === value);
}
