import { groupOf } from '../../kube/api-resource.js';
import { OperatorError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';

/**
 * True while a person has suspended a custom resource with `<group>/reconcile: suspended`: nothing of it is written but
 * the condition that says so.
 */
export function isSuspended(cr: KubeObject): boolean {
  return cr.metadata.annotations?.[suspensionOf(cr)] === suspended;
}

/** Throws `OperatorError` for a word that means nothing: whoever wrote it wants nothing to be done, most likely. */
export function refuseUnknownSuspension(cr: KubeObject): void {
  const annotation = suspensionOf(cr);
  const asked = cr.metadata.annotations?.[annotation] ?? '';
  if (asked === '' || asked === suspended) return;
  throw new OperatorError(`${show(refOf(cr))} asks for ${JSON.stringify(asked)} in ${annotation}`, {
    hint: `write ${suspended}, or remove the annotation`,
  });
}

const suspended = 'suspended';

function suspensionOf({ apiVersion }: KubeObject): string {
  return `${groupOf(apiVersion)}/reconcile`;
}

/**
 * When a person last asked with `<group>/requested-at` for a reconcile at once. It is echoed in
 * `status.lastHandledReconcileAt` when that is done.
 */
export function requestedAt({ apiVersion, metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[`${groupOf(apiVersion)}/requested-at`] || undefined;
}
