// Longer than most files: tables of bodies, one for each kind that says how much of what is used when.
import type { Judged } from './judged.js';

const limits = (fields: object) => ({
  metadata: { name: 'lim' },
  spec: { limits: [{ type: 'Container', ...fields }] },
});

export const limitRanges: Judged = {
  kind: 'LimitRange',
  bodies: [
    ['the most and the least', limits({ max: { cpu: '2' }, min: { cpu: '1', memory: '1Gi' } })],
    ['nothing', { metadata: { name: 'lim' } }],
    ['less than a thousandth', limits({ max: { cpu: '0.5m' }, maxLimitRequestRatio: { cpu: '1u' } })],
    ['a bad type', limits({ type: 'a b' })],
    ['a type that is none', limits({ type: 'Machine' })],
    ['a type twice', { metadata: { name: 'lim' }, spec: { limits: [{ type: 'Pod' }, { type: 'Pod' }] } }],
    ['a bad resource', limits({ max: { 'a b': '1' } })],
    ['a resource that is none', limits({ max: { disk: '1' } })],
    ['a resource that is not of containers', limits({ max: { storage: '1' } })],
    ['more at least than at most', limits({ min: { cpu: '2' }, max: { cpu: '1' } })],
    ['a default above the most', limits({ default: { cpu: '3' }, max: { cpu: '2' } })],
    ['a default below the least', limits({ default: { cpu: '1' }, min: { cpu: '2' } })],
    ['a request above the limit', limits({ default: { cpu: '1' }, defaultRequest: { cpu: '2' } })],
    ['a request below the least', limits({ defaultRequest: { cpu: '1' }, min: { cpu: '2' } })],
    ['a request above the most', limits({ defaultRequest: { cpu: '3' }, default: { cpu: '3' }, max: { cpu: '2' } })],
    ['a ratio below one', limits({ maxLimitRequestRatio: { cpu: '500m' } })],
    ['a ratio that cannot be', limits({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } })],
    ['defaults of Pods', limits({ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } })],
    ['claims without storage', limits({ type: 'PersistentVolumeClaim' })],
    ['claims', limits({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } })],
    ['a resource that is not shared', limits({ default: { 'a.b/gpu': '2' }, defaultRequest: { 'a.b/gpu': '1' } })],
  ],
  changes: [
    ['of the most', limits({ max: { cpu: '1' } }), { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }],
  ],
};

const quota = (fields: object) => ({ metadata: { name: 'quo' }, spec: fields });
const scope = (fields: object) => quota({ hard: { pods: '1' }, scopeSelector: { matchExpressions: [fields] } });

export const resourceQuotas: Judged = {
  kind: 'ResourceQuota',
  bodies: [
    ['nothing', { metadata: { name: 'quo' } }],
    ['what there is', quota({ hard: { pods: '1', cpu: '500m', 'requests.storage': '1Gi', 'count/a.b': '2' } })],
    ['less than a thousandth', quota({ hard: { cpu: '0.5m', memory: '1u' } })],
    ['half a Pod', quota({ hard: { pods: '500m' } })],
    ['less than nothing', quota({ hard: { cpu: '-1' } })],
    ['a resource that is none', quota({ hard: { disk: '1' } })],
    ['a resource that has no quota', quota({ hard: { storage: '1' } })],
    ['a scope', quota({ hard: { pods: '1' }, scopes: ['BestEffort'] })],
    ['a bad scope', quota({ scopes: ['Some'] })],
    ['a scope that does not fit', quota({ hard: { cpu: '1' }, scopes: ['BestEffort'] })],
    [
      'scopes that exclude each other',
      quota({ scopes: ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'] }),
    ],
    ['a selected scope', scope({ scopeName: 'PriorityClass', operator: 'In', values: ['a'] })],
    ['a selected scope without values', scope({ scopeName: 'PriorityClass', operator: 'In' })],
    ['a selected scope with values', scope({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] })],
    ['a selected scope that only exists', scope({ scopeName: 'BestEffort', operator: 'In', values: ['a'] })],
    ['a bad selected scope', scope({ scopeName: 'Some', operator: 'Is' })],
    [
      'a selected scope that does not fit',
      quota({
        hard: { cpu: '1' },
        scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] },
      }),
    ],
  ],
  changes: [
    ['of the scope', quota({ scopes: ['BestEffort'] }), { spec: { scopes: ['NotBestEffort'] } }],
    ['of the amount', quota({ hard: { pods: '1' } }), { spec: { hard: { pods: '2' } } }],
  ],
  statuses: [
    ['what is used', quota({ hard: { pods: '1' } }), { status: { hard: { pods: '1' }, used: { pods: '1' } } }],
  ],
};

const budget = (fields: object) => ({ metadata: { name: 'pdb' }, spec: fields });

