import type { Judged } from './judged.js';

const volume = (fields: object, more: object = {}) => ({
  metadata: { name: 'vol', ...more },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, ...fields },
});
const terms = (requirement: object) => ({ required: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } });

export const persistentVolumes: Judged = {
  kind: 'PersistentVolume',
  bodies: [
    ['a folder', volume({})],
    ['nothing', { metadata: { name: 'vol' } }],
    ['a capacity of something else', volume({ capacity: { cpu: '1' } })],
    ['no room', volume({ capacity: { storage: '0' } })],
    ['less than no room', volume({ capacity: { storage: '-1Gi' } })],
    ['a bad mode', volume({ accessModes: ['ReadNever'] })],
    ['modes that do not go together', volume({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] })],
    ['a bad policy', volume({ persistentVolumeReclaimPolicy: 'Keep' })],
    ['a bad mode of volume', volume({ volumeMode: 'Tape' })],
    ['a bad class', volume({ storageClassName: 'A' })],
    ['a folder without a path', volume({ hostPath: { path: '' } })],
    ['a folder above', volume({ hostPath: { path: '/a/../b' } })],
    ['a folder of a bad type', volume({ hostPath: { path: '/a', type: 'Folder' } })],
    ['the root, recycled', volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' })],
    ['two sources', volume({ nfs: { server: 'a', path: '/' } })],
    ['a share', volume({ hostPath: undefined, nfs: { server: 'a', path: '/', readOnly: true } })],
    ['a bad share', volume({ hostPath: undefined, nfs: { server: '', path: 'a' } })],
    ['a driver', volume({ hostPath: undefined, csi: { driver: 'a.b', volumeHandle: 'c' } })],
    [
      'a bad driver',
      volume({ hostPath: undefined, csi: { driver: 'a_b', volumeHandle: '', nodePublishSecretRef: { name: 'A' } } }),
    ],
    [
      'a disk of a node',
      volume({
        hostPath: undefined,
        local: { path: '/a' },
        nodeAffinity: terms({ key: 'a', operator: 'In', values: ['b'] }),
      }),
    ],
    ['a disk of no node', volume({ hostPath: undefined, local: { path: '/a' } })],
    ['a bad affinity', volume({ nodeAffinity: terms({ key: 'a b', operator: 'In' }) })],
    ['an empty affinity', volume({ nodeAffinity: {} })],
    ['a class of attributes', volume({ volumeAttributesClassName: 'a' })],
    ['options of mounts', volume({}, { annotations: { 'volume.beta.kubernetes.io/mount-options': 'a' } })],
  ],
  changes: [
    ['of the folder', volume({}), { spec: { hostPath: { path: '/other' } } }],
    ['of the source', volume({}), { spec: { hostPath: null, nfs: { server: 'a', path: '/' } } }],
    ['of the mode', volume({}), { spec: { volumeMode: 'Block' } }],
    ['of the size', volume({}), { spec: { capacity: { storage: '2Gi' } } }],
    ['of the claim', volume({}), { spec: { claimRef: { namespace: 'default', name: 'a' } } }],
    [
      'of the driver',
      volume({ hostPath: undefined, csi: { driver: 'a.b', volumeHandle: 'c' } }),
      { spec: { csi: { volumeHandle: 'd', fsType: 'ext4' } } },
    ],
    [
      'of the affinity',
      volume({ nodeAffinity: terms({ key: 'a', operator: 'In', values: ['b'] }) }),
      { spec: { nodeAffinity: terms({ key: 'a', operator: 'In', values: ['c'] }) } },
    ],
  ],
};

const claim = (fields: object, more: object = {}) => ({
  metadata: { name: 'claim', ...more },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
});

