import { Namespace } from '../../../imports/k8s.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { Version } from './crew.js';
import { wrongFoos } from './foos.js';
import { wrongMemcacheds } from './memcacheds.js';
import { wrongSyncs } from './syncs.js';

/** How the cluster at rest is not as its custom resources desire it, and say that it is. */
export async function wrongsIn(cluster: HttpCluster, version: Version): Promise<readonly string[]> {
  const { items } = await cluster.list(Namespace);
  // Others take away what is in it, in their time.
  const ending = items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const wrongs = await Promise.all([wrongMemcacheds(cluster, version), wrongFoos(cluster), wrongSyncs(cluster)]);
  return [...ending.map(({ metadata }) => `Namespace/${metadata.name} is still there`), ...wrongs.flat()];
}
