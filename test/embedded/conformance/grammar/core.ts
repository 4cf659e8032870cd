import { field, type KindGrammar } from './kind-grammar.js';

export const core: readonly KindGrammar[] = [
  {
    resource: 'v1/configmaps',
    kind: 'ConfigMap',
    namespaced: true,
    weight: 2,
    bases: [{ data: { one: '1', two: '2' } }, {}, { data: { one: '1' }, binaryData: { bin: 'aGVsbG8=' } }],
    fields: [
      field('data.one', ['1', '2', ''], [1, true, null, {}, ['x']]),
      field('data.two', ['2', 'zwei\nDrei', '{"a":1}']),
      field('data.three', ['ä', '😀']),
      field(
        'data',
        [{}, { one: '1', four: '4' }],
        ['x', [], 3, { 'a b': 'x' }, { '..': 'x' }, { '': 'x' }, { 'a/b': 'y' }],
      ),
      field('binaryData.bin', ['aGVsbG8=', ''], ['!!!', 'a', 5]),
      field('binaryData.one', [], ['aGVsbG8=']),
      field('immutable', [true, false], ['yes', 1]),
      field('extra', [], ['unknown', 1]),
    ],
  },
  {
    resource: 'v1/secrets',
    kind: 'Secret',
    namespaced: true,
    fieldSelectors: ['type=Opaque', 'type!=kubernetes.io/tls'],
    bases: [
      { data: { password: 'c2VjcmV0' } },
      { stringData: { user: 'me' }, type: 'Opaque' },
      { type: 'kubernetes.io/basic-auth', data: { username: 'bWU=', password: 'c2VjcmV0' } },
    ],
    fields: [
      field('data.password', ['c2VjcmV0', 'YQ==', ''], ['not base64!', 7, 'YQ', null]),
      field('stringData.user', ['me', 'you', ''], [1, {}]),
      field('stringData.password', ['plain']),
      field('data', [{}, { a: 'YQ==' }], [[], 'x', { 'bad key': 'YQ==' }]),
      field('immutable', [true, false], ['no']),
      field(
        'type',
        ['Opaque', 'example.com/own'],
        [
          'kubernetes.io/tls',
          'kubernetes.io/dockerconfigjson',
          'kubernetes.io/ssh-auth',
          'kubernetes.io/service-account-token',
          'kubernetes.io/dockercfg',
          3,
        ],
      ),
    ],
  },
  {
    resource: 'v1/serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
    bases: [
      {},
      { secrets: [{ name: 'one' }], imagePullSecrets: [{ name: 'pull' }], automountServiceAccountToken: false },
    ],
    fields: [
      field('automountServiceAccountToken', [true, false], ['x', 1]),
      field(
        'secrets',
        [[{ name: 'one' }, { name: 'two' }], [], [{ name: 'one', namespace: 'x' }]],
        ['x', [{ name: 1 }], [{}]],
      ),
      field(
        'imagePullSecrets',
        [[{ name: 'pull' }], [{ name: 'pull' }, { name: 'other' }], []],
        [{}, [{ name: 'a' }, { name: 'a' }]],
      ),
    ],
  },
  {
    resource: 'v1/limitranges',
    kind: 'LimitRange',
    namespaced: true,
    bases: [
      {
        spec: {
          limits: [{ type: 'Container', default: { cpu: '500m' }, defaultRequest: { cpu: '100m' }, max: { cpu: '1' } }],
        },
      },
      { spec: { limits: [{ type: 'Pod', max: { memory: '1Gi' }, min: { memory: '1Mi' } }] } },
    ],
    fields: [
      field('spec.limits.0.type', ['Container'], ['Nothing', 1, null, 'PersistentVolumeClaim']),
      field('spec.limits.0.max.cpu', ['1', '2000m', 2, '1500m'], ['-1', 'x', {}, '50m']),
      field('spec.limits.0.min.cpu', ['10m', 0.01], ['4', 'abc']),
      field('spec.limits.0.default.cpu', ['500m', '0.5'], ['8', '5m']),
      field('spec.limits.0.defaultRequest', [{ cpu: '100m', memory: '128Mi' }], ['x', { 'bad resource': '1' }]),
      field('spec.limits.0.maxLimitRequestRatio.cpu', ['2', 10], ['0.5', -1]),
      field('spec.limits', [[], [{ type: 'Container' }]], [{}, [{ type: 'Container' }, { type: 'Container' }], [{}]]),
    ],
  },
  {
    resource: 'v1/namespaces',
    kind: 'Namespace',
    namespaced: false,
    weight: 0.7,
    fieldSelectors: ['status.phase=Active'],
    badNames: ['{ns}.dot'],
    bases: [{}, { spec: { finalizers: ['kubernetes'] } }],
    fields: [
      field('spec.finalizers', [['kubernetes'], ['example.com/own', 'kubernetes'], []], [['bad'], 'x', ['a b/c']]),
      field('status.phase', ['Active', 'Terminating'], ['x', 1]),
    ],
    status: [
      field('status.phase', ['Active'], ['Terminating', 'Odd', 1]),
      field(
        'status.conditions',
        [[], [{ type: 'Own', status: 'True', reason: 'R', message: 'm' }]],
        [{}, [{ type: 'Own' }], [1]],
      ),
    ],
  },
];
