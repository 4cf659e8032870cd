import type { KubeObject } from '../kube/manifest.js';
import type { Owner } from './belonging.js';
import { appliedHash } from './hash.js';

/** What is left of the metadata of a child that is its owner's no longer: nothing says whose it was. */
export interface ReleasedMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ownerReferences: readonly object[];
}

/** What a child is without its owner. Everything else in it stays as it is. */
export function releasedMetadata({ metadata }: KubeObject, { uid, uidLabel }: Owner): ReleasedMetadata {
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const ofOwner = uidLabel?.slice(0, -'uid'.length);
  const { [appliedHash]: _, ...others } = annotations;
  return {
    labels: Object.fromEntries(
      Object.entries(labels).filter(([key]) => ofOwner === undefined || !key.startsWith(ofOwner)),
    ),
    annotations: others,
    ownerReferences: ownerReferences.filter((reference) => reference.uid !== uid),
  };
}
