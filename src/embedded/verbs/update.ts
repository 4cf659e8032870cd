import type { Json } from '../../kube/manifest.js';
import type { Address, Written } from '../api-server.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { change } from './change.js';
import { checkName } from './check-name.js';
import { decode } from './decode.js';
import { dropDoubleOwners } from './double-owners.js';
import { own } from './own.js';
import { settleNamespace } from './settle-namespace.js';
import type { Writing } from './writing.js';

export function update(engine: Engine, kind: ServedKind, address: Address, body: Json, request: Writing): Written {
  const draft = decode(kind, body, request);
  settleNamespace(kind, draft, address.namespace);
  checkName(draft, address);
  dropDoubleOwners(draft, request);
  return change(
    engine,
    kind,
    address,
    {
      uid: draft.metadata.uid,
      creates: kind.rules.allowsCreateOnUpdate === true,
      next(live) {
        own(engine, kind, draft, live, request);
        return draft;
      },
    },
    request,
  );
}
