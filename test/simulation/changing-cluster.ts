import type { Cluster } from '../../src/client/cluster.js';

/** The cluster that there is at the time of each call. */
export function changingCluster(now: () => Cluster): Cluster {
  return {
    get: (...call) => now().get(...call),
    list: (...call) => now().list(...call),
    watch: (...call) => now().watch(...call),
    create: (...call) => now().create(...call),
    update: (...call) => now().update(...call),
    apply: (...call) => now().apply(...call),
    patch: (...call) => now().patch(...call),
    delete: (...call) => now().delete(...call),
  };
}
