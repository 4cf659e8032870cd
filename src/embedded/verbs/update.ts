import type { Json } from '../../kube/manifest.js';
import type { Address, WriteRequest, Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { conflict, notFound } from '../status-error.js';
import { checkName } from './check-name.js';
import { aboutResource, decode } from './decode.js';
import { dropDoubleOwners, insert, lookUp, own, replace, settleNamespace } from './write.js';

export function update(engine: Engine, kind: ServedKind, address: Address, body: Json, request: WriteRequest): Written {
  const { draft, warnings } = decode(kind, body, request);
  settleNamespace(kind, draft, address.namespace);
  checkName(draft, address);
  const all = dropDoubleOwners(draft, warnings);
  const live = lookUp(engine, kind, address);
  if (live) {
    checkUid(kind, draft, live.metadata.uid, address.name);
    own(engine, kind, draft, live, request);
    return replace(engine, kind, live, draft, all, request);
  }
  if (kind.rules.allowsCreateOnUpdate !== true) throw notFound(aboutResource(kind), address.name);
  engine.authorize(request.caller, {
    verb: 'create',
    group: kind.group,
    version: kind.version,
    resource: kind.plural,
    ...address,
  });
  checkUid(kind, draft, '', address.name);
  own(engine, kind, draft, undefined, request);
  return insert(engine, kind, draft, all, request);
}

/** Who says a uid means that very object. */
function checkUid(kind: ServedKind, { metadata }: Draft, uid: string, name: string): void {
  if (metadata.uid === undefined || metadata.uid === '' || metadata.uid === uid) return;
  const because = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
  throw conflict(aboutResource(kind), name, because);
}
