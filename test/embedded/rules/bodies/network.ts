import type { Judged } from './judged.js';

const endpoint = (fields: object, more: object = {}) => ({
  metadata: { name: 'web' },
  subsets: [{ addresses: [{ ip: '1.2.3.4', ...fields }], ports: [{ port: 80 }], ...more }],
});

export const endpoints: Judged = {
  kind: 'Endpoints',
  bodies: [
    ['an address', endpoint({})],
    ['nothing', { metadata: { name: 'web' } }],
    ['no addresses', { metadata: { name: 'web' }, subsets: [{ ports: [{ port: 80 }] }] }],
    ['a bad address', endpoint({ ip: 'x' })],
    ['an address with zeros', endpoint({ ip: '01.2.3.4' })],
    ['a loop', endpoint({ ip: '127.0.0.1' })],
    ['a bad host', endpoint({ hostname: 'a.b' })],
    ['a bad node', endpoint({ nodeName: 'a_b' })],
    ['two ports without names', endpoint({}, { ports: [{ port: 80 }, { port: 81 }] })],
    ['bad ports', endpoint({}, { ports: [{ port: 0, name: 'A', protocol: 'X', appProtocol: 'a b' }] })],
    ['an address that is not ready', { metadata: { name: 'web' }, subsets: [{ notReadyAddresses: [{ ip: '::1' }] }] }],
  ],
  changes: [['to another address', endpoint({}), { subsets: [{ addresses: [{ ip: 'x' }] }] }]],
};

const slice = (fields: object, each: object = {}) => ({
  metadata: { name: 'web' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['1.2.3.4'], ...each }],
  ports: [{ port: 80 }],
  ...fields,
});

export const endpointSlices: Judged = {
  kind: 'EndpointSlice',
  bodies: [
    ['an address', slice({})],
    ['nothing but a type', { metadata: { name: 'web' }, addressType: 'IPv6' }],
    ['no type', slice({ addressType: undefined, endpoints: [] })],
    ['a type that is none', slice({ addressType: 'IPv5' })],
    ['no addresses', slice({}, { addresses: [] })],
    ['a bad address', slice({}, { addresses: ['x'] })],
    ['an address of the other family', slice({}, { addresses: ['fd00::1'] })],
    ['a loop', slice({}, { addresses: ['127.0.0.1'] })],
    ['IPv6', slice({ addressType: 'IPv6' }, { addresses: ['fd00::1'] })],
    ['IPv6 that is not canonical', slice({ addressType: 'IPv6' }, { addresses: ['FD00::1'] })],
    ['IPv4 among IPv6', slice({ addressType: 'IPv6' }, { addresses: ['1.2.3.4'] })],
    ['a domain', slice({ addressType: 'FQDN' }, { addresses: ['example.com.'] })],
    ['a domain of one part', slice({ addressType: 'FQDN' }, { addresses: ['example'] })],
    ['a bad domain', slice({ addressType: 'FQDN' }, { addresses: ['a_b.c'] })],
    ['too many addresses', slice({}, { addresses: Array.from({ length: 101 }, (_, index) => `1.2.3.${index}`) })],
    ['ports of one name', slice({ ports: [{ port: 80 }, { port: 81 }] })],
    ['bad ports', slice({ ports: [{ port: 80, name: 'A', protocol: 'X', appProtocol: 'a b' }] })],
    ['a bad host and node', slice({}, { hostname: 'a.b', nodeName: 'a_b' })],
    ['hints', slice({}, { hints: { forZones: [{ name: 'a' }], forNodes: [{ name: 'b' }] } })],
    ['hints twice', slice({}, { hints: { forZones: [{ name: 'a' }, { name: 'a' }] } })],
    [
      'too many hints',
      slice({}, { hints: { forZones: Array.from({ length: 9 }, (_, index) => ({ name: `z${index}` })) } }),
    ],
  ],
  changes: [
    ['of the type', slice({ endpoints: [] }), { addressType: 'IPv6' }],
    ['of endpoints', slice({}), { endpoints: [] }],
    ['of labels', slice({}), { metadata: { labels: { a: 'b' } } }],
    ['of annotations', slice({}), { metadata: { annotations: { a: 'b' } } }],
  ],
};

