import type { Json } from '../../../../src/kube/manifest.js';
import { type Field, field, type KindGrammar, under } from './kind-grammar.js';
import { podFields, podSpecs } from './pods.js';

const selector = { matchLabels: { app: 'a' } };

function template(spec: Json): Json {
  return { metadata: { labels: { app: 'a' } }, spec } as Json;
}

const shared: readonly Field[] = [
  ...under('spec.template.spec', podFields),
  field('spec.template.spec.restartPolicy', ['Always'], ['OnFailure', 'Never', 'Odd']),
  field('spec.template.spec.activeDeadlineSeconds', [], [5]),
  field(
    'spec.template.metadata.labels',
    [{ app: 'a' }, { app: 'a', tier: 'web' }],
    [{ app: 'b' }, {}, { 'a b': 'x', app: 'a' }, 'x'],
  ),
  field('spec.template.metadata.annotations', [{ note: 'x' }, {}], [{ 'a b': 'x' }, { note: 1 }]),
  field(
    'spec.selector',
    [],
    [
      { matchLabels: { app: 'b' } },
      {},
      null,
      'x',
      { matchLabels: { 'a b': 'x' } },
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] },
    ],
  ),
  field('spec.minReadySeconds', [0, 5], [-1, 'x']),
  field('spec.revisionHistoryLimit', [0, 3], [-1, 1.5]),
];
const replicas = field('spec.replicas', [0, 1, 3], [-1, 'three', 1.5, 2147483648]);
const conditions = field(
  'status.conditions',
  [
    [{ type: 'Available', status: 'True' }],
    [{ type: 'Available', status: 'False', reason: 'R', lastTransitionTime: '2020-01-01T00:00:00Z' }],
  ],
  ['x', [{}]],
);
const counts = (...names: readonly string[]) => names.map((name) => field(`status.${name}`, [0, 1, 2], [-1, 'x']));

export const workloads: readonly KindGrammar[] = [
  {
    resource: 'apps/v1/deployments',
    kind: 'Deployment',
    namespaced: true,
    scale: true,
    weight: 3,
    bases: podSpecs.map((spec, index) => ({
      spec: { ...(index === 0 ? {} : { replicas: 2 }), selector, template: template(spec) },
    })),
    fields: [
      ...shared,
      replicas,
      field('spec.paused', [true, false], ['x']),
      field('spec.progressDeadlineSeconds', [600, 60], [-1, 0, 'x']),
      field(
        'spec.strategy',
        [{ type: 'Recreate' }, { type: 'RollingUpdate' }, { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } }],
        [
          { type: 'Odd' },
          { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
          { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
          { rollingUpdate: { maxSurge: 'x' } },
          { rollingUpdate: { maxUnavailable: '150%' } },
          { rollingUpdate: { maxSurge: -1 } },
        ],
      ),
      field('spec.strategy.type', ['Recreate', 'RollingUpdate'], ['Odd', '']),
    ],
    status: [
      ...counts(
        'replicas',
        'readyReplicas',
        'updatedReplicas',
        'availableReplicas',
        'unavailableReplicas',
        'observedGeneration',
        'collisionCount',
      ),
      conditions,
    ],
  },
  {
    resource: 'apps/v1/statefulsets',
    kind: 'StatefulSet',
    namespaced: true,
    scale: true,
    bases: [
      { spec: { serviceName: 'a', selector, template: template(podSpecs[0]) } },
      {
        spec: {
          serviceName: 'a',
          replicas: 2,
          selector,
          template: template(podSpecs[1]),
          volumeClaimTemplates: [
            {
              metadata: { name: 'disk' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      },
    ],
    fields: [
      ...shared,
      replicas,
      field('spec.serviceName', ['a'], ['b', 'Bad Name', 5]),
      field('spec.podManagementPolicy', ['OrderedReady', 'Parallel'], ['Odd']),
      field(
        'spec.updateStrategy',
        [{ type: 'OnDelete' }, { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }],
        [{ type: 'Odd' }, { type: 'OnDelete', rollingUpdate: { partition: 1 } }, { rollingUpdate: { partition: -1 } }],
      ),
      field('spec.ordinals', [{ start: 2 }], [{ start: -1 }]),
      field(
        'spec.persistentVolumeClaimRetentionPolicy',
        [{ whenDeleted: 'Delete', whenScaled: 'Retain' }, { whenDeleted: 'Delete' }],
        [{ whenDeleted: 'Odd' }],
      ),
      field('spec.volumeClaimTemplates', [], [[], 'x', [{ metadata: { name: 'other' }, spec: {} }]]),
    ],
    status: [
      ...counts(
        'replicas',
        'readyReplicas',
        'updatedReplicas',
        'currentReplicas',
        'availableReplicas',
        'observedGeneration',
      ),
      conditions,
      field('status.currentRevision', ['a-1'], [1]),
    ],
  },
  {
    resource: 'apps/v1/daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    bases: podSpecs.map((spec) => ({ spec: { selector, template: template(spec) } })),
    fields: [
      ...shared,
      field(
        'spec.updateStrategy',
        [
          { type: 'OnDelete' },
          { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
          { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        ],
        [{ type: 'Odd' }, { rollingUpdate: { maxUnavailable: 0 } }, { rollingUpdate: { maxUnavailable: 'x' } }],
      ),
    ],
    status: [
      ...counts(
        'currentNumberScheduled',
        'numberMisscheduled',
        'desiredNumberScheduled',
        'numberReady',
        'observedGeneration',
        'updatedNumberScheduled',
        'numberAvailable',
      ),
      conditions,
    ],
  },
  {
    resource: 'apps/v1/replicasets',
    kind: 'ReplicaSet',
    namespaced: true,
    scale: true,
    fieldSelectors: ['status.replicas=0'],
    bases: podSpecs.map((spec) => ({ spec: { selector, template: template(spec) } })),
    fields: [...shared, replicas],
    status: [
      ...counts('replicas', 'readyReplicas', 'fullyLabeledReplicas', 'availableReplicas', 'observedGeneration'),
      conditions,
    ],
  },
];
