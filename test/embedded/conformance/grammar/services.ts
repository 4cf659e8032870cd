import { field, type KindGrammar } from './kind-grammar.js';

export const services: readonly KindGrammar[] = [
  {
    resource: 'v1/services',
    kind: 'Service',
    namespaced: true,
    weight: 2,
    badNames: ['1abc', 'a.b'],
    bases: [
      { spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
      {
        spec: {
          selector: { app: 'a' },
          ports: [
            { name: 'http', port: 80, targetPort: 'web' },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        },
      },
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
      { spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80 }] } },
      { spec: { type: 'NodePort', selector: { app: 'a' }, ports: [{ port: 80, targetPort: 8080 }] } },
    ],
    fields: [
      field('spec.type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'], ['Odd', 1, '']),
      field('spec.selector', [{ app: 'a' }, { app: 'b', tier: 'web' }, {}], ['x', { 'a b': 'c' }, { app: 1 }]),
      field('spec.selector.app', ['a', 'b'], ['not a label!', 7]),
      field('spec.ports.0.port', [80, 443, 8080], [0, 65536, '80', -1, 1.5]),
      field(
        'spec.ports.0.targetPort',
        [80, 'web', 8080, '80'],
        [0, 70000, 'UPPER', '', 'a-name-that-is-too-long', true],
      ),
      field('spec.ports.0.protocol', ['TCP', 'UDP', 'SCTP'], ['ICMP', 'tcp', '', 6]),
      field('spec.ports.0.name', ['http', 'web'], ['Bad Name', 'under_score', 4]),
      field('spec.ports.0.appProtocol', ['http', 'example.com/own'], ['bad protocol!']),
      field('spec.ports.0.nodePort', [], [80, -1, 99999, 'x']),
      field(
        'spec.ports',
        [
          [{ port: 80 }],
          [
            { name: 'a', port: 80 },
            { name: 'b', port: 81 },
          ],
        ],
        [
          [],
          [{ port: 80 }, { port: 81 }],
          [
            { name: 'a', port: 80 },
            { name: 'b', port: 80 },
          ],
          [
            { name: 'a', port: 80 },
            { name: 'a', port: 81 },
          ],
          [{}],
          'x',
          [
            { name: 'a', port: 80, protocol: 'TCP' },
            { name: 'b', port: 80, protocol: 'UDP' },
          ],
        ],
      ),
      field('spec.clusterIP', ['None'], ['1.2.3.4', 'nonsense', '10.1.0.0.1', 'fd00::1', '']),
      field('spec.clusterIPs', [['None']], [['1.2.3.4'], [], 'x', ['None', 'None']]),
      field('spec.externalIPs', [['192.0.2.1'], []], [['x'], ['127.0.0.1'], ['0.0.0.0'], 'x']),
      field('spec.externalName', ['example.com'], ['not a name!', '1.2.3.4.', '']),
      field('spec.externalTrafficPolicy', ['Cluster', 'Local'], ['Odd']),
      field('spec.internalTrafficPolicy', ['Cluster', 'Local'], ['Odd', '']),
      field('spec.sessionAffinity', ['None', 'ClientIP'], ['Odd']),
      field(
        'spec.sessionAffinityConfig',
        [{ clientIP: { timeoutSeconds: 600 } }],
        [{ clientIP: { timeoutSeconds: 0 } }, { clientIP: { timeoutSeconds: 100000 } }],
      ),
      field('spec.ipFamilyPolicy', ['SingleStack', 'PreferDualStack'], ['RequireDualStack', 'Odd']),
      field('spec.ipFamilies', [['IPv4']], [['IPv6'], ['IPv5'], ['IPv4', 'IPv4']]),
      field('spec.loadBalancerIP', ['192.0.2.1'], ['x']),
      field('spec.loadBalancerSourceRanges', [['192.0.2.0/24']], [['x'], ['192.0.2.0']]),
      field('spec.loadBalancerClass', ['example.com/lb'], ['bad class!']),
      field('spec.publishNotReadyAddresses', [true, false], ['x']),
      field('spec.allocateLoadBalancerNodePorts', [true, false], [1]),
      field('spec.healthCheckNodePort', [], [80, -1]),
      field('spec.trafficDistribution', ['PreferClose', 'PreferSameZone'], ['Odd']),
    ],
    status: [
      field(
        'status.loadBalancer.ingress',
        [[{ ip: '192.0.2.9' }], [{ hostname: 'lb.example.com' }], []],
        [[{ ip: 'x' }], [{ hostname: '1.2.3.4' }], {}],
      ),
      field(
        'status.conditions',
        [[{ type: 'Ready', status: 'True', reason: 'Ok', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' }]],
        [[{ type: 'Ready', status: 'Odd' }], [{}]],
      ),
    ],
  },
];
