import type { Json, KubeObject } from '../../kube/manifest.js';
import type { Address, Written } from '../api-server.js';
import { draftOf } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { change } from './change.js';
import { checkName } from './check-name.js';
import { decode } from './decode.js';
import { own } from './own.js';
import { settleNamespace } from './settle-namespace.js';
import type { Writing } from './writing.js';

/** Takes the finalizers of a namespace's spec from `body`: the way in which its controller lets it go. */
export function finalize(engine: Engine, kind: ServedKind, address: Address, body: Json, request: Writing): Written {
  const said = decode(kind, body, request);
  settleNamespace(kind, said, address.namespace);
  checkName(said, address);
  // What updates of the main resource may not change is just what this one is for.
  const { prepareForUpdate: _, admit: __, ...rules } = kind.rules;
  return change(
    engine,
    { ...kind, rules },
    address,
    {
      uid: said.metadata.uid,
      creates: false,
      next(live) {
        const draft = draftOf(live as KubeObject);
        const { finalizers } = (said['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
        draft['spec'] = finalizers === undefined || finalizers.length === 0 ? {} : { finalizers };
        delete draft.metadata.resourceVersion;
        if (said.metadata.resourceVersion) draft.metadata.resourceVersion = said.metadata.resourceVersion;
        own(engine, kind, draft, live, request);
        return draft;
      },
    },
    request,
  );
}
