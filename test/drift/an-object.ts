import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../../src/kube/manifest.js';

/** Who controls the children in these tests. */
export const owner = { uid: 'owner-1' };

export const ownerReferences = [
  { apiVersion: 'example.com/v1', kind: 'Cache', name: 'cache', uid: owner.uid, controller: true },
];

/** An entry of `managedFields`; `fields` are paths as `f:spec f:replicas`. */
export function entry(
  manager: string,
  operation: 'Apply' | 'Update',
  fields: readonly string[],
  rest: ManagedFieldsEntry = {},
): ManagedFieldsEntry {
  return { manager, operation, time: '2026-01-01T00:00:00Z', fieldsV1: fieldsOf(fields), ...rest };
}

/** `fieldsV1` of paths, whose segments are parted by single spaces. */
export function fieldsOf(paths: readonly string[]): FieldsV1 {
  interface Node {
    [segment: string]: Node;
  }
  const root: Node = {};
  for (const path of paths) {
    let node = root;
    for (const segment of path.split(' ')) {
      node[segment] ??= {};
      node = node[segment];
    }
  }
  return root;
}

/** A manifest as a server returns it. */
export function stored(
  manifest: Manifest,
  managedFields: readonly ManagedFieldsEntry[] = [],
  metadata: Partial<KubeObject['metadata']> = {},
): KubeObject {
  return {
    ...manifest,
    metadata: {
      uid: `uid-${manifest.metadata.name}`,
      resourceVersion: '1',
      ...manifest.metadata,
      managedFields,
      ...metadata,
    },
  };
}
