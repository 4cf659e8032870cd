import type { Cluster } from '../../src/client/cluster.js';

/** The cluster that there is at the time of each call. What is watched ends with the cluster of which it is. */
export function changingCluster(now: () => Cluster, untilChanged: () => AbortSignal): Cluster {
  return {
    get: (...call) => now().get(...call),
    list: (...call) => now().list(...call),
    watch: (resource, options) => {
      const signal = AbortSignal.any([untilChanged(), ...(options.signal ? [options.signal] : [])]);
      return now().watch(resource, { ...options, signal });
    },
    create: (...call) => now().create(...call),
    update: (...call) => now().update(...call),
    apply: (...call) => now().apply(...call),
    patch: (...call) => now().patch(...call),
    delete: (...call) => now().delete(...call),
  };
}
