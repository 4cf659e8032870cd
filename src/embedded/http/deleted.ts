import type { KubeObject } from '../../kube/manifest.js';
import type { Deleted } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';

/** Of these the server shows the last state, when they are gone; of all others it says only that they are. */
const shown = new Set([
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourcequotas',
  'resourceslices.resource.k8s.io',
  'serviceaccounts',
  'services',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

export function answersStatus({ storage }: ServedKind, { isGone, isBlank }: Deleted): boolean {
  return isGone && isBlank !== true && !shown.has(storage);
}

export function successOf({ group, plural }: ServedKind, { metadata: { name, uid } }: KubeObject): object {
  const details = { name, ...(group === '' ? {} : { group }), kind: plural, uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
