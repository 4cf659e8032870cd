import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import { anOperator, deployments, nodes } from './an-operator.js';

function install(props: Partial<OperatorInstallProps>): OperatorInstall {
  const operators = [anOperator({ owns: [deployments], scale: true })];
  return new OperatorInstall(new App(), 'memcached-operator', { operators, image: 'operator:1.2.3', ...props });
}

describe('an install', () => {
  it.each(['watchNamespaces', 'apiServerPorts'])('is refused with %s that are none, which would mean all', (list) => {
    expect(() => install({ [list]: [] })).toThrow(`has no ${list}, which would mean all`);
  });

  it.each([
    [
      'a memory limit too small for Node',
      { room: { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1', memory: '64Mi' } } },
      '"64Mi" cannot be used',
    ],
    ['an image without a tag', { image: 'registry:5000/operator' }, 'names no version'],
    ['an image whose tag moves', { image: 'operator:latest' }, 'names no version'],
    ['one name for all replicas', { env: { POD_NAME: 'memcached' } }, 'calls all its replicas alike'],
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
    ['no operators', { operators: [] }, 'has no operators'],
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
  ])('refuses %s', (_, props, message) => {
    expect(() => install(props)).toThrow(message);
  });

  it.each(['operator:1.0', 'registry:5000/operator:1.0', 'operator@sha256:abc'])('accepts the image %s', (given) => {
    expect(() => install({ image: given })).not.toThrow();
  });
});
