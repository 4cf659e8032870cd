import { field, type KindGrammar } from './kind-grammar.js';

export const storage: readonly KindGrammar[] = [
  {
    resource: 'v1/persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
    bases: [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      {
        spec: {
          accessModes: ['ReadWriteMany'],
          storageClassName: 'fast',
          volumeMode: 'Block',
          resources: { requests: { storage: '500M' } },
        },
      },
    ],
    fields: [
      field(
        'spec.accessModes',
        [['ReadWriteOnce'], ['ReadWriteOnce', 'ReadOnlyMany']],
        [[], ['Odd'], 'x', ['ReadWriteOncePod', 'ReadWriteOnce']],
      ),
      field('spec.resources.requests.storage', ['1Gi', '2Gi', 1000000000, '1.5Gi'], ['0', '-1Gi', 'much', null, {}]),
      field('spec.resources.limits.storage', ['5Gi'], ['1Mi', 'x']),
      field('spec.resources', [], [{}, { requests: {} }, { requests: { cpu: '1' } }, 'x']),
      field('spec.storageClassName', ['fast', 'slow', ''], ['Bad Class', 1]),
      field('spec.volumeMode', ['Filesystem', 'Block'], ['Odd', 1]),
      field('spec.volumeName', ['pv-1'], [3]),
      field(
        'spec.selector',
        [{ matchLabels: { app: 'a' } }],
        [{ matchLabels: { 'a b': 'x' } }, { matchExpressions: [{ key: 'a', operator: 'Odd' }] }],
      ),
      field(
        'spec.dataSource',
        [{ kind: 'PersistentVolumeClaim', name: 'other' }],
        [{ kind: 'X', name: 'y' }, { name: 'y' }, {}],
      ),
      field(
        'spec.dataSourceRef',
        [{ apiGroup: 'example.com', kind: 'Own', name: 'one' }],
        [
          { kind: 'Own', name: 'one' },
          { apiGroup: 'example.com', kind: 'Own' },
        ],
      ),
    ],
    status: [
      field('status.phase', ['Pending', 'Bound', 'Lost'], [1]),
      field('status.capacity', [{ storage: '1Gi' }], ['x', { storage: 'x' }]),
      field('status.accessModes', [['ReadWriteOnce']], ['x']),
      field('status.conditions', [[{ type: 'Resizing', status: 'True' }], []], [{}, [1]]),
    ],
  },
];
