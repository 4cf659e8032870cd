import { field, type KindGrammar } from './kind-grammar.js';

const backend = { service: { name: 'web', port: { number: 80 } } };

export const networking: readonly KindGrammar[] = [
  {
    resource: 'networking.k8s.io/v1/ingresses',
    kind: 'Ingress',
    namespaced: true,
    bases: [
      { spec: { rules: [{ host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] } },
      { spec: { defaultBackend: backend } },
      {
        spec: {
          ingressClassName: 'nginx',
          tls: [{ hosts: ['a.example.com'], secretName: 'cert' }],
          rules: [{ host: '*.example.com', http: { paths: [{ path: '/x', pathType: 'Exact', backend }] } }],
        },
      },
    ],
    fields: [
      field('spec.rules.0.host', ['b.example.com', '*.example.com', ''], ['BAD', '1.2.3.4', '*', 'a.*.com', 5]),
      field('spec.rules.0.http.paths.0.path', ['/', '/a/b'], ['no-slash', '', '/a//b', '/a/../b', '/%2f', 3]),
      field('spec.rules.0.http.paths.0.pathType', ['Prefix', 'Exact', 'ImplementationSpecific'], ['Odd', '', null, 1]),
      field(
        'spec.rules.0.http.paths.0.backend.service.port',
        [{ number: 8080 }, { name: 'http' }],
        [{}, { number: 0 }, { number: 70000 }, { name: 'Bad Name' }, { name: 'http', number: 80 }],
      ),
      field('spec.rules.0.http.paths.0.backend.service.name', ['web', 'other'], ['', 'Bad_Name', 9]),
      field(
        'spec.rules.0.http.paths.0.backend',
        [{ resource: { apiGroup: 'example.com', kind: 'Store', name: 's' } }],
        [{}, { ...backend, resource: { kind: 'Store', name: 's' } }],
      ),
      field('spec.rules.0.http.paths', [], [[], 'x']),
      field('spec.rules', [], [[], [{}], 'x', [{ host: 'a.example.com' }, { host: 'a.example.com' }]]),
      field('spec.defaultBackend', [backend], [{}, { service: { name: 'web' } }]),
      field('spec.ingressClassName', ['nginx', 'other'], ['Bad Class', '', 3]),
      field(
        'spec.tls',
        [[{ hosts: ['a.example.com'] }], []],
        [[{ hosts: ['BAD'] }], [{ hosts: ['a.b'], secretName: 'Bad Name' }], 'x'],
      ),
    ],
    status: [
      field(
        'status.loadBalancer.ingress',
        [[{ ip: '192.0.2.1' }], [{ hostname: 'x.example.com' }], []],
        [[{ ip: 'x' }], [{ hostname: '1.2.3.4' }], [{ ip: '192.0.2.1', ports: [{ port: 80, protocol: 'Odd' }] }], 'x'],
      ),
    ],
  },
  {
    resource: 'networking.k8s.io/v1/networkpolicies',
    kind: 'NetworkPolicy',
    namespaced: true,
    bases: [
      { spec: { podSelector: {} } },
      {
        spec: {
          podSelector: { matchLabels: { app: 'a' } },
          policyTypes: ['Ingress', 'Egress'],
          ingress: [{ from: [{ podSelector: { matchLabels: { app: 'b' } } }], ports: [{ port: 80 }] }],
          egress: [{ to: [{ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.8/32'] } }] }],
        },
      },
    ],
    fields: [
      field('spec.podSelector', [{ matchLabels: { app: 'b' } }, {}], [{ matchLabels: { 'a b': 'c' } }, 'x']),
      field(
        'spec.policyTypes',
        [['Ingress'], ['Ingress', 'Egress'], []],
        [['Odd'], ['Ingress', 'Ingress', 'Egress'], 'x'],
      ),
      field(
        'spec.ingress',
        [[], [{}], [{ ports: [{ port: 'http', protocol: 'TCP' }] }]],
        [
          [{ from: [{}] }],
          [{ ports: [{ port: 0 }] }],
          [{ ports: [{ protocol: 'Odd', port: 80 }] }],
          [{ ports: [{ port: 'Bad Name' }] }],
          [{ ports: [{ port: 80, endPort: 70 }] }],
          [{ ports: [{ endPort: 70 }] }],
          [{ from: [{ podSelector: {}, ipBlock: { cidr: '192.0.2.0/24' } }] }],
          [{ from: [{ ipBlock: { cidr: 'x' } }] }],
          [{ from: [{ ipBlock: { cidr: '192.0.2.0/24', except: ['10.0.0.0/8'] } }] }],
          'x',
        ],
      ),
      field(
        'spec.egress',
        [[], [{ to: [{ namespaceSelector: {} }], ports: [{ port: 32000, endPort: 32768 }] }]],
        [[{ to: [{}] }], [{ to: [{ namespaceSelector: { matchLabels: { 'a b': 'x' } } }] }]],
      ),
    ],
  },
];
