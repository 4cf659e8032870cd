import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import type { PodRoom } from '../../src/install/workload.js';
import { anOperator, deployments, nodes } from './an-operator.js';

function install(props: Partial<OperatorInstallProps>): OperatorInstall {
  const operators = [anOperator({ owns: [deployments], scale: true })];
  return new OperatorInstall(new App(), 'memcached-operator', { operators, image: 'operator:1.2.3', ...props });
}

function room({ cpu }: { readonly cpu: string }): PodRoom {
  return { requests: { cpu, memory: '64Mi' }, limits: { cpu: '1', memory: '256Mi' } };
}

const { resource, ...rest } = anOperator();
const reviewed = { operators: [{ ...rest, resource: { ...resource, isConvertible: true } }] };

describe('an install', () => {
  it.each(['watchNamespaces', 'apiServerPorts'])('is refused with %s that are none, which would mean all', (list) => {
    expect(() => install({ [list]: [] })).toThrow(`has no ${list}, which would mean all`);
  });

  it.each([
    [
      'a memory limit too small for Node',
      { room: { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1', memory: '64Mi' } } },
      'the install "memcached-operator" cannot run: room.limits.memory is "64Mi"',
    ],
    ['no image', { image: undefined as never }, 'the install "memcached-operator" has no image'],
    ['an image without a tag', { image: 'registry:5000/operator' }, 'names no version'],
    ['an image whose tag moves', { image: 'operator:latest' }, 'names no version'],
    ['one name for all replicas', { env: { POD_NAME: 'memcached' } }, 'calls all its replicas alike'],
    [
      'a namespace for its Lease in which it has no rights',
      { env: { POD_NAMESPACE: 'elsewhere' } },
      'env.POD_NAMESPACE is "elsewhere", and it lives in "memcached-operator-system"',
    ],
    [
      'one that nobody sees',
      { env: { POD_NAMESPACE: { secret: 'a', key: 'b' } } },
      'takes env.POD_NAMESPACE from a Secret',
    ],
    [
      'a debugger',
      { env: { NODE_OPTIONS: '--inspect=0.0.0.0:9229' } },
      'has --inspect=0.0.0.0:9229 in env.NODE_OPTIONS',
    ],
    ['a signal for snapshots', { env: { NODE_OPTIONS: '--a --heapsnapshot-signal=SIGUSR2' } }, 'in env.NODE_OPTIONS'],
    [
      'the same as Node takes it, too',
      { env: { NODE_OPTIONS: '"--heapsnapshot_signal=SIGUSR2"' } },
      'has --heapsnapshot_signal=SIGUSR2',
    ],
    ['two operators for one kind', { operators: [anOperator(), anOperator()] }, 'has two operators for'],
    ['what it does not know', { replica: 2 } as object, ': "replica" means nothing'],
    [
      'what it does not know within an option',
      { metrics: { servicemonitor: true } as object },
      ': "metrics.servicemonitor" means nothing',
    ],
    [
      'a certificate by another name',
      { webhooks: { certSecret: 'tls' } as never },
      ': "webhooks.certSecret" means nothing',
    ],
    [
      'webhooks of whose certificate nothing is said',
      { ...reviewed, webhooks: {} as never },
      ': webhooks.certificateSecret is missing',
    ],
    [
      'a certificate of metrics in what is no text',
      { metrics: { certificateSecret: 5 as never } },
      ': metrics.certificateSecret is not a text',
    ],
    ['a certificate in a Secret without a name', { metrics: { certificateSecret: '' } }, '"" is no name of a Secret'],
    [
      'a certificate of webhooks in a Secret that there cannot be',
      { ...reviewed, webhooks: { certificateSecret: 'My Secret' } },
      '"My Secret" is no name of a Secret',
    ],
    [
      'a monitor that is no yes and no no',
      { metrics: { serviceMonitor: 'yes' as never } },
      ': metrics.serviceMonitor is',
    ],
    [
      'a room of requests that are none',
      { room: { requests: null as never, limits: { memory: '256Mi' } } },
      ': room.requests is not an object',
    ],
    ['no operators', { operators: [] }, 'has no operators'],
    ['what says nothing of operators', { operators: undefined as never }, ': operators is not a list of operators'],
    ['a kind for an operator', { operators: [resource] as never }, ': operators is not a list of operators'],
    ['one namespace for a list', { watchNamespaces: 'a' as never }, ': watchNamespaces is not a list of texts'],
    ['one flag for a list', { args: '--leader-elect' as never }, ': args is not a list of texts'],
    ['one port for a list', { servicePorts: 8080 as never }, ': servicePorts is not a list of numbers'],
    ['a word for metrics', { metrics: 'no' as never }, ': metrics is not true, false or an object'],
    ['a word for definitions', { definitions: 'false' as never }, ': definitions is not true or false'],
    ['a word for webhooks', { webhooks: 'no' as never }, ': webhooks is not an object'],
    [
      'a flag that there is not',
      { args: ['--no-such-flag'] },
      'in args, "--no-such-flag" is no flag of the controller',
    ],
    ['a value that a flag cannot have', { args: ['--drift-mode=foo'] }, 'in args, --drift-mode cannot be "foo"'],
    [
      'a flag without its value',
      { args: ['--assume-consent', '--sync-period'] },
      'in args, --sync-period lacks its value',
    ],
    [
      'a flag by which its probes would ask in vain',
      { args: ['--health-probe-bind-address', ':9090'] },
      'in args, --health-probe-bind-address is for the install itself to say',
    ],
    [
      'operators that it does not have',
      { args: ['--operators=foo'] },
      'in args, --operators is for the install itself',
    ],
    [
      'a ServiceMonitor that asks in vain',
      { metrics: { serviceMonitor: true }, args: ['--metrics-secure', 'false'] },
      'has a ServiceMonitor for HTTPS, and --metrics-secure is false',
    ],
    [
      'replicas that all write, as two do during each rollout',
      { args: ['--leader-elect=false'] },
      'would have two replicas write at once: --leader-elect is false',
    ],
    [
      'a certificate for metrics that are served without',
      { metrics: { certificateSecret: 'tls' }, args: ['--metrics-secure=false'] },
      'has a certificate for metrics, and --metrics-secure is false',
    ],
    [
      'a certificate that is elsewhere than where it is mounted',
      { metrics: { certificateSecret: 'tls' }, args: ['--metrics-cert-path=/tls'] },
      'in args, --metrics-cert-path is for the install itself to say',
    ],
    [
      'an address of webhooks that nobody would tell the API server',
      { ...reviewed, webhooks: { certificateSecret: 'tls' }, args: ['--webhook-url=https://10.0.2.2:9443'] },
      'in args, --webhook-url is for the install itself to say',
    ],
    [
      'namespaces in which it has no rights',
      { watchNamespaces: ['a'], args: ['--watch-namespaces', 'b'] },
      'in args, --watch-namespaces is for the install itself to say',
    ],
    [
      'namespaces that it is told twice',
      { watchNamespaces: ['a'], args: ['--namespace=b'] },
      'in args, --namespace is for the install itself to say',
    ],
    [
      'webhooks that nobody serves',
      { ...reviewed, args: ['--webhooks=false'] },
      'has webhooks, and --webhooks is false',
    ],
    [
      'webhooks that nobody serves, by a variable',
      { ...reviewed, env: { ENABLE_WEBHOOKS: 'false' } },
      'has webhooks, and --webhooks is false',
    ],
    ['a variable that a flag could not be', { env: { LOG_LEVEL: 'loud' } }, 'env.LOG_LEVEL cannot be "loud"'],
    ['a variable that has no name', { env: { 'A=B': 'c' } }, 'env has "A=B", which is no name'],
    ['a variable that is no text', { env: { SIZE: 3 as never } }, 'env.SIZE is no text'],
    ['the key of a Secret that can have none', { env: { A: { secret: 'a', key: 'b c' } } }, 'env.A is no text'],
    [
      'options of Node that nobody sees',
      { env: { NODE_OPTIONS: { secret: 'a', key: 'b' } } },
      'takes env.NODE_OPTIONS from a Secret',
    ],
    [
      'a setting that says nothing, which the controller takes for missing',
      { env: { URL: '' }, operators: [{ ...anOperator(), settings: { URL: 'Where it is.' } }] },
      'lacks the setting URL, which memcached needs',
    ],
    ['fewer replicas than none', { replicas: -1 }, 'replicas is -1'],
    ['half a replica', { replicas: 1.5 }, 'replicas is 1.5'],
    ['a port that there is not', { servicePorts: [8080, 99999999] }, 'servicePorts has 99999999'],
    ['a port of the API server that there is not', { apiServerPorts: [0] }, 'apiServerPorts has 0'],
    ['what is no name of an image', { image: 'UPPER case:1' }, 'the image "UPPER case:1"'],
    ['a room that says nothing', { room: {} as PodRoom }, 'room.limits.memory is missing'],
    ['a request that is no amount', { room: room({ cpu: 'abc' }) }, 'room.requests.cpu is "abc"'],
    ['a request below nothing', { room: room({ cpu: '-1' }) }, 'room.requests.cpu is "-1"'],
    ['a request above its limit', { room: room({ cpu: '1500m' }) }, 'room.requests.cpu is "1500m", and the limit "1"'],
    [
      'namespaces for an operator of cluster-scoped custom resources',
      { watchNamespaces: ['a'], operators: [anOperator({ namespaced: false })] },
      'Memcached is cluster-scoped',
    ],
    [
      'namespaces for an operator that reads Nodes',
      { watchNamespaces: ['a'], operators: [anOperator({ reads: [nodes] })] },
      'Node is cluster-scoped',
    ],
    [
      'namespaces for an operator that owns Nodes',
      { watchNamespaces: ['a'], operators: [anOperator({ owns: [nodes] })] },
      'Node is cluster-scoped',
    ],
    [
      'namespaces for an operator whose children are in any',
      { watchNamespaces: ['a'], operators: [{ ...anOperator(), reach: 'cluster' }] },
      'memcached reaches into all',
    ],
  ])('refuses %s', (_, props, message) => {
    expect(() => install(props)).toThrow(message);
  });

  it.each([
    'operator:1.0',
    'registry:5000/operator:1.0',
    `operator@sha256:${'a'.repeat(64)}`,
    `registry/operator:\${TAG}`,
    '{{ .Values.image }}:1',
  ])('accepts the image %s', (given) => {
    expect(() => install({ image: given })).not.toThrow();
  });

  it.each<[string, Partial<OperatorInstallProps>]>([
    ['metrics that are served without a certificate', { metrics: {}, args: ['--metrics-secure=false'] }],
    ['no replica for the time being', { replicas: 0 }],
    [
      'settings that each pod is told',
      { operators: [{ ...anOperator(), settings: { POD_NAME: 'Which it is.', POD_NAMESPACE: 'Where it is.' } }] },
    ],
    ['the namespace that it lives in', { env: { POD_NAMESPACE: 'memcached-operator-system' } }],
    ['a room that nobody asks for', { room: { requests: undefined as never, limits: { memory: '256Mi' } } as never }],
    ['a room without limits to the processor', { room: { ...room({ cpu: '2' }), limits: { memory: '256Mi' } } }],
    [
      'flags whose value is a word of its own',
      { args: ['--sync-period', '10h', '--log-level=debug', '--assume-consent'] },
    ],
    [
      'webhooks that are served in spite of a variable',
      { ...reviewed, env: { ENABLE_WEBHOOKS: 'false' }, args: ['--webhooks'] },
    ],
    ['flags whose value only the kubelet knows', { args: ['--sync-period=$(PERIOD)', '--drift-mode='] }],
  ])('accepts %s', (_, props) => {
    expect(() => install(props)).not.toThrow();
  });
});
