import { groupOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';

/**
 * True while a person has suspended a custom resource with `<group>/reconcile: suspended`: nothing of it is written but
 * the condition that says so.
 */
export function isSuspended({ apiVersion, metadata }: KubeObject): boolean {
  return metadata.annotations?.[`${groupOf(apiVersion)}/reconcile`] === 'suspended';
}

/**
 * When a person last asked with `<group>/requested-at` for a reconcile at once. It is echoed in
 * `status.lastHandledReconcileAt` when that is done.
 */
export function requestedAt({ apiVersion, metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[`${groupOf(apiVersion)}/requested-at`] || undefined;
}
