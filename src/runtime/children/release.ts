import type { Owner } from '../../drift/belonging.js';
import { releasedMetadata } from '../../drift/released.js';
import type { KubeObject } from '../../kube/manifest.js';
import { type MetadataWriter, writeMetadata } from '../writes/write-metadata.js';

/** Lets go of a child that is to stay: from now on it says nothing of `owner`. Undefined where it is gone already. */
export function release(child: KubeObject, owner: Owner, writer: MetadataWriter): Promise<KubeObject | undefined> {
  return writeMetadata(child, releasedMetadata(child, owner), writer);
}
