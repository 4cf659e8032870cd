import type { Draft } from '../draft.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';

/** A draft becomes of the namespace of the request, unless it says another one. */
export function settleNamespace(kind: ServedKind, { metadata }: Draft, namespace: string | undefined): void {
  if (!kind.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (!metadata.namespace) metadata.namespace = namespace ?? '';
  else if (metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}
