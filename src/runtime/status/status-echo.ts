import type { KubeObject, Manifest } from '../../kube/manifest.js';

/**
 * True when the answer to the write of a status shows nothing but that: nobody changed what a reconcile goes by between
 * our look at the custom resource, which is `before`, and the write of `status`.
 */
export function isOnlyStatus(before: KubeObject, after: KubeObject, status: Manifest): boolean {
  const parts = (object: KubeObject) => {
    const { generation, labels, annotations, deletionTimestamp, finalizers, ownerReferences } = object.metadata;
    return JSON.stringify([generation, labels, annotations, deletionTimestamp, finalizers, ownerReferences]);
  };
  return (
    before.metadata.uid === after.metadata.uid &&
    parts(before) === parts(after) &&
    JSON.stringify(foreignStatus(before, status)) === JSON.stringify(foreignStatus(after, status))
  );
}

/** The fields of status that others write. */
function foreignStatus(object: KubeObject, ours: Manifest): readonly (readonly [string, unknown])[] {
  const fields = (of: object) => (of as { readonly status?: object }).status ?? {};
  return Object.entries(fields(object)).filter(([field]) => !Object.hasOwn(fields(ours), field));
}
