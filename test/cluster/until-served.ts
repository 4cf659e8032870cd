import type { ControlPlane } from './control-plane.js';
import { eventually } from './eventually.js';

/**
 * Waits until the kinds of definitions are served: to whoever asks for their objects, and to whoever looks them up before, as
 * kubectl does. That a definition is established, the API server says some moments sooner.
 */
export async function untilServed(
  { kubectl }: Pick<ControlPlane, 'kubectl'>,
  ...definitions: readonly string[]
): Promise<void> {
  for (const name of definitions) await eventually(() => kubectl(['get', name, '--all-namespaces']), 30);
}