export const persistentVolumeClaims: Judged = {
  kind: 'PersistentVolumeClaim',
  bodies: [
    ['a size', claim({})],
    ['nothing', { metadata: { name: 'claim' } }],
    ['no size', claim({ resources: {} })],
    ['no room', claim({ resources: { requests: { storage: '0' } } })],
    ['a bad mode', claim({ accessModes: ['ReadNever'] })],
    ['modes that do not go together', claim({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] })],
    ['a class', claim({ storageClassName: 'fast' })],
    ['a bad class', claim({ storageClassName: 'A' })],
    ['no class', claim({ storageClassName: '' })],
    ['a bad mode of volume', claim({ volumeMode: 'Tape' })],
    ['a selector', claim({ selector: { matchLabels: { a: 'b' } } })],
    ['a bad selector', claim({ selector: { matchLabels: { a: 'b c' } } })],
    ['a copy', claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'a' } })],
    [
      'a copy of a snapshot',
      claim({ dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'a' } }),
    ],
    ['a copy of anything', claim({ dataSource: { apiGroup: 'a.b', kind: 'C', name: 'd' } })],
    ['a reference to anything', claim({ dataSourceRef: { apiGroup: 'a.b', kind: 'C', name: 'd' } })],
    ['less than a thousandth', claim({ resources: { requests: { storage: '0.5m' }, limits: { storage: '1u' } } })],
    [
      'a reference into another namespace',
      claim({ dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b', namespace: 'c' } }),
    ],
    ['a reference to nothing', claim({ dataSourceRef: { kind: 'C', name: '' } })],
    [
      'a source and a reference that differ',
      claim({
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      }),
    ],
    ['a status', { ...claim({}), status: { phase: 'Bound' } }],
  ],
  changes: [
    ['of the size', claim({}), { spec: { resources: { requests: { storage: '2Gi' } } } }],
    ['to a smaller size', claim({}), { spec: { resources: { requests: { storage: '1Mi' } } } }],
    ['of the volume', claim({}), { spec: { volumeName: 'vol' } }],
    ['of the volume again', claim({ volumeName: 'vol' }), { spec: { volumeName: 'other' } }],
    ['of the class', claim({ storageClassName: 'a' }), { spec: { storageClassName: 'b' } }],
    ['of no class to one', claim({}), { spec: { storageClassName: 'b' } }],
    ['of the mode', claim({}), { spec: { volumeMode: 'Block' } }],
    ['of modes', claim({}), { spec: { accessModes: ['ReadOnlyMany', 'ReadWriteMany'] } }],
    [
      'of much',
      claim({ storageClassName: 'a' }),
      { spec: { volumeMode: 'Block', storageClassName: 'b', selector: { matchLabels: { a: 'b' } } } },
    ],
    ['of labels', claim({}), { metadata: { labels: { a: 'b' } } }],
  ],
  statuses: [
    ['bound', claim({}), { status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } }],
  ],
};

const storageClass = (fields: object) => ({ metadata: { name: 'fast' }, provisioner: 'example.com/disk', ...fields });

export const storageClasses: Judged = {
  kind: 'StorageClass',
  bodies: [
    ['a provisioner', storageClass({})],
    ['no provisioner', storageClass({ provisioner: '' })],
    ['a bad provisioner', storageClass({ provisioner: 'a b' })],
    ['a provisioner in capitals', storageClass({ provisioner: 'Example.com/Disk' })],
    ['a bad policy', storageClass({ reclaimPolicy: 'Recycle' })],
    ['a bad mode', storageClass({ volumeBindingMode: 'Later' })],
    ['an empty parameter', storageClass({ parameters: { '': 'a' } })],
    ['parameters that are too long', storageClass({ parameters: { a: 'x'.repeat(262_144) } })],
    ['topologies', storageClass({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }] })],
    [
      'bad topologies',
      storageClass({
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: 'a b', values: [] },
              { key: 'c', values: ['d', 'd'] },
            ],
          },
        ],
      }),
    ],
    [
      'topologies twice',
      storageClass({
        allowedTopologies: [
          { matchLabelExpressions: [{ key: 'a', values: ['b'] }] },
          { matchLabelExpressions: [{ key: 'a', values: ['b'] }] },
        ],
      }),
    ],
  ],
  changes: [
    ['of parameters', storageClass({}), { parameters: { a: 'b' } }],
    ['of the provisioner', storageClass({}), { provisioner: 'example.com/tape' }],
    ['of the policy', storageClass({}), { reclaimPolicy: 'Retain' }],
    ['of the mode', storageClass({}), { volumeBindingMode: 'WaitForFirstConsumer' }],
    ['of growth', storageClass({}), { allowVolumeExpansion: true }],
  ],
};

const driver = (fields: object) => ({ metadata: { name: 'disk.example.com' }, spec: fields });

export const csiDrivers: Judged = {
  kind: 'CSIDriver',
  bodies: [
    ['nothing', driver({})],
    [
      'all that it may say',
      driver({
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        fsGroupPolicy: 'File',
        volumeLifecycleModes: ['Ephemeral'],
        tokenRequests: [{ audience: 'a' }],
      }),
    ],
    ['bad policies', driver({ fsGroupPolicy: 'Some', volumeLifecycleModes: ['Eternal'] })],
    ['tokens twice', driver({ tokenRequests: [{ audience: 'a' }, { audience: 'a' }] })],
    ['tokens that are short', driver({ tokenRequests: [{ audience: 'a', expirationSeconds: 599 }] })],
    ['updates too often', driver({ nodeAllocatableUpdatePeriodSeconds: 9 })],
    ['tokens in secrets without tokens', driver({ serviceAccountTokenInSecrets: true })],
  ],
  changes: [
    ['of attachment', driver({}), { spec: { attachRequired: false } }],
    ['of life', driver({}), { spec: { volumeLifecycleModes: ['Ephemeral'] } }],
    ['of capacity', driver({}), { spec: { storageCapacity: true } }],
  ],
};
