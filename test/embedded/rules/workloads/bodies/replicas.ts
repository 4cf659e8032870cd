// Longer than most files: a table of workloads, one for each thing that a server looks at.
import type { Judged } from '../../bodies/judged.js';

const web = { name: 'web', image: 'nginx:1.27' };
const labels = { app: 'web' };
const selector = { matchLabels: labels };
const template = (spec: object = {}, metadata: object = {}) => ({
  metadata: { labels, ...metadata },
  spec: { containers: [web], ...spec },
});
const workload = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'web', ...metadata },
  spec: { selector, template: template(), ...spec },
});
const rolling = (fields: object) => workload({ strategy: { type: 'RollingUpdate', rollingUpdate: fields } });
const long = (length: number) => 'a'.repeat(length);

/** What is the same of all that has a selector and a template. */
const common: Judged['bodies'] = [
  ['the least that goes', workload()],
  ['nothing at all', { metadata: { name: 'web' } }],
  ['no selector', { metadata: { name: 'web' }, spec: { template: template() } }],
  ['an empty selector', workload({ selector: {} })],
  ['no template', { metadata: { name: 'web' }, spec: { selector } }],
  ['labels that are not selected', workload({ template: template({}, { labels: { app: 'db' } }) })],
  ['no labels', workload({ template: { spec: { containers: [web] } } })],
  ['a selector with a bad key', workload({ selector: { matchLabels: { 'a b': 'c' } } })],
  ['a selector with a bad value', workload({ selector: { matchLabels: { app: 'a b' } } })],
  [
    'a selector by expressions',
    workload({ selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] } }),
  ],
  ['a selector by bad expressions', workload({ selector: { matchExpressions: [{ key: 'app', operator: 'X' }] } })],
  [
    'a selector by expressions without values',
    workload({
      selector: {
        matchExpressions: [
          { key: 'app', operator: 'In' },
          { key: 'b', operator: 'Exists', values: ['c'] },
        ],
      },
    }),
  ],
  [
    'bad labels and annotations of the template',
    workload({ template: template({}, { labels: { app: 'web', 'a/b/c': 'd' }, annotations: { 'x y': 'z' } }) }),
  ],
  [
    'a label of the template that is too long',
    workload({ template: template({}, { labels: { app: 'web', [long(64)]: long(64) } }) }),
  ],
  ['a restart policy that is another', workload({ template: template({ restartPolicy: 'Never' }) })],
  ['a restart policy that is none', workload({ template: template({ restartPolicy: 'X' }) })],
  ['a deadline of Pods', workload({ template: template({ activeDeadlineSeconds: 5 }) })],
  ['negative numbers', workload({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 })],
  [
    'a template with a wrong container',
    workload({ template: template({ containers: [{ name: 'A', ports: [{ containerPort: 0, hostPort: -1 }] }] }) }),
  ],
  [
    'a template with an ephemeral container',
    workload({ template: template({ ephemeralContainers: [{ name: 'a', image: 'b' }] }) }),
  ],
  ['a template without containers', workload({ template: template({ containers: null }) })],
  [
    'a template with spaces around an image',
    workload({ template: template({ containers: [{ ...web, image: ' nginx ' }] }) }),
  ],
  [
    'a template with limits alone',
    workload({ template: template({ containers: [{ ...web, resources: { limits: { cpu: '1000m' } } }] }) }),
  ],
  [
    'a template with the network of the host',
    workload({
      template: template({
        hostNetwork: true,
        containers: [{ ...web, ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 82 }] }],
      }),
    }),
  ],
  [
    'a template with a negative grace period',
    workload({ template: template({ terminationGracePeriodSeconds: -1, serviceAccountName: 'a' }) }),
  ],
  ['a name with dots', workload({}, { name: 'a.b' })],
  ['a name that is none', workload({}, { name: 'A' })],
  ['bad metadata', workload({}, { labels: { a: 'b c' }, finalizers: ['x'] })],
  ['a status', { ...workload(), status: { replicas: 5 } }],
];

const changes: NonNullable<Judged['changes']> = [
  ['another image', workload(), { spec: { template: template({ containers: [{ ...web, image: 'nginx:1.28' }] }) } }],
  [
    'another selector',
    workload({ template: template({}, { labels: { app: 'web', tier: 'a' } }) }),
    { spec: { selector: { matchLabels: { tier: 'a', app: null } } } },
  ],
  [
    'another selector and labels',
    workload(),
    { spec: { selector: { matchLabels: { app: 'db' } }, template: { metadata: { labels: { app: 'db' } } } } },
  ],
  ['fewer replicas than none', workload(), { spec: { replicas: -1 } }],
  ['another annotation', workload(), { metadata: { annotations: { a: 'b' } } }],
  ['another label', workload(), { metadata: { labels: { a: 'b' } } }],
  ['another status', workload(), { status: { replicas: 5 } }],
  ['nothing', workload(), {}],
];

