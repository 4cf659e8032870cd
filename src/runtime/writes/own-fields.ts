import { claimedEntries } from '../../drift/claimed.js';
import { type Emptied, withEmptied } from '../../drift/emptied.js';
import { appliedHash, outdated } from '../../drift/hash.js';
import { entriesOf } from '../../drift/ownership.js';
import { pointerStep } from '../../kube/json-pointer.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { saying } from './at-version.js';
import type { MetadataWriter } from './write-metadata.js';

/** Where a child has our note, as a JSON Pointer has it. */
export const notePath = `/metadata/annotations/${pointerStep(appliedHash)}`;
const outdatedNote = { op: 'replace', path: notePath, value: outdated } as const;

/**
 * Moves what the POST of a child owns, what others own at `trails` and what nobody owns at `leftOver` into our Apply entry. Only
 * then does an apply that does not say a field remove it. What is `emptied` is so from then on. Until the apply is done the child's
 * own note says that it is not as it should be, unless it `isAsNoted` all the same: of a Deployment a new note is a new generation,
 * which its controller answers. Returns the object as it is then.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#upgrading-from-client-side-apply-to-server-side-apply
 */
export async function own(
  object: KubeObject,
  trails: readonly (readonly string[])[],
  { cluster, manager, resource, signal }: MetadataWriter,
  leftOver: readonly (readonly string[])[] = [],
  emptied: readonly Emptied[] = [],
  { isAsNoted = false } = {},
): Promise<KubeObject> {
  const claimed = claimedEntries(object, manager, trails, leftOver);
  if (!claimed && emptied.length === 0) return object;
  const managedFields = withEmptied(claimed ?? entriesOf(object), manager, emptied);
  const { annotations } = object.metadata;
  return cluster.patch(
    resource,
    placeOf(object.metadata),
    {
      type: 'json',
      operations: [
        ...saying(object, managedFields),
        ...emptied.map(({ operation }) => operation),
        // Nothing else tells that an apply is to follow: what was another's looks like ours from now on.
        ...(isAsNoted || annotations?.[appliedHash] === undefined ? [] : [outdatedNote]),
      ],
    },
    { fieldManager: manager, signal },
  );
}
