import {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Pod,
  PodTemplate,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '../../../../imports/k8s.js';
import { casesOf, type ManifestCase } from './manifest-case.js';
import { podSpecs } from './pod-specs.js';

const plainSpec = podSpecs['with nothing but an image'] as object;

/** A template whose labels fit `selector`; both are named after the title, so that no two workloads share Pods. */
function template(title: string, spec: object, metadata: object = {}) {
  const labels = {
    app: title
      .toLowerCase()
      .replace(/[^a-z]+/g, '-')
      .slice(0, 60)
      .replace(/-$/, ''),
  };
  return {
    selector: { matchLabels: labels },
    template: { metadata: { ...metadata, labels }, spec },
  };
}

function each(
  kind: string,
  make: (title: string, spec: object) => object,
  others: Readonly<Record<string, object>>,
): Record<string, object> {
  const all = Object.entries(podSpecs).map(([title, spec]) => [title, make(`${kind} ${title}`, spec)] as const);
  return { ...Object.fromEntries(all), ...others };
}

const strategies: Readonly<Record<string, object>> = {
  'with a strategy of its name alone': { strategy: { type: 'RollingUpdate' } },
  'with a strategy in per cent': { strategy: { rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } } },
  'that is recreated': { strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 },
  'that is paused and may take long': { paused: true, progressDeadlineSeconds: 3600, minReadySeconds: 0 },
  'without replicas': { replicas: null },
  'with an empty strategy': { strategy: {} },
};

const withoutPolicy = (spec: object) => ({ ...spec, restartPolicy: 'Never' });

export const workloads: readonly ManifestCase[] = [
  ...casesOf(Deployment, {
    ...each('d', (title, spec) => ({ spec: { replicas: 0, ...template(title, spec) } }), {}),
    ...Object.fromEntries(
      Object.entries(strategies).map(([title, fields]) => [
        title,
        { spec: { ...template(`d ${title}`, plainSpec), ...fields } },
      ]),
    ),
    'with annotations on its template': {
      spec: { replicas: 1, ...template('d annotated', plainSpec, { annotations: { note: '', 'a/b': '{"x":1}' } }) },
    },
    'with a selector by expressions': {
      spec: {
        replicas: 0,
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['b', 'a'] }], matchLabels: {} },
        template: { metadata: { labels: { app: 'a' } }, spec: plainSpec },
      },
    },
  }),
  ...casesOf(StatefulSet, {
    ...each('s', (title, spec) => ({ spec: { replicas: 0, serviceName: 'none', ...template(title, spec) } }), {
      'with claims': {
        spec: {
          replicas: 0,
          ...template('s claims', plainSpec),
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
            },
            {
              apiVersion: 'v1',
              kind: 'PersistentVolumeClaim',
              metadata: { name: 'more', labels: {} },
              spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: 1e9 } }, storageClassName: '' },
            },
          ],
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
        },
      },
      'with a partition, in parallel': {
        spec: {
          ...template('s partition', plainSpec),
          replicas: 1,
          serviceName: '',
          podManagementPolicy: 'Parallel',
          updateStrategy: { rollingUpdate: { partition: 0 } },
          ordinals: { start: 0 },
        },
      },
      'that is updated on deletion': {
        spec: { ...template('s ondelete', plainSpec), updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 1 },
      },
    }),
  }),
  ...casesOf(
    DaemonSet,
    each('ds', (title, spec) => ({ spec: template(title, spec) }), {
      'with a surge': {
        spec: {
          ...template('ds surge', plainSpec),
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          minReadySeconds: 0,
        },
      },
      'that is updated on deletion': {
        spec: { ...template('ds ondelete', plainSpec), updateStrategy: { type: 'OnDelete' } },
      },
    }),
  ),
  ...casesOf(
    ReplicaSet,
    each('rs', (title, spec) => ({ spec: { replicas: 0, ...template(title, spec) } }), {
      'with one replica by default': { spec: template('rs one', plainSpec) },
    }),
  ),
  ...casesOf(ReplicationController, {
    'with a plain selector': {
      spec: {
        replicas: 0,
        selector: { app: 'rc' },
        template: { metadata: { labels: { app: 'rc' } }, spec: plainSpec },
      },
    },
    'without a selector': {
      spec: { replicas: 0, template: { metadata: { labels: { app: 'rc2' } }, spec: plainSpec } },
    },
  }),
  ...casesOf(PodTemplate, { 'of its own': { template: { metadata: { labels: { a: 'b' } }, spec: plainSpec } } }),
  ...casesOf(
    Job,
    each('j', (_, spec) => ({ spec: { suspend: true, template: { spec: withoutPolicy(spec) } } }), {
      'with nothing but a template': { spec: { template: { spec: withoutPolicy(plainSpec) } } },
      'with indexes and a policy': {
        spec: {
          suspend: true,
          completions: 3,
          parallelism: 0,
          completionMode: 'Indexed',
          backoffLimitPerIndex: 0,
          ttlSecondsAfterFinished: 0,
          podFailurePolicy: {
            rules: [
              { action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2, 3] } },
              { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
            ],
          },
          template: { metadata: { annotations: {}, labels: { a: '' } }, spec: withoutPolicy(plainSpec) },
        },
      },
    }),
  ),
  ...casesOf(
    CronJob,
    each(
      'cj',
      (_, spec) => ({
        spec: { schedule: '0 0 31 2 *', jobTemplate: { spec: { template: { spec: withoutPolicy(spec) } } } },
      }),
      {
        'with all that it can have': {
          spec: {
            schedule: '@yearly',
            timeZone: 'Etc/UTC',
            suspend: false,
            concurrencyPolicy: 'Forbid',
            startingDeadlineSeconds: 0,
            successfulJobsHistoryLimit: 0,
            failedJobsHistoryLimit: null,
            jobTemplate: {
              metadata: { labels: { a: 'b' }, annotations: {} },
              spec: { backoffLimit: 0, template: { spec: { ...plainSpec, restartPolicy: 'OnFailure' } } },
            },
          },
        },
      },
    ),
  ),
  ...casesOf(
    Pod,
    each('p', (_, spec) => ({ spec }), {
      'with an empty node name and a priority of zero': {
        metadata: { labels: {}, annotations: {}, finalizers: [] },
        spec: { ...plainSpec, nodeName: '', priority: 0, schedulerName: 'nobody' },
      },
    }),
  ),
];
