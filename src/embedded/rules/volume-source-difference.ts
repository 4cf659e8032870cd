import type { PersistentVolumeSpec } from '../../../imports/k8s.js';
import { unifiedDiff } from './go-diff.js';
import type { Unchecked } from './unchecked.js';

type Spec = Unchecked<PersistentVolumeSpec>;

/** The sources of a volume, in the order in which the server judges them. */
export const volumeSources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof Spec)[];

/** The same in the order of the server's own struct, by the names that they have there. */
const printed: Readonly<Record<string, (typeof volumeSources)[number]>> = {
  GCEPersistentDisk: 'gcePersistentDisk',
  AWSElasticBlockStore: 'awsElasticBlockStore',
  HostPath: 'hostPath',
  Glusterfs: 'glusterfs',
  NFS: 'nfs',
  RBD: 'rbd',
  Quobyte: 'quobyte',
  ISCSI: 'iscsi',
  FlexVolume: 'flexVolume',
  Cinder: 'cinder',
  CephFS: 'cephfs',
  FC: 'fc',
  Flocker: 'flocker',
  AzureFile: 'azureFile',
  VsphereVolume: 'vsphereVolume',
  AzureDisk: 'azureDisk',
  PhotonPersistentDisk: 'photonPersistentDisk',
  PortworxVolume: 'portworxVolume',
  ScaleIO: 'scaleIO',
  Local: 'local',
  StorageOS: 'storageos',
  CSI: 'csi',
};

/** How the source of a volume changed, as the server prints it; undefined when it did not. */
export function volumeSourceDifference(old: Spec, spec: Spec): string | undefined {
  // A secret for growing may be added later.
  const isAdded = old.csi !== undefined && old.csi.controllerExpandSecretRef === undefined;
  const now = isAdded && spec.csi ? { ...spec, csi: { ...spec.csi, controllerExpandSecretRef: undefined } } : spec;
  const [before, after] = [old, now].map(shownSources);
  return before === after ? undefined : unifiedDiff(before!, after!);
}

function shownSources(spec: Spec): string {
  const sources = Object.entries(printed).map(([name, field]) => [name, shownSource(field, spec)]);
  return JSON.stringify(Object.fromEntries(sources), undefined, ' ');
}

function shownSource(field: (typeof volumeSources)[number], spec: Spec): object | null {
  if (field === 'hostPath' && spec.hostPath) {
    return { Path: spec.hostPath.path ?? '', Type: spec.hostPath.type ?? null };
  }
  if (field === 'nfs' && spec.nfs) {
    const { server = '', path = '', readOnly = false } = spec.nfs;
    return { Server: server, Path: path, ReadOnly: readOnly };
  }
  if (field === 'local' && spec.local) return { Path: spec.local.path ?? '', FSType: spec.local.fsType ?? null };
  if (field === 'csi' && spec.csi) return shownCsi(spec.csi);
  const source = spec[field];
  if (source === undefined) return null;
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) => [key[0]!.toUpperCase() + key.slice(1), value]),
  );
}

function shownCsi(csi: NonNullable<Spec['csi']>): object {
  const secret = (reference: { name?: string | undefined; namespace?: string | undefined } | undefined) =>
    reference === undefined ? null : { Name: reference.name ?? '', Namespace: reference.namespace ?? '' };
  return {
    Driver: csi.driver ?? '',
    VolumeHandle: csi.volumeHandle ?? '',
    ReadOnly: csi.readOnly ?? false,
    FSType: csi.fsType ?? '',
    VolumeAttributes: csi.volumeAttributes ?? null,
    ControllerPublishSecretRef: secret(csi.controllerPublishSecretRef),
    NodeStageSecretRef: secret(csi.nodeStageSecretRef),
    NodePublishSecretRef: secret(csi.nodePublishSecretRef),
    ControllerExpandSecretRef: secret(csi.controllerExpandSecretRef),
    NodeExpandSecretRef: secret(csi.nodeExpandSecretRef),
  };
}
