import { field, type KindGrammar } from './kind-grammar.js';

export const coordination: readonly KindGrammar[] = [
  {
    resource: 'coordination.k8s.io/v1/leases',
    kind: 'Lease',
    namespaced: true,
    bases: [
      { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, leaseTransitions: 0 } },
      {},
      {
        spec: {
          holderIdentity: 'me',
          acquireTime: '2020-01-01T00:00:00.000000Z',
          renewTime: '2020-01-01T00:00:01.500000Z',
        },
      },
    ],
    fields: [
      field('spec.holderIdentity', ['me', 'you', ''], [1, null]),
      field('spec.leaseDurationSeconds', [15, 1], [0, -1, 'x', 1.5]),
      field('spec.leaseTransitions', [0, 3], [-1, 'x']),
      field(
        'spec.acquireTime',
        ['2020-01-01T00:00:00.000000Z', '2020-01-01T02:00:00.123456+02:00'],
        ['yesterday', 5, '2020-01-01'],
      ),
      field('spec.renewTime', ['2020-02-01T00:00:00.5Z', '2020-02-01T00:00:00Z', null], ['x']),
      field('spec.strategy', [], ['OldestEmulationVersion', 'x']),
      field('spec.preferredHolder', [], ['you']),
    ],
  },
];
