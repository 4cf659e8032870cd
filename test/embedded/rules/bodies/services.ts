// Longer than most files: a table of bodies, with all that a service can be.
import type { Judged } from './judged.js';

const web = { port: 80 };
const spec = (fields: object) => ({ metadata: { name: 'web' }, spec: { ports: [web], ...fields } });
const balanced = (fields: object) => spec({ type: 'LoadBalancer', ...fields });

export const services: Judged = {
  kind: 'Service',
  bodies: [
    ['a port alone', spec({})],
    ['nothing at all', { metadata: { name: 'web' } }],
    ['a name that begins with a digit', { metadata: { name: '1web' }, spec: { ports: [web] } }],
    ['a name with dots', { metadata: { name: 'a.b' }, spec: { ports: [web] } }],
    ['no ports and no address', spec({ ports: [], clusterIP: 'None' })],
    ['no address, and a selector', spec({ clusterIP: 'None', selector: { app: 'web' } })],
    ['no address twice', spec({ clusterIP: 'None', clusterIPs: ['None', 'None'] })],
    ['two ports without names', spec({ ports: [web, { port: 81 }] })],
    [
      'two ports of one name',
      spec({
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'a' },
        ],
      }),
    ],
    [
      'one port twice',
      spec({
        ports: [
          { port: 80, name: 'a' },
          { port: 80, name: 'b' },
        ],
      }),
    ],
    [
      'one port by two protocols',
      spec({
        ports: [
          { port: 53, name: 'a' },
          { port: 53, name: 'b', protocol: 'UDP' },
        ],
      }),
    ],
    ['a bad name of a port', spec({ ports: [{ port: 80, name: 'A_b' }] })],
    ['a name of a port with dots', spec({ ports: [{ port: 80, name: 'a.b' }] })],
    ['a port that is too high', spec({ ports: [{ port: 65536 }] })],
    ['a port below zero', spec({ ports: [{ port: -1, targetPort: 70_000 }] })],
    ['no port number', spec({ ports: [{ name: 'a' }] })],
    ['a protocol that is none', spec({ ports: [{ port: 80, protocol: 'HTTP' }] })],
    ['a target by name', spec({ ports: [{ port: 80, targetPort: 'http' }] })],
    ['a target by a bad name', spec({ ports: [{ port: 80, targetPort: 'A--b-' }] })],
    ['a target by a long name', spec({ ports: [{ port: 80, targetPort: 'abcdefghijklmnop' }] })],
    ['a bad application protocol', spec({ ports: [{ port: 80, appProtocol: 'a b' }] })],
    ['a bad selector', spec({ selector: { 'a b': 'c' } })],
    ['a bad value in a selector', spec({ selector: { a: 'b c' } })],
    ['a type that is none', spec({ type: 'Cluster' })],
    ['an affinity that is none', spec({ sessionAffinity: 'Cookie' })],
    ['an affinity to clients', spec({ sessionAffinity: 'ClientIP' })],
    [
      'an affinity for too long',
      spec({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } }),
    ],
    ['a configuration without an affinity', spec({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } })],
    ['a port of nodes without the type', spec({ ports: [{ port: 80, nodePort: 30_080 }] })],
    ['a port of nodes', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] })],
    [
      'a port of nodes twice',
      spec({
        type: 'NodePort',
        ports: [
          { port: 80, name: 'a', nodePort: 30_080 },
          { port: 81, name: 'b', nodePort: 30_080 },
        ],
      }),
    ],
    [
      'a port of nodes for two protocols',
      spec({
        type: 'NodePort',
        ports: [
          { port: 53, name: 'a', nodePort: 30_053 },
          { port: 53, name: 'b', protocol: 'UDP' },
        ],
      }),
    ],
    [
      'ports of nodes without an address',
      spec({ type: 'NodePort', clusterIP: 'None', ports: [{ port: 80, nodePort: 30_080 }] }),
    ],
    ['a load balancer without ports of nodes', balanced({ allocateLoadBalancerNodePorts: false })],
    [
      'a load balancer with a class',
      balanced({ loadBalancerClass: 'example.com/lb', allocateLoadBalancerNodePorts: false }),
    ],
    ['a load balancer with a bad class', balanced({ loadBalancerClass: 'a b', allocateLoadBalancerNodePorts: false })],
    ['a load balancer without an address', balanced({ clusterIP: 'None', allocateLoadBalancerNodePorts: false })],
    ['a class without a load balancer', spec({ loadBalancerClass: 'a' })],
    ['no ports of nodes without a load balancer', spec({ allocateLoadBalancerNodePorts: false })],
    [
      'sources of a load balancer',
      balanced({ allocateLoadBalancerNodePorts: false, loadBalancerSourceRanges: [' 10.0.0.0/8 '] }),
    ],
    [
      'bad sources of a load balancer',
      balanced({ allocateLoadBalancerNodePorts: false, loadBalancerSourceRanges: ['10.0.0.1/8', 'x', '010.0.0.0/8'] }),
    ],
    ['sources without a load balancer', spec({ loadBalancerSourceRanges: ['10.0.0.0/8'] })],
    [
      'sources in an annotation',
      {
        metadata: {
          name: 'web',
          annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8,x' },
        },
        spec: { ports: [web] },
      },
    ],
    [
      'hints and mode that differ',
      {
        metadata: {
          name: 'web',
          annotations: {
            'service.kubernetes.io/topology-aware-hints': 'auto',
            'service.kubernetes.io/topology-mode': 'x',
          },
        },
        spec: { ports: [web] },
      },
    ],
    [
      'traffic to near endpoints',
      balanced({
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_060,
        ports: [{ port: 80, nodePort: 30_061 }],
      }),
    ],
    ['a port for health without need', spec({ healthCheckNodePort: 30_060 })],
    [
      'a bad policy of outer traffic',
      balanced({ externalTrafficPolicy: 'Near', allocateLoadBalancerNodePorts: false }),
    ],
    ['a policy of outer traffic without any', spec({ externalTrafficPolicy: 'Local' })],
    ['a bad policy of inner traffic', spec({ internalTrafficPolicy: 'Near' })],
    ['a distribution of traffic', spec({ trafficDistribution: 'PreferSameNode' })],
    ['a bad distribution of traffic', spec({ trafficDistribution: 'Near' })],
    ['outer addresses', spec({ externalIPs: ['1.2.3.4'] })],
    [
      'bad outer addresses',
      spec({ externalIPs: ['127.0.0.1', 'x', '01.2.3.4', '0.0.0.0', '169.254.1.1', '224.0.0.1'] }),
    ],
    ['bad outer addresses of IPv6', spec({ externalIPs: ['::1', '::ffff:1.2.3.4', 'fe80::1', '::', 'ff02::1'] })],
    ['another name', spec({ type: 'ExternalName', externalName: 'example.com.' })],
    ['another name that is none', spec({ type: 'ExternalName', externalName: 'Example_com' })],
    ['another name that is missing', spec({ type: 'ExternalName' })],
    ['another name and an address', spec({ type: 'ExternalName', externalName: 'a.b', clusterIP: '10.0.0.9' })],
    [
      'another name and families',
      spec({ type: 'ExternalName', externalName: 'a.b', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }),
    ],
    ['an address that is taken', spec({ clusterIP: '10.0.0.9' })],
    ['an address that is none', spec({ clusterIP: 'x' })],
    ['addresses without the first', spec({ clusterIPs: ['10.0.0.9'] })],
    ['addresses that differ', spec({ clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.8'] })],
    ['three addresses', spec({ clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', '10.0.0.8', '10.0.0.7'] })],
    ['two addresses of one family', spec({ clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', '10.0.0.8'] })],
    ['two addresses of two families', spec({ clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', 'fd00::1'] })],
    ['two families', spec({ ipFamilies: ['IPv4', 'IPv6'] })],
    ['one family twice', spec({ ipFamilies: ['IPv4', 'IPv4'] })],
    ['a family that is none', spec({ ipFamilies: ['IPv5'] })],
    ['a family that is not there', spec({ ipFamilies: ['IPv6'] })],
    ['a family that an address is not of', spec({ clusterIP: '10.0.0.9', ipFamilies: ['IPv6'] })],
    ['both stacks required', spec({ ipFamilyPolicy: 'RequireDualStack' })],
    ['both stacks preferred', spec({ ipFamilyPolicy: 'PreferDualStack', clusterIP: '10.0.0.9' })],
    ['a policy of stacks that is none', spec({ ipFamilyPolicy: 'AnyStack' })],
  ],
  created: [
    ['a port of nodes out of range', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })],
    ['an address out of range', spec({ clusterIP: '192.168.0.1' })],
    [
      'a port for health out of range',
      balanced({ externalTrafficPolicy: 'Local', healthCheckNodePort: 80, allocateLoadBalancerNodePorts: false }),
    ],
    ['a load balancer with all that it gets', balanced({})],
  ],
  changes: [
    [
      'from a cluster address to another name',
      spec({ selector: { app: 'web' } }),
      { spec: { type: 'ExternalName', externalName: 'example.com' } },
    ],
    ['no ports any more', spec({}), { spec: { ports: [] } }],
    ['another address', spec({ clusterIP: '10.0.0.9' }), { spec: { clusterIP: '10.0.0.10' } }],
    [
      'another address in both places',
      spec({ clusterIP: '10.0.0.9' }),
      { spec: { clusterIP: '10.0.0.10', clusterIPs: ['10.0.0.10'] } },
    ],
    ['the address left out', spec({ clusterIP: '10.0.0.9' }), { spec: { clusterIP: null, clusterIPs: null } }],
    ['the address made none', spec({ clusterIP: '10.0.0.9' }), { spec: { clusterIP: 'None' } }],
    ['the families left out', spec({ clusterIP: '10.0.0.9' }), { spec: { ipFamilies: null, ipFamilyPolicy: null } }],
    [
      'a port of nodes left out',
      spec({ clusterIP: '10.0.0.9', type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }),
      { spec: { ports: [{ port: 81 }] } },
    ],
    [
      'another port of nodes',
      spec({ clusterIP: '10.0.0.9', type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }),
      { spec: { ports: [{ port: 80, nodePort: 30_081 }] } },
    ],
    [
      'from ports of nodes to none',
      spec({ clusterIP: '10.0.0.9', type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }),
      { spec: { type: 'ClusterIP' } },
    ],
    [
      'from ports of nodes to none, with a new one',
      spec({ clusterIP: '10.0.0.9', type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }),
      { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: 30_081 }] } },
    ],
    [
      'from a load balancer to none',
      balanced({ clusterIP: '10.0.0.9', loadBalancerClass: 'a', ports: [{ port: 80, nodePort: 30_080 }] }),
      { spec: { type: 'ClusterIP' } },
    ],
    [
      'another class of load balancer',
      balanced({ clusterIP: '10.0.0.9', loadBalancerClass: 'a', allocateLoadBalancerNodePorts: false }),
      { spec: { loadBalancerClass: 'b' } },
    ],
    [
      'another port for health',
      balanced({
        clusterIP: '10.0.0.9',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_060,
        allocateLoadBalancerNodePorts: false,
      }),
      { spec: { healthCheckNodePort: 30_061 } },
    ],
    [
      'the port for health left out',
      balanced({
        clusterIP: '10.0.0.9',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_060,
        allocateLoadBalancerNodePorts: false,
      }),
      { spec: { healthCheckNodePort: null } },
    ],
    [
      'no near endpoints any more',
      balanced({
        clusterIP: '10.0.0.9',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_060,
        allocateLoadBalancerNodePorts: false,
      }),
      { spec: { externalTrafficPolicy: 'Cluster' } },
    ],
    [
      'without an address to with one',
      spec({ clusterIP: 'None' }),
      { spec: { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] } },
    ],
    ['a second stack required', spec({ clusterIP: '10.0.0.9' }), { spec: { ipFamilyPolicy: 'RequireDualStack' } }],
  ],
  statuses: [
    [
      'a status without a load balancer',
      spec({ clusterIP: '10.0.0.9' }),
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    ],
    [
      'a status with an address',
      balanced({ clusterIP: '10.0.0.9', allocateLoadBalancerNodePorts: false }),
      { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    ],
    [
      'a bad status',
      balanced({ clusterIP: '10.0.0.9', allocateLoadBalancerNodePorts: false }),
      {
        status: {
          loadBalancer: {
            ingress: [{ ip: 'x', ipMode: 'Any' }, { hostname: '1.2.3.4' }, { hostname: 'A', ipMode: 'VIP' }],
          },
        },
      },
    ],
  ],
};
