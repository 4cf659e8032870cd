import type { Json } from '../../kube/manifest.js';
import type { Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { decode } from './decode.js';
import { dropDoubleOwners } from './double-owners.js';
import { insert } from './insert.js';
import { own } from './own.js';
import { settleNamespace } from './settle-namespace.js';
import type { Writing } from './writing.js';

export function create(
  engine: Engine,
  kind: ServedKind,
  namespace: string | undefined,
  body: Json,
  request: Writing,
): Written {
  const draft = decode(kind, body, request);
  withoutSystemFields(draft);
  settleNamespace(kind, draft, namespace);
  dropDoubleOwners(draft, request);
  own(engine, kind, draft, undefined, request);
  return insert(engine, kind, draft, request);
}

/** What only the server says of an object. */
function withoutSystemFields({ metadata }: Draft): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}
