import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { keyOf, refOf } from '../../kube/object-ref.js';
import { ConsentError } from '../author/consents.js';
import { isNewer } from '../informer/store.js';
import type { Executed } from './execute.js';
import { RefusedError } from './refused-error.js';

/**
 * The children as `stored` has them, or newer, as the answers to our writes show them. Those that are missing are left out, and
 * objects of others that have a child's name: what they are like says nothing of a child. Where a namespace does not consent
 * nobody is to learn what it has: of that only what is ours is a child.
 */
export function newestChildren(
  desired: readonly Manifest[],
  executed: readonly Executed[],
  stored: (manifest: Manifest) => KubeObject | undefined,
  isOurs: (object: KubeObject) => boolean,
): Map<string, KubeObject> {
  const written = new Map(executed.flatMap(({ object }) => (object ? [[keyOf(refOf(object)), object] as const] : [])));
  const keysOf = (type: typeof RefusedError | typeof ConsentError) =>
    new Set(executed.flatMap(({ entry, error }) => (error instanceof type ? [keyOf(entry.ref)] : [])));
  const [refused, closed] = [keysOf(RefusedError), keysOf(ConsentError)];
  const found = new Map<string, KubeObject>();
  for (const manifest of desired) {
    const key = keyOf(refOf(manifest));
    if (refused.has(key)) continue;
    const known = stored(manifest);
    if (known && closed.has(key) && !isOurs(known)) continue;
    const answer = written.get(key);
    const isLater = answer && (!known || known.metadata.uid !== answer.metadata.uid || isNewer(answer, known));
    const newest = isLater ? answer : known;
    if (newest) found.set(key, newest);
  }
  return found;
}
