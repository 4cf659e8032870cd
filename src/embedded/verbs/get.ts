import type { KubeObject } from '../../kube/manifest.js';
import type { Address } from '../api-server.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { revisionOf, tooLarge } from './resource-version.js';
import { scaleOf } from './scale.js';
import { found, shownOf } from './stored.js';

/** The object of an address, at least as new as `resourceVersion`: https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list */
export function get(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  subresource: 'status' | 'scale' | undefined,
  resourceVersion: string | undefined,
): KubeObject {
  const least = revisionOf(resourceVersion) ?? 0;
  if (least > engine.store.revision) throw tooLarge(least, engine.store.revision);
  const object = found(engine, kind, address);
  if (subresource === 'scale') return scaleOf(kind, object);
  return subresource === undefined ? shownOf(kind, object) : object;
}
