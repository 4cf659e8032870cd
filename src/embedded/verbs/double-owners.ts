import type { Json, OwnerReference } from '../../kube/manifest.js';
import type { Draft } from '../draft.js';
import { equal } from '../fields/field-type.js';
import type { Writing } from './writing.js';

/** Drops owner references that stand twice, and warns of them. `when`: of a patch the server says when it found them. */
export function dropDoubleOwners({ metadata }: Draft, { warnings }: Writing, when = ''): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const kept: OwnerReference[] = [];
  const doubles: string[] = [];
  for (const owner of owners) {
    if (kept.some((other) => equal(other as unknown as Json, owner as unknown as Json))) doubles.push(owner.uid);
    else kept.push(owner);
  }
  if (doubles.length === 0) return;
  metadata.ownerReferences = kept;
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${doubles.join(', ')}`,
  );
}
