import { field, type KindGrammar } from './kind-grammar.js';

const badSelectors = [
  { matchLabels: { 'a b': 'x' } },
  { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
  { matchExpressions: [{ key: 'a', operator: 'In' }] },
  { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
  'x',
];

export const policy: readonly KindGrammar[] = [
  {
    resource: 'policy/v1/poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    namespaced: true,
    bases: [
      { spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } },
      { spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'a' } } } },
      { spec: { selector: {} } },
    ],
    fields: [
      field('spec.minAvailable', [1, '50%', 0, '100%'], [-1, '150%', 'x', '50', true, 1.5]),
      field('spec.maxUnavailable', [], [1, '10%', -5, 'abc%']),
      field(
        'spec.selector',
        [{ matchLabels: { app: 'b' } }, { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] }],
        badSelectors,
      ),
      field('spec.unhealthyPodEvictionPolicy', ['IfHealthyBudget', 'AlwaysAllow'], ['Odd', 1]),
    ],
    status: [
      field('status.currentHealthy', [1, 0], [-1, 'x']),
      field('status.desiredHealthy', [1, 0], [-1]),
      field('status.expectedPods', [1, 2], ['x']),
      field('status.disruptionsAllowed', [0, 1], [-2]),
      field('status.observedGeneration', [1, 2], ['x']),
      field(
        'status.conditions',
        [
          [
            {
              type: 'DisruptionAllowed',
              status: 'True',
              reason: 'Enough',
              message: '',
              lastTransitionTime: '2020-01-01T00:00:00Z',
            },
          ],
        ],
        [[{ type: 'DisruptionAllowed', status: 'Odd' }], [{}]],
      ),
    ],
  },
  {
    resource: 'scheduling.k8s.io/v1/priorityclasses',
    kind: 'PriorityClass',
    namespaced: false,
    badNames: ['system-{ns}'],
    bases: [{ value: 1000 }, { value: -5, description: 'low', preemptionPolicy: 'Never' }],
    fields: [
      field('value', [1000, 2000, 0, -1], ['x', 1000000001, 1.5]),
      field('description', ['one', ''], [3, {}]),
      field('preemptionPolicy', ['Never', 'PreemptLowerPriority'], ['Odd', 1]),
      field('globalDefault', [false], ['x']),
    ],
  },
];
