import type { PersistentVolumeClaimSpec, Volume } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';
import { pullPolicyOf } from './default-container.js';
import { defaultResourceList } from './default-resources.js';

const fileMode = 0o644;

/** Fills in what the author of a volume left out; one without a source is an empty folder. */
export function defaultVolume(volume: Unchecked<Volume>): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  if (volume.secret) volume.secret.defaultMode ??= fileMode;
  if (volume.configMap) volume.configMap.defaultMode ??= fileMode;
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= fileMode;
    defaultFiles(volume.downwardAPI.items);
  }
  if (volume.projected) defaultProjected(volume.projected);
  if (volume.ephemeral?.volumeClaimTemplate) {
    volume.ephemeral.volumeClaimTemplate.spec ??= {};
    defaultClaimSpec(volume.ephemeral.volumeClaimTemplate.spec);
  }
  if (volume.image) volume.image.pullPolicy ||= pullPolicyOf(volume.image.reference ?? '');
  if (volume.iscsi) volume.iscsi.iscsiInterface ||= 'default';
  if (volume.rbd) {
    volume.rbd.pool ||= 'rbd';
    volume.rbd.user ||= 'admin';
    volume.rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (volume.azureDisk) {
    volume.azureDisk.cachingMode ??= 'ReadWrite';
    volume.azureDisk.fsType ??= 'ext4';
    volume.azureDisk.readOnly ??= false;
    volume.azureDisk.kind ??= 'Shared';
  }
  if (volume.scaleIO) {
    volume.scaleIO.storageMode ||= 'ThinProvisioned';
    volume.scaleIO.fsType ||= 'xfs';
  }
}

/** What a claim on storage gets, wherever its specification stands. */
export function defaultClaimSpec(spec: Unchecked<PersistentVolumeClaimSpec>): void {
  spec.volumeMode ??= 'Filesystem';
  spec.resources ??= {};
  defaultResourceList(spec.resources.limits);
  defaultResourceList(spec.resources.requests);
}

function defaultProjected(projected: NonNullable<Unchecked<Volume>['projected']>): void {
  projected.defaultMode ??= fileMode;
  for (const source of projected.sources ?? []) {
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
    defaultFiles(source.downwardAPI?.items);
  }
}

function defaultFiles(files: NonNullable<Unchecked<Volume>['downwardAPI']>['items']): void {
  for (const file of files ?? []) {
    if (file.fieldRef) file.fieldRef.apiVersion ||= 'v1';
    if (file.resourceFieldRef) file.resourceFieldRef.divisor ??= '0';
  }
}
