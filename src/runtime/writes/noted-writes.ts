import type { Cluster } from '../../client/cluster.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { MetadataWriter } from './write-metadata.js';

/** What of a cluster it takes to change it. */
export type Writes = Pick<Cluster, 'create' | 'apply' | 'patch' | 'delete'>;

/** By what an object is written, as whom, and until when. */
export interface Writing extends MetadataWriter {
  readonly cluster: Writes;
}

/** `cluster`, which notes in `left` how each apply and each patch left an object. */
export function notedWrites(cluster: Writes, left: KubeObject[]): Writes {
  const noted = async (write: Promise<KubeObject>) => {
    const object = await write;
    left.push(object);
    return object;
  };
  return {
    create: (...call) => cluster.create(...call),
    apply: (...call) => (call[2].dryRun ? cluster.apply(...call) : noted(cluster.apply(...call))),
    patch: (...call) => noted(cluster.patch(...call)),
    delete: (...call) => cluster.delete(...call),
  };
}