const backend = (service: object = {}) => ({ service: { name: 'web', port: { number: 80 }, ...service } });
const ingress = (fields: object) => ({ metadata: { name: 'web' }, spec: { defaultBackend: backend(), ...fields } });
const path = (fields: object, host?: string) =>
  ingress({ rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend(), ...fields }] } }] });

export const ingresses: Judged = {
  kind: 'Ingress',
  bodies: [
    ['a backend', ingress({})],
    ['a path', path({}, 'example.com')],
    ['nothing', { metadata: { name: 'web' } }],
    ['no type of path', path({ pathType: undefined })],
    ['a type of path that is none', path({ pathType: 'Regex' })],
    ['a relative path', path({ path: 'a' })],
    ['an exact path that is none', path({ pathType: 'Exact', path: undefined })],
    ['a path of two slashes', path({ path: '/a//b/./c/../d%2f%2F/..' })],
    ['a path that ends in a dot', path({ path: '/a/.' })],
    ['any path', path({ pathType: 'ImplementationSpecific', path: '//' })],
    ['any path that is relative', path({ pathType: 'ImplementationSpecific', path: 'a' })],
    ['any path that is missing', path({ pathType: 'ImplementationSpecific', path: undefined })],
    ['a bad host', path({}, 'Example.com')],
    ['an address as host', path({}, '1.2.3.4')],
    ['a wildcard', path({}, '*.example.com')],
    ['a bad wildcard', path({}, 'a.*.example.com')],
    ['no paths', ingress({ rules: [{ http: { paths: [] } }] })],
    ['no backend', path({ backend: {} })],
    ['two backends', path({ backend: { ...backend(), resource: { kind: 'A', name: 'b' } } })],
    ['a resource as backend', path({ backend: { resource: { apiGroup: 'a.b', kind: 'A', name: 'b' } } })],
    ['a bad resource as backend', path({ backend: { resource: { apiGroup: 'A', kind: 'a/b', name: '..' } } })],
    ['a backend without a name', path({ backend: backend({ name: '' }) })],
    ['a backend with a bad name', path({ backend: backend({ name: 'a.b' }) })],
    ['a backend with a numeric name', path({ backend: backend({ name: '1a' }) })],
    ['a backend without a port', path({ backend: { service: { name: 'web' } } })],
    ['a backend with two ports', path({ backend: backend({ port: { name: 'a', number: 80 } }) })],
    ['a backend with a bad port', path({ backend: backend({ port: { number: 70_000 } }) })],
    ['a backend with a bad name of a port', path({ backend: backend({ port: { name: 'A' } }) })],
    ['certificates', ingress({ tls: [{ hosts: ['a.b', '*.a.b'], secretName: 'c' }] })],
    ['bad certificates', ingress({ tls: [{ hosts: ['A', 'a.*'], secretName: 'C_' }] })],
    ['a bad class', ingress({ ingressClassName: 'A' })],
    ['an empty class', ingress({ ingressClassName: '' })],
    [
      'two classes',
      {
        metadata: { name: 'web', annotations: { 'kubernetes.io/ingress.class': 'a' } },
        spec: { defaultBackend: backend(), ingressClassName: 'b' },
      },
    ],
  ],
  changes: [
    ['of the class', ingress({}), { spec: { ingressClassName: 'a' } }],
    ['of labels', ingress({}), { metadata: { labels: { a: 'b' } } }],
    ['to nothing', ingress({}), { spec: { defaultBackend: null } }],
  ],
  statuses: [
    ['an address', ingress({}), { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'a.b' }] } } }],
    ['a bad address', ingress({}), { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } } }],
  ],
};

const ingressClass = (fields: object) => ({
  metadata: { name: 'cls' },
  spec: { controller: 'example.com/a', ...fields },
});