export const podDisruptionBudgets: Judged = {
  kind: 'PodDisruptionBudget',
  bodies: [
    ['the least', budget({ minAvailable: 1 })],
    ['the most', budget({ maxUnavailable: '50%', selector: { matchLabels: { a: 'b' } } })],
    ['nothing', { metadata: { name: 'pdb' } }],
    [
      'both',
      budget({
        minAvailable: 1,
        maxUnavailable: '5%',
        selector: { matchLabels: { a: 'b' } },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      }),
    ],
    [
      'both, with expressions',
      budget({
        minAvailable: 1,
        maxUnavailable: 1,
        selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
      }),
    ],
    ['less than nothing', budget({ minAvailable: -1 })],
    ['a bad percentage', budget({ minAvailable: 'half' })],
    ['more than all', budget({ maxUnavailable: '101%' })],
    ['a bad selector', budget({ minAvailable: 1, selector: { matchLabels: { a: 'b c' } } })],
    ['a bad policy', budget({ minAvailable: 1, unhealthyPodEvictionPolicy: 'Never' })],
    ['a name with dots', { metadata: { name: 'a.b' }, spec: { minAvailable: 1 } }],
  ],
  changes: [
    ['of the least', budget({ minAvailable: 1 }), { spec: { minAvailable: 2 } }],
    ['from the least to the most', budget({ minAvailable: 1 }), { spec: { minAvailable: null, maxUnavailable: 1 } }],
    [
      'of the selector',
      budget({ minAvailable: 1, selector: { matchLabels: { a: 'b' } } }),
      { spec: { selector: { matchLabels: { a: 'c' } } } },
    ],
    ['without a version', budget({ minAvailable: 1 }), { metadata: { resourceVersion: null } }],
  ],
  statuses: [['less than nothing', budget({ minAvailable: 1 }), { status: { currentHealthy: -1 } }]],
};

const scaler = (fields: object) => ({
  metadata: { name: 'hpa' },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...fields },
});
const metric = (fields: object) => scaler({ metrics: [fields] });
const utilization = { type: 'Utilization', averageUtilization: 50 };

export const horizontalPodAutoscalers: Judged = {
  kind: 'HorizontalPodAutoscaler',
  bodies: [
    ['the most', scaler({})],
    ['nothing', { metadata: { name: 'hpa' } }],
    ['none at most', scaler({ maxReplicas: 0 })],
    ['less than none at most', scaler({ maxReplicas: -1 })],
    ['none at least', scaler({ minReplicas: 0 })],
    ['more at least than at most', scaler({ minReplicas: 4 })],
    ['a target of no group', scaler({ scaleTargetRef: { apiVersion: 'v1', kind: 'Pod', name: 'web' } })],
    [
      'a target of the core group',
      scaler({ scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'web' } }),
    ],
    ['a bad target', scaler({ scaleTargetRef: { apiVersion: 'a/b/c', kind: 'a/b', name: '..' } })],
    ['a behaviour', scaler({ behavior: { scaleUp: { stabilizationWindowSeconds: 30 }, scaleDown: {} } })],
    ['an empty behaviour', scaler({ behavior: {} })],
    [
      'a bad behaviour',
      scaler({
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 3601,
            selectPolicy: 'Any',
            policies: [
              { type: 'All', value: 0, periodSeconds: 0 },
              { type: 'Pods', value: 1, periodSeconds: 1801 },
            ],
          },
        },
      }),
    ],
    [
      'a behaviour that is less than nothing',
      scaler({ behavior: { scaleDown: { stabilizationWindowSeconds: -1, tolerance: '-1' } } }),
    ],
    [
      'a resource',
      metric({ type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } }),
    ],
    ['a resource without a name', metric({ type: 'Resource', resource: { name: '', target: utilization } })],
    ['a resource without a target', metric({ type: 'Resource', resource: { name: 'cpu' } })],
    [
      'a resource with two targets',
      metric({ type: 'Resource', resource: { name: 'cpu', target: { ...utilization, averageValue: '1' } } }),
    ],
    [
      'a resource with a target of nothing',
      metric({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }),
    ],
    [
      'a resource of a container',
      metric({ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'web', target: utilization } }),
    ],
    [
      'a bad resource of a container',
      metric({ type: 'ContainerResource', containerResource: { name: 'disk', container: 'A', target: utilization } }),
    ],
    [
      'a metric of Pods',
      metric({ type: 'Pods', pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1' } } }),
    ],
    [
      'a bad metric of Pods',
      metric({ type: 'Pods', pods: { metric: { name: 'a/b' }, target: { type: 'Total', averageValue: '0' } } }),
    ],
    [
      'a metric of Pods without a value',
      metric({ type: 'Pods', pods: { metric: { name: '' }, target: { type: 'Value', value: '-1' } } }),
    ],
    [
      'a metric of an object',
      metric({
        type: 'Object',
        object: {
          describedObject: { kind: 'Service', name: 'web' },
          metric: { name: 'a' },
          target: { type: 'Value', value: '1' },
        },
      }),
    ],
    [
      'a bad metric of an object',
      metric({
        type: 'Object',
        object: { describedObject: { apiVersion: 'a/b/c' }, metric: { name: 'a' }, target: { type: 'Value' } },
      }),
    ],
    [
      'a metric from outside',
      metric({ type: 'External', external: { metric: { name: 'a' }, target: { type: 'Value', value: '1' } } }),
    ],
    [
      'a metric from outside with two values',
      metric({
        type: 'External',
        external: { metric: { name: 'a' }, target: { type: 'Value', value: '1', averageValue: '1' } },
      }),
    ],
    ['a metric of no type', metric({ resource: { name: 'cpu', target: utilization } })],
    ['a metric of another type', metric({ type: 'Pods', resource: { name: 'cpu', target: utilization } })],
    [
      'a metric of two types',
      metric({
        type: 'Resource',
        resource: { name: 'cpu', target: utilization },
        pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1' } },
      }),
    ],
    ['a metric of nothing', metric({ type: 'Resource' })],
  ],
  changes: [
    ['of the most', scaler({}), { spec: { maxReplicas: 4 } }],
    ['of the target', scaler({}), { spec: { scaleTargetRef: { apiVersion: 'v1', kind: 'Pod', name: 'web' } } }],
    ['to none at least', scaler({}), { spec: { minReplicas: 0 } }],
  ],
  statuses: [['less than none', scaler({}), { status: { desiredReplicas: -1, currentReplicas: -1 } }]],
};

