import type { KubeObject } from '../../kube/manifest.js';
import type { Address, Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { notFound } from '../status-error.js';
import { aboutResource } from './decode.js';
import { insert } from './insert.js';
import { replace } from './replace.js';
import { versionSaid } from './resource-version.js';
import { storageError } from './storage-error.js';
import { lookUp } from './stored.js';
import type { Writing } from './writing.js';

/** What an update makes of what is there. */
export interface Change {
  /** The very object that is meant. */
  readonly uid?: string | undefined;
  /** Whether it may make something of nothing. */
  readonly creates: boolean;
  next(live: KubeObject | undefined): Draft;
}

/** Every write to an object that has a name: in the order in which the server refuses. */
export function change(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  { uid, creates, next }: Change,
  request: Writing,
): Written {
  const live = lookUp(engine, kind, address);
  if (!live && !creates) throw notFound(aboutResource(kind), address.name);
  const is = live?.metadata.uid ?? '';
  if (uid && uid !== is) throw isAnother(kind, address, uid, is, request);
  const draft = next(live);
  if (live) return replace(engine, kind, live, draft, request);
  versionSaid(draft.metadata);
  const { group, version, plural: resource } = kind;
  const { subresource } = request;
  return insert(engine, kind, draft, request, () =>
    engine.authorize(request.caller, {
      verb: 'create',
      group,
      version,
      resource,
      ...(subresource === undefined ? {} : { subresource }),
      ...address,
    }),
  );
}

function isAnother(kind: ServedKind, address: Address, uid: string, is: string, { dryRun }: Writing): Error {
  return storageError(kind, address, `UID in precondition: ${uid}, UID in object meta: ${is}`, dryRun);
}
