import type { Manifest } from '../kube/manifest.js';

const emptyable = ['annotations', 'labels', 'ownerReferences', 'finalizers'] as const;

/**
 * `manifest` as it is sent: without `managedFields`, which no writer may state, and without empty maps and lists in its
 * metadata, which the server would count as a change each time: https://github.com/kubernetes/kubernetes/issues/131175
 */
export function tidy(manifest: Manifest): Manifest {
  const { managedFields, ...metadata } = manifest.metadata as Manifest['metadata'] & {
    readonly managedFields?: unknown;
  };
  const empty = emptyable.filter((name) => {
    const value = metadata[name];
    return value !== undefined && value !== null && Object.keys(value).length === 0;
  });
  if (managedFields === undefined && empty.length === 0) return manifest;
  const kept = Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !(empty as readonly string[]).includes(name)),
  );
  return { ...manifest, metadata: kept as Manifest['metadata'] };
}
