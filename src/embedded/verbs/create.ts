import type { Json } from '../../kube/manifest.js';
import type { WriteRequest, Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { decode } from './decode.js';
import { dropDoubleOwners, insert, own, settleNamespace } from './write.js';

export function create(
  engine: Engine,
  kind: ServedKind,
  namespace: string | undefined,
  body: Json,
  request: WriteRequest,
): Written {
  const { draft, warnings } = decode(kind, body, request);
  withoutSystemFields(draft);
  settleNamespace(kind, draft, namespace);
  const all = dropDoubleOwners(draft, warnings);
  own(engine, kind, draft, undefined, request);
  return insert(engine, kind, draft, all, request);
}

/** What only the server says of an object. */
function withoutSystemFields({ metadata }: Draft): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}
