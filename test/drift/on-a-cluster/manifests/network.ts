import { EndpointSlice, Endpoints, Ingress, IngressClass, NetworkPolicy, Service } from '../../../../imports/k8s.js';
import { casesOf, type ManifestCase } from './manifest-case.js';

const selector = { app: 'x' };

export const network: readonly ManifestCase[] = [
  ...casesOf(Service, {
    'with one port': { spec: { selector, ports: [{ port: 80 }] } },
    'with a target by name': { spec: { selector, ports: [{ port: 80, targetPort: 'http' }] } },
    'with one number in two protocols, in reverse': {
      spec: {
        selector,
        ports: [
          { name: 'dns-udp', port: 53, protocol: 'UDP', targetPort: 5353 },
          { name: 'dns', port: 53 },
          { name: 'alpha', port: 1, appProtocol: 'kubernetes.io/h2c' },
        ],
      },
    },
    'without a cluster IP': { spec: { clusterIP: 'None', selector, ports: [{ port: 80 }] } },
    'without a cluster IP, for Pods that are not ready': {
      spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector },
    },
    'with an empty cluster IP': { spec: { clusterIP: '', clusterIPs: [], selector, ports: [{ port: 80 }] } },
    'on every node': { spec: { type: 'NodePort', selector, ports: [{ port: 80, nodePort: 0 }] } },
    'with a balancer': {
      spec: {
        type: 'LoadBalancer',
        selector,
        ports: [{ port: 443 }],
        loadBalancerSourceRanges: ['10.0.0.0/8', '192.168.0.0/16'],
        externalTrafficPolicy: 'Local',
        allocateLoadBalancerNodePorts: false,
      },
    },
    'with a name elsewhere': { spec: { type: 'ExternalName', externalName: 'example.com' } },
    'without a selector': { spec: { selector: {}, ports: [{ port: 80 }] } },
    'with affinity': {
      spec: {
        selector,
        ports: [{ port: 80 }],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: {} },
        externalIPs: ['192.0.2.7', '192.0.2.1'],
      },
    },
    'with policies of families': {
      spec: { selector, ports: [{ port: 80 }], ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] },
    },
    'with nulls and false': {
      spec: {
        selector,
        ports: [{ port: 80, name: '', targetPort: null }],
        sessionAffinity: null,
        externalIPs: null,
        publishNotReadyAddresses: false,
      },
    },
  }),
  ...casesOf(Ingress, {
    'with a backend alone': { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
    'with rules and a certificate': {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['b.example.com', 'a.example.com'], secretName: 's' }, {}],
        rules: [
          {
            host: 'b.example.com',
            http: {
              paths: [
                { path: '/b', pathType: 'Prefix', backend: { service: { name: 'b', port: { name: 'http' } } } },
                { pathType: 'ImplementationSpecific', backend: { service: { name: 'a', port: { number: 1 } } } },
              ],
            },
          },
          { host: '*.example.com' },
          {},
        ],
      },
    },
    'with empty lists': {
      metadata: { annotations: { 'nginx.ingress.kubernetes.io/rewrite-target': '' } },
      spec: { tls: [], rules: [], defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
    },
  }),
  ...casesOf(IngressClass, {
    'with parameters': {
      spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'P', name: 'p' } },
    },
    'with nothing but a controller': { spec: { controller: 'example.com/c', parameters: null } },
  }),
  ...casesOf(NetworkPolicy, {
    'that denies all': { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } },
    'that says nothing of its types': { spec: { podSelector: { matchLabels: selector } } },
    'with an empty list of rules': { spec: { podSelector: {}, ingress: [], policyTypes: ['Ingress'] } },
    'with an empty rule': { spec: { podSelector: {}, ingress: [{}], egress: [{ to: [], ports: [] }] } },
    'with peers and ports': {
      spec: {
        podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        egress: [
          {
            ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }, { port: 'http' }, { port: 1000, endPort: 2000 }],
            to: [
              { namespaceSelector: {} },
              { podSelector: {}, namespaceSelector: { matchLabels: { a: 'b' } } },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
          },
        ],
      },
    },
  }),
  ...casesOf(EndpointSlice, {
    'with addresses': {
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['192.0.2.1'], conditions: {} },
        { addresses: ['192.0.2.2'], conditions: { ready: true } },
      ],
      ports: [{ port: 80 }, { name: 'x', port: 81, protocol: 'UDP' }],
    },
    'without ports': { addressType: 'FQDN', endpoints: [], ports: [] },
  }),
  ...casesOf(Endpoints, {
    'with two subsets': {
      subsets: [
        { addresses: [{ ip: '192.0.2.9' }, { ip: '192.0.2.3' }], ports: [{ name: 'a', port: 80 }] },
        { addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 1 }] },
      ],
    },
  }),
];
