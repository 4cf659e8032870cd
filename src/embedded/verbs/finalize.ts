import type { Json } from '../../kube/manifest.js';
import type { Address, WriteRequest, Written } from '../api-server.js';
import { draftOf } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { checkName } from './check-name.js';
import { decode } from './decode.js';
import { found, own, replace } from './write.js';

/** Takes the finalizers of a namespace's spec from `body`: the way in which its controller lets it go. */
export function finalize(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  body: Json,
  request: WriteRequest,
): Written {
  const { draft: said, warnings } = decode(kind, body, request);
  checkName(said, address);
  const live = found(engine, kind, address);
  const draft = draftOf(live);
  const { finalizers } = (said['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
  draft['spec'] = finalizers === undefined || finalizers.length === 0 ? {} : { finalizers };
  if (said.metadata.resourceVersion) draft.metadata.resourceVersion = said.metadata.resourceVersion;
  own(engine, kind, draft, live, request);
  // What updates of the main resource may not change is just what this one is for.
  const { prepareForUpdate: _, admit: __, ...rules } = kind.rules;
  return replace(engine, { ...kind, rules }, live, draft, warnings, request);
}
