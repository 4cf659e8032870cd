import type { Json } from '../../../../src/kube/manifest.js';
import { type Field, field, type KindGrammar, under } from './kind-grammar.js';
import { podFields, podSpecs } from './pods.js';

const template = (index: number): Json => ({
  spec: { ...(podSpecs[index] as unknown as Record<string, Json>), restartPolicy: 'Never' },
});

const jobFields: readonly Field[] = [
  ...under('template.spec', podFields),
  field('template.spec.restartPolicy', ['Never', 'OnFailure'], ['Always', '', 'Odd']),
  field('template.metadata.labels', [{ app: 'a' }], [{ 'a b': 'x' }, { 'batch.kubernetes.io/job-name': 'x' }]),
  field('parallelism', [0, 1, 3], [-1, 'x']),
  field('completions', [1, 3], [-1, 'x']),
  field('completionMode', ['NonIndexed', 'Indexed'], ['Odd']),
  field('backoffLimit', [0, 6], [-1]),
  field('backoffLimitPerIndex', [], [1]),
  field('activeDeadlineSeconds', [10], [-1]),
  field('ttlSecondsAfterFinished', [0, 10], [-1]),
  field('suspend', [true, false], ['x']),
  field('manualSelector', [], [true]),
  field('selector', [], [{ matchLabels: { app: 'a' } }, 'x']),
  field('podReplacementPolicy', ['TerminatingOrFailed', 'Failed'], ['Odd']),
  field(
    'podFailurePolicy',
    [{ rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } }] }],
    [
      { rules: [{ action: 'Odd' }] },
      { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] },
      {
        rules: [
          {
            action: 'Ignore',
            onPodConditions: [{ type: 'DisruptionTarget' }],
            onExitCodes: { operator: 'In', values: [1] },
          },
        ],
      },
    ],
  ),
  field('managedBy', ['example.com/own'], ['Bad Name']),
];

export const batch: readonly KindGrammar[] = [
  {
    resource: 'batch/v1/jobs',
    kind: 'Job',
    namespaced: true,
    fieldSelectors: ['status.successful=0'],
    bases: [{ spec: { template: template(0) } }, { spec: { parallelism: 2, completions: 4, template: template(1) } }],
    fields: under('spec', jobFields),
    status: [
      field('status.active', [0, 1], [-1, 'x']),
      field('status.succeeded', [0, 1], [-1]),
      field('status.failed', [0, 1], [-1]),
      field('status.startTime', ['2020-01-01T00:00:00Z'], ['x']),
      field('status.completionTime', [], ['2020-01-01T00:00:00Z']),
      field(
        'status.conditions',
        [[{ type: 'Suspended', status: 'True' }]],
        [[{ type: 'Complete', status: 'True' }], 'x'],
      ),
    ],
  },
  {
    resource: 'batch/v1/cronjobs',
    kind: 'CronJob',
    namespaced: true,
    bases: [
      { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: template(0) } } } },
      {
        spec: {
          schedule: '@daily',
          concurrencyPolicy: 'Forbid',
          jobTemplate: { metadata: { labels: { app: 'a' } }, spec: { template: template(2) } },
        },
      },
    ],
    fields: [
      ...under('spec.jobTemplate.spec', jobFields),
      field(
        'spec.schedule',
        ['0 0 * * *', '@hourly', '1-5 * * * MON'],
        ['', 'x', '* * * *', '61 * * * *', 'TZ=UTC * * * * *', 5],
      ),
      field('spec.timeZone', ['Etc/UTC', 'Europe/Berlin'], ['Odd/Place', '', 'local']),
      field('spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace'], ['Odd']),
      field('spec.suspend', [true, false], ['x']),
      field('spec.startingDeadlineSeconds', [10], [-1]),
      field('spec.successfulJobsHistoryLimit', [0, 3], [-1]),
      field('spec.failedJobsHistoryLimit', [0, 1], [-1]),
    ],
    status: [
      field('status.lastScheduleTime', ['2020-01-01T00:00:00Z'], ['x']),
      field('status.active', [[{ kind: 'Job', name: 'j', apiVersion: 'batch/v1' }], []], ['x']),
    ],
  },
];
