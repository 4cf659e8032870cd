import type { KubeObject } from '../../kube/manifest.js';
import type { Listed } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { Transform } from './accept.js';
import { wrongTransform } from './http-status.js';
import { listBody, listMetadata } from './list-body.js';
import { partial } from './partial-metadata.js';
import { type Contents, tableOf } from './table.js';

export interface TransformOptions {
  readonly as?: Transform;
  /** Which part of each object a table has with it. */
  readonly contents: Contents;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** An object in the form that was asked for. */
export function objectAs(kind: ServedKind, object: KubeObject, { as, contents, now }: TransformOptions): object {
  if (!as) return object;
  if (as.kind === 'PartialObjectMetadata') return partial(object, as.version);
  if (as.kind === 'PartialObjectMetadataList') {
    const message = `you requested PartialObjectMetadataList, but the requested object is not a list (${kind.kind})`;
    throw wrongTransform(message);
  }
  const { resourceVersion } = object.metadata;
  return tableOf(kind, [object], { resourceVersion }, { version: as.version, contents, now });
}

/** A list in the form that was asked for. */
export function listAs(kind: ServedKind, listed: Listed, { as, contents, now }: TransformOptions): object {
  if (!as) return listBody(kind, listed);
  if (as.kind === 'PartialObjectMetadata') {
    throw wrongTransform(`you requested PartialObjectMetadata, but the requested object is a list (${kind.listKind})`);
  }
  if (as.kind === 'Table') {
    return tableOf(kind, listed.items, listMetadata(listed), { version: as.version, contents, now });
  }
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${as.version}`,
    metadata: listMetadata(listed),
    // The server has null for none of these.
    items: listed.items.length === 0 ? null : listed.items.map((object) => partial(object, as.version)),
  };
}
