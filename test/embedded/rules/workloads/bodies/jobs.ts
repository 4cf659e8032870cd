// Longer than most files: a table of Jobs and CronJobs, one for each thing that a server looks at.
import type { Judged } from '../../bodies/judged.js';

const main = { name: 'main', image: 'busybox:1' };
const template = (spec: object = {}, metadata?: object) => ({
  ...(metadata && { metadata }),
  spec: { restartPolicy: 'Never', containers: [main], ...spec },
});
const job = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'run', ...metadata },
  spec: { template: template(), ...spec },
});
const indexed = (spec: object = {}) => job({ completionMode: 'Indexed', completions: 3, parallelism: 3, ...spec });
const failure = (rule: object, spec: object = {}) => job({ podFailurePolicy: { rules: [rule] }, ...spec });
const own = {
  manualSelector: true,
  selector: { matchLabels: { app: 'run' } },
  template: template({}, { labels: { app: 'run' } }),
};
const suspended = { suspend: true };

export const jobs: Judged = {
  kind: 'Job',
  bodies: [
    ['the least that goes', job()],
    ['nothing at all', { metadata: { name: 'run' } }],
    ['labels of the template', job({ template: template({}, { labels: { app: 'run' } }) })],
    ['labels of its own', job({ template: template({}, { labels: { app: 'run' } }) }, { labels: { a: 'b' } })],
    ['no restart policy', job({ template: { spec: { containers: [main] } } })],
    ['a restart policy that goes on for ever', job({ template: template({ restartPolicy: 'Always' }) })],
    ['a restart policy that is none', job({ template: template({ restartPolicy: 'X' }) })],
    ['a restart on failure', job({ template: template({ restartPolicy: 'OnFailure' }) })],
    ['in parallel', job({ parallelism: 3 })],
    ['completions', job({ completions: 3 })],
    [
      'negative numbers',
      job({
        parallelism: -1,
        completions: -1,
        activeDeadlineSeconds: -1,
        backoffLimit: -1,
        ttlSecondsAfterFinished: -1,
      }),
    ],
    ['a selector of its own', job(own)],
    ['a selector that is not its own', job({ selector: { matchLabels: { app: 'run' } } })],
    [
      'labels that the server makes',
      job({ template: template({}, { labels: { 'controller-uid': 'x', 'job-name': 'y' } }) }),
    ],
    [
      'a selector of its own that selects nothing',
      job({ manualSelector: true, selector: { matchLabels: { app: 'x' } } }),
    ],
    ['no selector of its own', job({ manualSelector: true })],
    ['a mode that is none', job({ completionMode: 'X' })],
    ['indexed', indexed()],
    ['indexed without completions', job({ completionMode: 'Indexed', parallelism: 200_000 })],
    ['indexed with a long name', { ...indexed(), metadata: { name: 'a'.repeat(63) } }],
    ['limits per index', indexed({ backoffLimitPerIndex: 1, maxFailedIndexes: 2 })],
    ['limits per index without indexes', job({ backoffLimitPerIndex: 1, maxFailedIndexes: -1 })],
    [
      'limits per index that are too high',
      indexed({ maxFailedIndexes: 200_000, completions: 150_000, parallelism: 20_000, backoffLimitPerIndex: 1 }),
    ],
    ['many completions without a limit', indexed({ completions: 150_000, backoffLimitPerIndex: 1 })],
    ['a manager', job({ managedBy: 'example.com/manager' })],
    ['a manager that is none', job({ managedBy: 'manager' })],
    ['a manager with everything wrong', job({ managedBy: `A/${'b c'.repeat(30)}` })],
    ['suspended', job(suspended)],
    ['a policy of replacement that is none', job({ podReplacementPolicy: 'X' })],
    ['a policy of failures', failure({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } })],
    [
      'a policy of failures by conditions',
      failure({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
    ],
    [
      'a policy of failures with everything wrong',
      failure(
        {
          action: 'X',
          onExitCodes: { containerName: 'x', operator: 'Y', values: [2, 1, 1] },
          onPodConditions: [{ type: 'a b', status: 'X' }],
        },
        { podReplacementPolicy: 'TerminatingOrFailed', template: template({ restartPolicy: 'OnFailure' }) },
      ),
    ],
    ['a policy of failures of nothing', failure({ onExitCodes: { operator: 'In', values: [0] } })],
    ['a policy of failures without a rule', failure({ action: 'FailIndex' })],
    ['a policy of failures without values', failure({ action: 'Count', onExitCodes: { operator: 'In' } })],
    ['a policy of success', indexed({ successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 1 }] } })],
    ['a policy of success without indexes', job({ successPolicy: { rules: [{ succeededCount: 1 }] } })],
    [
      'a policy of success with everything wrong',
      indexed({
        successPolicy: {
          rules: [
            {},
            { succeededIndexes: '2-1' },
            { succeededIndexes: '5' },
            { succeededIndexes: '0', succeededCount: 4 },
            { succeededIndexes: 'a-b-c' },
            { succeededIndexes: '1,0' },
          ],
        },
      }),
    ],
    ['a policy of success without rules', indexed({ successPolicy: { rules: [] } })],
    ['a wrong container', job({ template: template({ containers: [{ name: 'A' }] }) })],
    ['a name with dots', job({}, { name: 'a.b' })],
  ],
  changes: [
    ['another image', job(), { spec: { template: { spec: { containers: [{ ...main, image: 'busybox:2' }] } } } }],
    [
      'other labels of Pods',
      job({ template: template({}, { labels: { app: 'run' } }) }),
      { spec: { template: { metadata: { labels: { app: 'x' } } } } },
    ],
    ['another parallelism', job(), { spec: { parallelism: 2 } }],
    ['other completions', job(), { spec: { completions: 2 } }],
    ['other completions in tandem', indexed(), { spec: { completions: 5, parallelism: 5 } }],
    ['other completions alone', indexed(), { spec: { completions: 5 } }],
    ['another mode', job(), { spec: { completionMode: 'Indexed' } }],
    ['another selector', job(own), { spec: { selector: { matchLabels: { app: 'x' } } } }],
    [
      'a policy of failures',
      job(),
      { spec: { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'a' }] }] } } },
    ],
    [
      'another policy of success',
      indexed({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
      { spec: { successPolicy: { rules: [{ succeededCount: 2 }] } } },
    ],
    ['a manager', job(), { spec: { managedBy: 'example.com/x' } }],
    ['a limit per index', indexed(), { spec: { backoffLimitPerIndex: 1 } }],
    ['to be suspended', job(), { spec: { suspend: true } }],
    [
      'another node while it is suspended',
      job(suspended),
      {
        spec: {
          template: {
            spec: {
              nodeSelector: { a: 'b' },
              affinity: {
                nodeAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
                  },
                },
              },
            },
          },
        },
      },
    ],
    [
      'other resources while it is suspended',
      job(suspended),
      { spec: { template: { spec: { containers: [{ ...main, resources: { limits: { cpu: '1' } } }] } } } },
    ],
    [
      'another image while it is suspended',
      job(suspended),
      { spec: { template: { spec: { containers: [{ ...main, image: 'busybox:2' }] } } } },
    ],
    [
      'another deadline and limit',
      job(),
      { spec: { activeDeadlineSeconds: 5, backoffLimit: 1, ttlSecondsAfterFinished: 5 } },
    ],
    ['a negative parallelism', job(), { spec: { parallelism: -1 } }],
  ],
  statuses: [
    ['counts', job(), { status: { active: 1, ready: 1, startTime: '2024-01-01T00:00:00Z' } }],
    ['negative counts', job(), { status: { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 } }],
    [
      'done in every way',
      job(),
      {
        status: {
          active: 1,
          ready: 2,
          terminating: 1,
          completionTime: '2024-01-01T00:00:00Z',
          startTime: '2024-01-02T00:00:00Z',
          conditions: [
            { type: 'Complete', status: 'True' },
            { type: 'Failed', status: 'True' },
          ],
        },
      },
    ],
    [
      'success without a condition',
      job(),
      {
        status: {
          completionTime: '2024-01-01T00:00:00Z',
          conditions: [
            { type: 'SuccessCriteriaMet', status: 'True' },
            { type: 'FailureTarget', status: 'True' },
          ],
        },
      },
    ],
    [
      'done',
      job(),
      {
        status: {
          succeeded: 1,
          startTime: '2024-01-01T00:00:00Z',
          completionTime: '2024-01-02T00:00:00Z',
          conditions: [
            { type: 'SuccessCriteriaMet', status: 'True' },
            { type: 'Complete', status: 'True' },
          ],
        },
      },
    ],
    ['done without times', job(), { status: { conditions: [{ type: 'Complete', status: 'True' }] } }],
    [
      'Pods that are not counted',
      job(),
      { status: { uncountedTerminatedPods: { succeeded: ['a', '', 'a'], failed: ['a'] } } },
    ],
    ['indexes of none', job(), { status: { completedIndexes: '0', failedIndexes: '1' } }],
    ['indexes', indexed({ backoffLimitPerIndex: 1 }), { status: { completedIndexes: '0-1', failedIndexes: '1' } }],
    ['bad indexes', indexed({ backoffLimitPerIndex: 1 }), { status: { completedIndexes: '0,9', failedIndexes: 'x' } }],
  ],
};

