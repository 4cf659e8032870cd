import type { KubeObject } from '../kube/manifest.js';

/** Nobody changed what a reconcile goes by between our look at a custom resource and our write of its status. */
export function isSameButForStatus({ metadata: before }: KubeObject, { metadata: after }: KubeObject): boolean {
  const parts = ({ generation, labels, annotations, deletionTimestamp, finalizers, ownerReferences }: typeof before) =>
    JSON.stringify([generation, labels, annotations, deletionTimestamp, finalizers, ownerReferences]);
  return before.uid === after.uid && parts(before) === parts(after);
}
