import { field, type KindGrammar } from './kind-grammar.js';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };

export const autoscaling: readonly KindGrammar[] = [
  {
    resource: 'autoscaling/v2/horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
    bases: [
      { spec: { scaleTargetRef, maxReplicas: 5 } },
      { spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, metrics: [cpu] } },
      {
        spec: {
          scaleTargetRef,
          maxReplicas: 3,
          metrics: [
            { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '100' } } },
          ],
          behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
        },
      },
    ],
    fields: [
      field('spec.minReplicas', [1, 2, 3], [0, -1, 10, 'x']),
      field('spec.maxReplicas', [5, 6], [0, -1, 'x', null]),
      field('spec.scaleTargetRef.name', ['a', 'b'], ['', 'a/b', 1]),
      field('spec.scaleTargetRef.kind', ['Deployment', 'StatefulSet'], ['', 'a/b']),
      field('spec.scaleTargetRef', [], [{}, 'x', { kind: 'Deployment' }]),
      field(
        'spec.metrics',
        [[cpu], []],
        [
          [{ type: 'Odd' }],
          [{ type: 'Resource' }],
          [{}],
          [{ ...cpu, pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1' } } }],
          [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }],
          [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }],
          [{ type: 'External', external: { metric: { name: '' }, target: { type: 'Value', value: '1' } } }],
          [
            {
              type: 'Object',
              object: {
                describedObject: { kind: 'Service', name: 'x' },
                metric: { name: 'm' },
                target: { type: 'Value', value: '-1' },
              },
            },
          ],
          [
            {
              type: 'ContainerResource',
              containerResource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
          'x',
        ],
      ),
      field(
        'spec.behavior.scaleUp',
        [
          { stabilizationWindowSeconds: 0 },
          { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }], selectPolicy: 'Min' },
        ],
        [
          { stabilizationWindowSeconds: 4000 },
          { policies: [] },
          { policies: [{ type: 'Odd', value: 1, periodSeconds: 1 }] },
          { policies: [{ type: 'Pods', value: 0, periodSeconds: 5000 }] },
          { selectPolicy: 'Odd' },
          { tolerance: '-1' },
        ],
      ),
      field('spec.behavior.scaleDown.policies', [[{ type: 'Percent', value: 10, periodSeconds: 60 }]], [[{}], 'x']),
    ],
    status: [
      field('status.currentReplicas', [1, 2], [-1, 'x']),
      field('status.desiredReplicas', [1, 2], [-1]),
      field('status.observedGeneration', [1], ['x']),
      field(
        'status.currentMetrics',
        [[{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 5, averageValue: '5m' } } }], []],
        ['x'],
      ),
      field(
        'status.conditions',
        [[{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }], []],
        [{}],
      ),
    ],
  },
];