const cron = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'nightly', ...metadata },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: template() } }, ...spec },
});
const at = (schedule: string) => cron({ schedule });
const zone = (timeZone: string) => cron({ timeZone });

export const cronJobs: Judged = {
  kind: 'CronJob',
  bodies: [
    ['the least that goes', cron()],
    ['nothing at all', { metadata: { name: 'nightly' } }],
    ['no schedule', cron({ schedule: '' })],
    ...(
      [
        '* * * *',
        '* * * * * *',
        '60 * * * *',
        '* 24 * * *',
        '* * 0 * *',
        '* * * 13 *',
        '* * * * 7',
        '5-1 * * * *',
        '*/0 * * * *',
        '1-2-3 * * * *',
        '1/2/3 * * * *',
        'a * * * *',
        '-1 * * * *',
        '1,2,,3 * * * *',
        '* * * jan-mar mon-fri',
        '* * * JAN Sun',
        '? ? ? ? ?',
        '*/15 0-23/2 1,15 * *',
        '@hourly',
        '@every 5m',
        '@every 1h30m',
        '@every 5',
        '@every x',
        '@every 1d',
        '@every 1h30',
        '@every 1 hour',
        '@every 99999999h',
        '@noon',
        '@Daily',
        'TZ=UTC 0 3 * * *',
        'CRON_TZ=Nowhere/City 0 3 * * *',
        'TZ=0',
        '99999999999999999999 * * * *',
        '0  3 * * *',
        '1.5 * * * *',
        '+5 * * * *',
        '*-5 * * * *',
        '*/-1 * * * *',
        '/5 * * * *',
      ] as const
    ).map((schedule) => [`the schedule ${schedule}`, at(schedule)] as const),
    ...(
      [
        'Europe/Berlin',
        'UTC',
        'Etc/UTC',
        'Nowhere/City',
        'europe/berlin',
        '',
        'Local',
        '../x',
        '-x',
        'America/Argentina/Buenos_Aires',
        'GMT+5',
        'Etc/GMT+5',
        '+02:00',
        'EST5EDT',
        'US/Pacific',
        'Asia/Calcutta',
        'local',
      ] as const
    ).map((timeZone) => [`the time zone ${timeZone}`, zone(timeZone)] as const),
    ['a policy of concurrency that is none', cron({ concurrencyPolicy: 'X' })],
    [
      'negative numbers',
      cron({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
    ],
    [
      'a selector of Jobs',
      cron({
        jobTemplate: { spec: { selector: { matchLabels: { a: 'b' } }, manualSelector: true, template: template() } },
      }),
    ],
    ['no template', cron({ jobTemplate: {} })],
    [
      'a wrong template',
      cron({
        jobTemplate: {
          spec: { backoffLimit: -1, template: template({ restartPolicy: 'Always', containers: [{ name: 'A' }] }) },
        },
      }),
    ],
    [
      'conditions of failures',
      cron({
        jobTemplate: {
          spec: {
            podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'a' }] }] },
            template: template(),
          },
        },
      }),
    ],
    ['a name that is too long', cron({}, { name: 'a'.repeat(53) })],
    ['no schedule and a wrong template', cron({ schedule: '', jobTemplate: {} })],
  ],
  changes: [
    ['another schedule', cron(), { spec: { schedule: 'x' } }],
    ['another time zone', cron(), { spec: { timeZone: 'x' } }],
    ['to be suspended', cron(), { spec: { suspend: true } }],
    ['no schedule', cron(), { spec: { schedule: '' } }],
  ],
  statuses: [['a time', cron(), { spec: { suspend: true }, status: { lastScheduleTime: '2024-01-01T00:00:00Z' } }]],
};
