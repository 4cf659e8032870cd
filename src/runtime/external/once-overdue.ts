import type { Clock } from '../../kube/clock.js';

/** For so long nobody needs to hear that something is under way. */
const overdueMilliseconds = 1000;

/**
 * Calls `say`, which never rejects, when a second has gone by since `began`, unless what is returned is called first. That
 * resolves once nothing is being said any more: what comes after it is done beside nothing.
 */
export function onceOverdue(clock: Clock, say: () => Promise<void>, began = clock.monotonic()): () => Promise<void> {
  let saying: Promise<void> | undefined;
  const left = Math.max(0, began + overdueMilliseconds - clock.monotonic());
  const cancel = clock.after(left, () => {
    saying = say();
  });
  return async () => {
    cancel();
    await saying;
  };
}