export const ingressClasses: Judged = {
  kind: 'IngressClass',
  bodies: [
    ['a controller', ingressClass({})],
    ['no controller', { metadata: { name: 'cls' } }],
    ['a controller without a domain', ingressClass({ controller: 'a' })],
    ['a controller with a bad domain', ingressClass({ controller: 'A_/b c' })],
    ['a long controller', ingressClass({ controller: `a.b/${'c'.repeat(250)}` })],
    ['parameters', ingressClass({ parameters: { apiGroup: 'a.b', kind: 'A', name: 'b' } })],
    ['bad parameters', ingressClass({ parameters: { apiGroup: 'A', kind: 'a/b', name: '%' } })],
    ['parameters of nothing', ingressClass({ parameters: { kind: '', name: '' } })],
    [
      'parameters of a namespace',
      ingressClass({ parameters: { kind: 'A', name: 'b', scope: 'Namespace', namespace: 'c' } }),
    ],
    ['parameters of no namespace', ingressClass({ parameters: { kind: 'A', name: 'b', scope: 'Namespace' } })],
    ['parameters of a cluster and a namespace', ingressClass({ parameters: { kind: 'A', name: 'b', namespace: 'c' } })],
    ['parameters of another scope', ingressClass({ parameters: { kind: 'A', name: 'b', scope: 'Galaxy' } })],
  ],
  changes: [
    ['of the controller', ingressClass({}), { spec: { controller: 'example.com/b' } }],
    ['of the parameters', ingressClass({}), { spec: { parameters: { kind: 'A', name: 'b' } } }],
  ],
};

const policy = (fields: object) => ({ metadata: { name: 'net' }, spec: { podSelector: {}, ...fields } });
const from = (peer: object) => policy({ ingress: [{ from: [peer] }] });
const port = (fields: object) => policy({ egress: [{ ports: [fields] }] });

export const networkPolicies: Judged = {
  kind: 'NetworkPolicy',
  bodies: [
    ['all Pods', policy({})],
    ['nothing', { metadata: { name: 'net' } }],
    ['a way out', port({ port: 80 })],
    ['a way out by name', port({ port: 'http', protocol: 'UDP' })],
    ['a way out by a bad name', port({ port: 'A_b', endPort: 90 })],
    ['a bad port', port({ port: 70_000 })],
    ['a bad protocol', port({ port: 80, protocol: 'X' })],
    ['a range of ports', port({ port: 80, endPort: 90 })],
    ['a range that ends before', port({ port: 80, endPort: 70 })],
    ['a range without a beginning', port({ endPort: 70 })],
    ['no peer', from({})],
    ['Pods and namespaces', from({ podSelector: {}, namespaceSelector: { matchLabels: { a: 'b' } } })],
    ['a bad selector', from({ podSelector: { matchLabels: { 'a b': 'c' } } })],
    [
      'a bad expression',
      from({
        podSelector: {
          matchExpressions: [
            { key: 'a', operator: 'In' },
            { key: 'a', operator: 'Exists', values: ['b'] },
            { key: 'a', operator: 'Is' },
          ],
        },
      }),
    ],
    ['a block', from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } })],
    ['a block of nothing', from({ ipBlock: { cidr: '' } })],
    ['a bad block', from({ ipBlock: { cidr: 'x', except: ['y'] } })],
    ['a block with bits set', from({ ipBlock: { cidr: '10.0.0.1/8' } })],
    ['a block with zeros', from({ ipBlock: { cidr: '010.0.0.0/8' } })],
    [
      'an exception outside',
      from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8', 'fd00::/64', 'x'] } }),
    ],
    ['a block and Pods', from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} })],
    ['a bad type', policy({ policyTypes: ['Ingress', 'Through'] })],
    ['three types', policy({ policyTypes: ['Ingress', 'Egress', 'Ingress'] })],
  ],
  changes: [
    ['of the selector', policy({}), { spec: { podSelector: { matchLabels: { a: 'b' } } } }],
    ['to a bad selector', policy({}), { spec: { podSelector: { matchLabels: { a: 'b c' } } } }],
  ],
};
