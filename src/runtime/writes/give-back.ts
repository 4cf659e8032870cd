import { ForbiddenError, InvalidError } from '../../client/api-error.js';
import type { Emptied } from '../../drift/emptied.js';
import { appliedHash } from '../../drift/hash.js';
import { entriesOf } from '../../drift/ownership.js';
import { valuesAt } from '../../drift/value-at.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { saying } from './at-version.js';
import { notePath } from './own-fields.js';
import type { MetadataWriter } from './write-metadata.js';

/**
 * Has the object `former`, which was to be adopted and is not, since the server refuses it by `error`, as it was: with who had
 * what of it, and what was `emptied` for the apply. `now` is what the way there left of it. False where it stays so.
 */
export async function giveBack(
  former: KubeObject,
  now: KubeObject,
  emptied: readonly Emptied[],
  error: unknown,
  { cluster, manager, resource, signal }: MetadataWriter,
): Promise<boolean> {
  if (!(error instanceof InvalidError || error instanceof ForbiddenError)) return false;
  const { annotations } = former.metadata;
  const given = entriesOf(former);
  const note = annotations?.[appliedHash];
  const isNoted = note !== now.metadata.annotations?.[appliedHash];
  const content = [
    ...emptied.map(({ trail, operation: { op, path } }) => ({ op, path, value: valuesAt(former, trail)[0] })),
    ...(isNoted ? [{ op: 'replace' as const, path: notePath, value: note }] : []),
  ];
  // A server that is given a list without anything in it keeps what it has.
  const entries = given.length > 0 ? given : [{}];
  const patch = (operations: ReturnType<typeof saying>) =>
    cluster.patch(resource, placeOf(former.metadata), { type: 'json', operations }, { fieldManager: manager, signal });
  try {
    // By itself, for what changes with it would be ours.
    const was = content.length > 0 ? await patch([...saying(now, entries), ...content]) : now;
    await patch(saying(was, entries));
    return true;
  } catch {
    // What is told is why it was refused. Somebody may have changed the object since, or it is gone.
    return false;
  }
}
