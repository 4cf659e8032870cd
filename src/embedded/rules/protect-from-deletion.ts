import type { Draft } from '../draft.js';

/** Storage that is in use goes only when nobody uses it any more: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection */
export function protectFromDeletion({ metadata }: Draft, finalizer: string): void {
  metadata.finalizers ??= [];
  if (!metadata.finalizers.includes(finalizer)) metadata.finalizers.push(finalizer);
}
