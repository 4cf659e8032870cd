import type { PersistentVolumeObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { nodeTermWarnings } from './old-node-labels.js';
import type { Unchecked } from './unchecked.js';

const oldAnnotations: Readonly<Record<string, string>> = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  'volume.beta.kubernetes.io/mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead',
};

const oldSources: Readonly<Record<string, string>> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** What is of old in a volume that is accepted. */
export function volumeWarnings(object: KubeObject): readonly string[] {
  const { spec = {} } = object as unknown as Unchecked<PersistentVolumeObject>;
  const warnings: string[] = [];
  for (const [key, message] of Object.entries(oldAnnotations)) {
    if (object.metadata.annotations?.[key] !== undefined) warnings.push(`metadata.annotations[${key}]: ${message}`);
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, index) => {
    const at = `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`;
    warnings.push(...nodeTermWarnings(at, term, { judgesValues: false }));
  });
  for (const [field, message] of Object.entries(oldSources)) {
    if (field in spec) warnings.push(`spec.${field === 'storageos' ? 'storageOS' : field}: ${message}`);
  }
  return warnings;
}