const lease = (fields: object) => ({ metadata: { name: 'lock' }, spec: fields });

export const leases: Judged = {
  kind: 'Lease',
  bodies: [
    ['nothing', { metadata: { name: 'lock' } }],
    ['a holder', lease({ holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' })],
    ['no time', lease({ leaseDurationSeconds: 0 })],
    ['less than no changes', lease({ leaseTransitions: -1 })],
    ['a strategy', lease({ strategy: 'OldestEmulationVersion', preferredHolder: 'a' })],
    ['a bad strategy', lease({ strategy: 'Youngest' })],
    ['a strategy of somebody', lease({ strategy: 'a.b/c' })],
    ['a bad strategy of somebody', lease({ strategy: 'a b/c' })],
    ['a preference without a strategy', lease({ preferredHolder: 'a' })],
  ],
  changes: [
    ['of the holder', lease({ holderIdentity: 'a' }), { spec: { holderIdentity: 'b' } }],
    ['without a version', lease({}), { metadata: { resourceVersion: null } }],
  ],
};

const priority = (fields: object) => ({ metadata: { name: 'prio' }, value: 1, ...fields });

export const priorityClasses: Judged = {
  kind: 'PriorityClass',
  bodies: [
    ['a value', priority({})],
    ['no value', { metadata: { name: 'prio' } }],
    ['too high a value', priority({ value: 1_000_000_001 })],
    ['a bad policy', priority({ preemptionPolicy: 'Always' })],
    ['a name of the system', { metadata: { name: 'system-a' }, value: 1 }],
    ['a name of the system with another value', { metadata: { name: 'system-node-critical' }, value: 1 }],
  ],
  changes: [
    ['of the value', priority({}), { value: 2 }],
    ['of the policy', priority({}), { preemptionPolicy: 'Never' }],
    ['of the description', priority({}), { description: 'a' }],
  ],
};

const runtime = (fields: object) => ({ metadata: { name: 'run' }, handler: 'a', ...fields });

export const runtimeClasses: Judged = {
  kind: 'RuntimeClass',
  bodies: [
    ['a handler', runtime({})],
    ['no handler', runtime({ handler: '' })],
    ['a bad handler', runtime({ handler: 'A.b' })],
    ['an overhead', runtime({ overhead: { podFixed: { cpu: '100m' } } })],
    ['a bad overhead', runtime({ overhead: { podFixed: { disk: '1' } } })],
    ['nodes', runtime({ scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] } })],
    ['bad nodes', runtime({ scheduling: { nodeSelector: { a: 'b c' }, tolerations: [{ operator: 'Is' }] } })],
    [
      'tolerations twice',
      runtime({
        scheduling: {
          tolerations: [
            { key: 'a', operator: 'Exists' },
            { key: 'a', operator: 'Exists' },
          ],
        },
      }),
    ],
  ],
  changes: [['of the handler', runtime({}), { handler: 'b' }]],
};
