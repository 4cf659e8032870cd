import { isBuiltIn } from '../kube/built-in-groups.js';
import type { Manifest } from '../kube/manifest.js';
import { isDefinition } from './is-definition.js';
import { waveOf } from './waves.js';

export const syncWave = 'argocd.argoproj.io/sync-wave';
export const syncOptions = 'argocd.argoproj.io/sync-options';

/**
 * `manifest` with the annotations that let Argo CD sync it in order and delete it with care.
 *
 * What the author wrote wins: a wave stays as it is, and of the sync options only those that were not named are added.
 */
export function forArgo(manifest: Manifest): Manifest {
  const written = manifest.metadata.annotations ?? {};
  const options = mergeOptions(written[syncOptions], optionsOf(manifest));
  const annotations = {
    ...written,
    [syncWave]: written[syncWave] ?? String(waveOf(manifest)),
    ...(options === '' ? {} : { [syncOptions]: options }),
  };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** The wave of a manifest that went through `forArgo`. */
export function waveIn(manifest: Manifest): number {
  return Number(manifest.metadata.annotations?.[syncWave] ?? 0);
}

/** https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/ */
function optionsOf(manifest: Manifest): readonly string[] {
  if (isDefinition(manifest)) {
    // Client-side apply keeps a copy of the object in an annotation, and schemas outgrow the 262,144 bytes that all
    // annotations may have. Deleting a CRD deletes every custom resource of its kind, so a person confirms it.
    return ['ServerSideApply=true', 'Prune=confirm', 'Delete=confirm'];
  }
  // In one Application with its CRD, a custom resource cannot be dry-run before the CRD is there.
  return isBuiltIn(manifest.apiVersion) ? [] : ['SkipDryRunOnMissingResource=true'];
}

function mergeOptions(written: string | undefined, added: readonly string[]): string {
  const own = (written ?? '').split(',').flatMap((option) => (option.trim() === '' ? [] : [option.trim()]));
  const named = new Set(own.map((option) => option.split('=')[0]));
  return [...own, ...added.filter((option) => !named.has(option.split('=')[0]))].join(',');
}
