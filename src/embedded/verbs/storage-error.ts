import type { Address } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { conflict, type StatusError } from '../status-error.js';
import { aboutResource } from './decode.js';
import { storageKey } from './storage-key.js';

/** A precondition that only the store found to fail, which tells it in words of its own. */
export function storageError(
  kind: ServedKind,
  address: Address,
  failed: string,
  dryRun: boolean | undefined,
): StatusError {
  const key = storageKey(kind, address, dryRun);
  const because = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${failed}`;
  return conflict(aboutResource(kind), address.name, because);
}
