import { InvalidError } from '../../client/api-error.js';
import type { Manifest } from '../../kube/manifest.js';
import { immutableIn } from './immutable.js';
import type { Writing } from './noted-writes.js';

/**
 * Throws what the server has against the adoption of an object, as long as nothing is taken from who had it: what was his in
 * the managed fields would be ours, though the object is not. Where something of others is in the way, and it `isOurFault` by
 * no means, that is taken out of it later.
 */
export async function refuseInVain(
  manifest: Manifest,
  { cluster, manager, resource, signal }: Writing,
  isOurFault: (error: InvalidError) => Promise<boolean>,
): Promise<void> {
  const ask = { fieldManager: manager, fieldValidation: 'Strict', force: true, dryRun: true, signal } as const;
  await cluster.apply(resource, manifest, ask).catch(async (error: unknown) => {
    if (!(error instanceof InvalidError) || immutableIn(error).length > 0 || (await isOurFault(error))) throw error;
  });
}