export const deployments: Judged = {
  kind: 'Deployment',
  bodies: [
    ...common,
    ['a strategy that is none', workload({ strategy: { type: 'BlueGreen' } })],
    [
      'a strategy that is none, with numbers',
      workload({ strategy: { type: 'BlueGreen', rollingUpdate: { maxSurge: '10%' } } }),
    ],
    ['all at once', workload({ strategy: { type: 'Recreate' } })],
    ['all at once with numbers', workload({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } })],
    ['no surge and none unavailable', rolling({ maxSurge: 0, maxUnavailable: 0 })],
    ['no share and none unavailable', rolling({ maxSurge: '0%', maxUnavailable: '0%' })],
    ['more than all', rolling({ maxSurge: '200%', maxUnavailable: '101%' })],
    ['bad shares', rolling({ maxSurge: 'many', maxUnavailable: '10' })],
    ['negative numbers of Pods', rolling({ maxSurge: -1, maxUnavailable: -2 })],
    ['a deadline before it is ready', workload({ minReadySeconds: 600 })],
    ['a negative deadline', workload({ progressDeadlineSeconds: -1 })],
    ['a rollback', workload({}, { annotations: { 'deprecated.deployment.rollback.to': '2' } })],
  ],
  changes: [
    ...changes,
    ['all at once now', workload(), { spec: { strategy: { type: 'Recreate' } } }],
    ['all at once now, without numbers', workload(), { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }],
  ],
  statuses: [
    ['counts', workload(), { status: { replicas: 2, readyReplicas: 1, observedGeneration: 1 } }],
    [
      'everything wrong',
      workload(),
      {
        status: {
          observedGeneration: -1,
          replicas: 1,
          updatedReplicas: 2,
          readyReplicas: 3,
          availableReplicas: 4,
          unavailableReplicas: -1,
          terminatingReplicas: -1,
          collisionCount: -1,
        },
      },
    ],
    [
      'a specification and labels too',
      workload(),
      { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { replicas: 5 }, status: { replicas: 1 } },
    ],
  ],
};

export const replicaSets: Judged = {
  kind: 'ReplicaSet',
  bodies: common,
  changes,
  statuses: [
    [
      'everything wrong',
      workload(),
      {
        status: {
          replicas: 1,
          fullyLabeledReplicas: 2,
          readyReplicas: 3,
          availableReplicas: 4,
          observedGeneration: -1,
          terminatingReplicas: -1,
        },
      },
    ],
    ['labels too', workload(), { metadata: { labels: { a: 'b' } }, spec: { replicas: 5 }, status: { replicas: 1 } }],
  ],
};

const set = (strategy: object) => workload({ updateStrategy: strategy });
const claim = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'data', ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

export const statefulSets: Judged = {
  kind: 'StatefulSet',
  bodies: [
    ...common,
    ['a policy of management that is none', workload({ podManagementPolicy: 'X' })],
    ['in parallel', workload({ podManagementPolicy: 'Parallel', serviceName: 'web' })],
    ['a bad name of a Service', workload({ serviceName: 'A.b' })],
    ['a strategy that is none', set({ type: 'X' })],
    ['by hand', set({ type: 'OnDelete' })],
    ['by hand with numbers', set({ type: 'OnDelete', rollingUpdate: { partition: 1 } })],
    ['rolling without numbers', set({ type: 'RollingUpdate' })],
    ['a negative partition', set({ rollingUpdate: { partition: -1, maxUnavailable: '200%' } })],
    [
      'policies of claims that are none',
      workload({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'X', whenScaled: 'Y' } }),
    ],
    [
      'a claim',
      workload({
        volumeClaimTemplates: [claim()],
        template: template({ containers: [{ ...web, volumeMounts: [{ name: 'data', mountPath: '/data' }] }] }),
      }),
    ],
    [
      'a claim with everything wrong',
      workload({
        volumeClaimTemplates: [
          claim({ accessModes: [], volumeMode: 'X', storageClassName: 'A', resources: {} }, { name: 'A' }),
        ],
      }),
    ],
    [
      'a claim in place of a volume',
      workload({ volumeClaimTemplates: [claim()], template: template({ volumes: [{ name: 'data', secret: {} }] }) }),
    ],
    ['a hostname', workload({ template: template({ hostname: 'A', subdomain: 'B' }) })],
    ['ordinals below zero', workload({ ordinals: { start: -1 } })],
    [
      'bad annotations twice',
      workload({ template: template({}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } }) }),
    ],
    ['a long name', workload({}, { name: long(64) })],
  ],
  changes: [
    ...changes,
    [
      'what may change',
      workload(),
      {
        spec: {
          replicas: 3,
          minReadySeconds: 5,
          ordinals: { start: 1 },
          updateStrategy: { rollingUpdate: { partition: 1 } },
          revisionHistoryLimit: 3,
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
        },
      },
    ],
    ['another name of a Service', workload({ serviceName: 'a' }), { spec: { serviceName: 'b' } }],
    ['another management', workload(), { spec: { podManagementPolicy: 'Parallel' } }],
    [
      'other claims',
      workload({ volumeClaimTemplates: [claim()] }),
      { spec: { volumeClaimTemplates: [claim({ resources: { requests: { storage: '2Gi' } } })] } },
    ],
    ['a negative history', workload(), { spec: { revisionHistoryLimit: -1, podManagementPolicy: 'X' } }],
  ],
  statuses: [
    [
      'everything wrong',
      workload(),
      {
        status: {
          replicas: 1,
          readyReplicas: 2,
          currentReplicas: 3,
          updatedReplicas: 4,
          availableReplicas: 5,
          observedGeneration: -1,
          collisionCount: -1,
        },
      },
    ],
    ['counts', workload(), { status: { replicas: 1, collisionCount: 1 } }],
  ],
};

