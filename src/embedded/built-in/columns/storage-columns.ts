import type {
  CSIDriverObject,
  CSINodeObject,
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  StorageClassObject,
  VolumeAttachmentObject,
  VolumeAttributesClassObject,
} from '../../../../imports/k8s.js';
import { boolean, type Columns, column, integer, wide } from './column.js';

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function modes(given: readonly string[] | undefined): string {
  return shortModes.flatMap(([mode, short]) => (given?.includes(mode) ? [short] : [])).join(',');
}

interface Classed {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | undefined } | undefined;
  readonly spec?: { readonly storageClassName?: string | undefined } | undefined;
}

function storageClass({ metadata, spec }: Classed): string {
  return metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
}

export const persistentVolumeColumns: Columns = {
  columns: [
    column<PersistentVolumeObject>('Capacity', ({ spec }) => String(spec?.capacity?.['storage'] ?? '0')),
    column<PersistentVolumeObject>('Access Modes', ({ spec }) => modes(spec?.accessModes)),
    column<PersistentVolumeObject>('Reclaim Policy', ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? ''),
    column<PersistentVolumeObject>('Status', ({ metadata, status }) =>
      metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    ),
    column<PersistentVolumeObject>('Claim', ({ spec }) =>
      spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
    ),
    column<PersistentVolumeObject>('StorageClass', storageClass),
    column<PersistentVolumeObject>('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
    column<PersistentVolumeObject>('Reason', ({ status }) => status?.reason ?? ''),
    column<PersistentVolumeObject>('VolumeMode', ({ spec }) => spec?.volumeMode ?? '<unset>', wide),
  ],
};

type Claim = PersistentVolumeClaimObject;
export const persistentVolumeClaimColumns: Columns = {
  columns: [
    column<Claim>('Status', ({ metadata, status }) =>
      metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    ),
    column<Claim>('Volume', ({ spec }) => spec?.volumeName ?? ''),
    column<Claim>('Capacity', ({ spec, status }) =>
      spec?.volumeName ? String(status?.capacity?.['storage'] ?? '0') : '',
    ),
    column<Claim>('Access Modes', ({ spec, status }) => (spec?.volumeName ? modes(status?.accessModes) : '')),
    column<Claim>('StorageClass', storageClass),
    column<Claim>('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
    column<Claim>('VolumeMode', ({ spec }) => spec?.volumeMode ?? '<unset>', wide),
  ],
};

const defaultClass = 'storageclass.kubernetes.io/is-default-class';
const olderDefaultClass = 'storageclass.beta.kubernetes.io/is-default-class';

export const storageClassColumns: Columns = {
  columns: [
    column<StorageClassObject>(
      'Name',
      ({ metadata }) => {
        const { [defaultClass]: isDefault, [olderDefaultClass]: wasDefault } = metadata?.annotations ?? {};
        return `${metadata?.name}${isDefault === 'true' || wasDefault === 'true' ? ' (default)' : ''}`;
      },
      { format: 'name' },
    ),
    column<StorageClassObject>('Provisioner', ({ provisioner }) => provisioner),
    column<StorageClassObject>('ReclaimPolicy', ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete'),
    column<StorageClassObject>('VolumeBindingMode', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
    column<StorageClassObject>('AllowVolumeExpansion', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
  ],
};

export const csiDriverColumns: Columns = {
  columns: [
    column<CSIDriverObject>('AttachRequired', ({ spec }) => spec.attachRequired ?? true, boolean),
    column<CSIDriverObject>('PodInfoOnMount', ({ spec }) => spec.podInfoOnMount ?? false, boolean),
    column<CSIDriverObject>('StorageCapacity', ({ spec }) => spec.storageCapacity ?? false, boolean),
    column<CSIDriverObject>(
      'TokenRequests',
      ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
    ),
    column<CSIDriverObject>('RequiresRepublish', ({ spec }) => spec.requiresRepublish ?? false, boolean),
    column<CSIDriverObject>('Modes', ({ spec }) => (spec.volumeLifecycleModes ?? []).join(',') || '<none>'),
  ],
};

export const csiNodeColumns: Columns = {
  columns: [column<CSINodeObject>('Drivers', ({ spec }) => (spec.drivers ?? []).length, integer)],
};

export const volumeAttachmentColumns: Columns = {
  columns: [
    column<VolumeAttachmentObject>('Attacher', ({ spec }) => spec.attacher, { format: 'name' }),
    column<VolumeAttachmentObject>('PV', ({ spec }) => spec.source.persistentVolumeName ?? ''),
    column<VolumeAttachmentObject>('Node', ({ spec }) => spec.nodeName),
    column<VolumeAttachmentObject>('Attached', ({ status }) => status?.attached ?? false, boolean),
  ],
};

export const volumeAttributesClassColumns: Columns = {
  columns: [column<VolumeAttributesClassObject>('DriverName', ({ driverName }) => driverName)],
};
