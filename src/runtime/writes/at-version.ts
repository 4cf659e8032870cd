import type { JsonPatchOperation } from '../../client/cluster.js';
import type { KubeObject, ManagedFieldsEntry } from '../../kube/manifest.js';

/**
 * What a JSON patch begins with that is meant for `object` as it is and for no other version. Of another one it is a conflict,
 * and tried again; a `test` that fails would be a refusal for good.
 */
export function atVersion({ metadata }: KubeObject): JsonPatchOperation {
  return { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion };
}

/** A JSON patch that has `object`, as it is and in no other version, say in `managedFields` who has what of it. */
export function saying(
  object: KubeObject,
  managedFields: readonly ManagedFieldsEntry[],
): readonly JsonPatchOperation[] {
  return [atVersion(object), { op: 'replace', path: '/metadata/managedFields', value: managedFields }];
}