const daemons = (strategy: object) => workload({ updateStrategy: strategy });
export const daemonSets: Judged = {
  kind: 'DaemonSet',
  bodies: [
    ...common,
    ['a strategy that is none', daemons({ type: 'X' })],
    ['by hand', daemons({ type: 'OnDelete' })],
    ['a surge and one unavailable', daemons({ rollingUpdate: { maxSurge: 1 } })],
    ['a surge', daemons({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } })],
    ['none of both', daemons({ rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } })],
    ['bad numbers', daemons({ rollingUpdate: { maxSurge: '200%', maxUnavailable: 'x' } })],
    [
      'a generation of the template',
      workload({}, { annotations: { 'deprecated.daemonset.template.generation': '5' } }),
    ],
    [
      'a negative generation of the template',
      workload({}, { annotations: { 'deprecated.daemonset.template.generation': '-5' } }),
    ],
  ],
  changes: [
    ...changes,
    [
      'another generation of the template',
      workload(),
      { metadata: { annotations: { 'deprecated.daemonset.template.generation': '7' } } },
    ],
    ['no annotations any more', workload(), { metadata: { annotations: null } }],
  ],
  statuses: [
    [
      'everything wrong',
      workload(),
      {
        status: {
          currentNumberScheduled: -1,
          numberMisscheduled: -1,
          desiredNumberScheduled: -1,
          numberReady: -1,
          updatedNumberScheduled: -1,
          numberAvailable: -1,
          numberUnavailable: -1,
          observedGeneration: -1,
          collisionCount: -1,
        },
      },
    ],
    [
      'an annotation too',
      workload(),
      { metadata: { annotations: { 'deprecated.daemonset.template.generation': '7' } }, status: { numberReady: 1 } },
    ],
  ],
};

const controller = (spec: object = {}, metadata: object = {}) => workload({ selector: labels, ...spec }, metadata);
export const replicationControllers: Judged = {
  kind: 'ReplicationController',
  bodies: [
    ['the least that goes', { metadata: { name: 'web' }, spec: { template: template() } }],
    ['nothing at all', { metadata: { name: 'web' } }],
    ['labels that are not selected', controller({ selector: { app: 'db' } })],
    ['no labels', controller({ template: { spec: { containers: [web] } } })],
    ['negative numbers', controller({ replicas: -1, minReadySeconds: -1 })],
    [
      'another restart policy',
      controller({ template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 1 }) }),
    ],
    ['labels of its own', controller({}, { labels: { a: 'b' } })],
    ['a name that is none', controller({}, { name: 'A' })],
    ['a wrong container', controller({ replicas: -1, template: template({ containers: [{}] }) })],
  ],
  changes: [
    [
      'another selector',
      controller(),
      { spec: { selector: { app: 'db' }, template: { metadata: { labels: { app: 'db' } } } } },
    ],
    ['fewer replicas than none', controller(), { spec: { replicas: -1 } }],
  ],
  statuses: [
    [
      'everything wrong',
      controller(),
      {
        status: {
          replicas: 1,
          readyReplicas: 2,
          availableReplicas: 3,
          fullyLabeledReplicas: 4,
          observedGeneration: -1,
        },
      },
    ],
  ],
};

export const podTemplates: Judged = {
  kind: 'PodTemplate',
  bodies: [
    ['a template', { metadata: { name: 'web' }, template: template() }],
    ['nothing at all', { metadata: { name: 'web' } }],
    [
      'a wrong template',
      { metadata: { name: 'web' }, template: template({ containers: [{}] }, { labels: { 'a b': 'c' } }) },
    ],
  ],
  changes: [
    [
      'another template',
      { metadata: { name: 'web' }, template: template() },
      { template: template({ restartPolicy: 'X' }) },
    ],
    [
      'another image',
      { metadata: { name: 'web' }, template: template() },
      { template: template({ restartPolicy: 'Never' }) },
    ],
  ],
};

const revision = (fields: object) => ({ metadata: { name: 'web-1' }, revision: 1, data: { a: 1 }, ...fields });
export const controllerRevisions: Judged = {
  kind: 'ControllerRevision',
  bodies: [
    ['a revision', revision({})],
    ['no data', revision({ data: null })],
    ['data that is no object', revision({ data: [1] })],
    ['data that is text', revision({ data: 'a' })],
    ['a negative revision', revision({ revision: -1 })],
  ],
  changes: [
    ['another revision', revision({}), { revision: 2 }],
    ['other data', revision({}), { data: { a: 2 } }],
  ],
};
