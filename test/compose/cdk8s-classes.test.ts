import { describe, expect, it } from '@jest/globals';
import { ApiObject, JsonPatch } from 'cdk8s';
import { Cpu, Deployment, EnvValue, k8s, Service, ServiceType, Volume } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { operator } from '../../src/index.js';
import { OperatorError } from '../../src/kube/errors.js';
import { aCache, Cache, composing } from './a-cache.js';
import { Widget } from './fixtures/example.com.js';

const resource = (apiVersion: string, kind: string) => ({
  apiVersion,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const owns = [
  resource('apps/v1', 'Deployment'),
  resource('v1', 'Service'),
  resource('v1', 'ConfigMap'),
  resource('v1', 'Pod'),
  resource('example.com/v1', 'Widget'),
];

const desired = (compose: (scope: Construct) => void, cr = aCache) => composing(compose, owns).desired(cr);

function mistake(compose: (scope: Construct) => void) {
  try {
    desired(compose);
  } catch (error) {
    if (error instanceof OperatorError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a class of cdk8s import', () => {
  it('is composed like ours', () => {
    const [widget] = desired((scope) => {
      new Widget(scope, 'w', { spec: { color: 'red', port: 'http', layers: [{ name: 'a' }], parts: { b: 'c' } } });
    });
    expect(widget).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'cache-w', namespace: 'prod', labels: { 'app.kubernetes.io/component': 'w' } },
      spec: { color: 'red', port: 'http', layers: [{ name: 'a' }], parts: { b: 'c' } },
    });
  });

  it.each<[string, object, string]>([
    ['a field newer than the import', { spec: { color: 'red', shine: true } }, 'spec.shine'],
    ['a field in a list', { spec: { color: 'red', layers: [{ name: 'a' }, { name: 'b', z: 1 }] } }, 'spec.layers[1].z'],
    [
      'a key called __proto__',
      JSON.parse('{"spec":{"color":"red","parts":{"__proto__":"x"}}}'),
      'spec.parts.__proto__',
    ],
    ['a field beside spec', { spec: { color: 'red' }, extra: { a: 1 } }, 'extra'],
  ])('that drops %s is reported', (_, props, field) => {
    expect(mistake((scope) => new Widget(scope, 'w', props))).toEqual({
      message: `Widget/cache-w (construct w) cannot be rendered: Widget drops ${field}`,
      hint: 'use a class that passes on what it is given: the one of imports/, or one by kilter import',
    });
  });

  it('that drops what a patch added is reported', () => {
    const { message } = mistake((scope) => {
      new Widget(scope, 'w', { spec: { color: 'red' } }).addJsonPatch(JsonPatch.add('/spec/shine', true));
    });
    expect(message).toContain('Widget drops spec.shine');
  });

  it('may write a name in its own way', () => {
    const [service] = desired((scope) => {
      new k8s.KubeService(scope, 's', { spec: { clusterIp: 'None', externalIPs: ['10.0.0.1'] } });
    });
    expect(service?.['spec']).toEqual({ clusterIP: 'None', externalIPs: ['10.0.0.1'] });
  });

  it('may drop what says nothing', () => {
    const [widget] = desired((scope) => {
      new Widget(scope, 'w', { spec: { color: 'red', shine: {}, glow: [null], port: null } } as object);
    });
    expect(widget?.['spec']).toEqual({ color: 'red' });
  });

  it('is not asked about what a patch removed', () => {
    const [widget] = desired((scope) => {
      new Widget(scope, 'w', { spec: { color: 'red', port: 1 } }).addJsonPatch(JsonPatch.remove('/spec/port'));
    });
    expect(widget?.['spec']).toEqual({ color: 'red' });
  });

  it('that cannot convert a key is reported', () => {
    const parts = { constructor: 'x' } as unknown as Record<string, string>;
    expect(mistake((scope) => new Widget(scope, 'w', { spec: { color: 'red', parts } })).message).toBe(
      'Widget/cache-w (construct w) cannot be rendered: Widget fails to convert it',
    );
  });
});

describe('an L1 class of cdk8s-plus', () => {
  const deployment = (scope: Construct, limits: Record<string, k8s.Quantity>) =>
    new k8s.KubeDeployment(scope, 'server', {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { spec: { containers: [{ name: 'a', resources: { limits } }] } },
      },
    });

  it('is composed, with its quantities in canonical form', () => {
    const [server] = desired((scope) => void deployment(scope, { cpu: k8s.Quantity.fromString('1000m') }));
    expect(server).toMatchObject({
      kind: 'Deployment',
      metadata: { name: 'cache-server' },
      spec: { template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }] } } },
    });
  });

  it('that drops a quantity given as text is reported', () => {
    const { message } = mistake((scope) => deployment(scope, { cpu: '500m' as unknown as k8s.Quantity }));
    expect(message).toBe(
      'Deployment/cache-server (construct server) cannot be rendered: KubeDeployment drops spec.template.spec.containers[0].resources.limits.cpu',
    );
  });

  it('that drops a field newer than Kubernetes 1.28 is reported', () => {
    const { message } = mistake((scope) => {
      new k8s.KubePod(scope, 'pod', { spec: { containers: [{ name: 'a' }], hostnameOverride: 'x' } } as object);
    });
    expect(message).toContain('KubePod drops spec.hostnameOverride');
  });
});

describe('a class of cdk8s-plus', () => {
  const compose = (scope: Construct) => {
    const server = new Deployment(scope, 'server', { replicas: 3 });
    server.addContainer({
      image: 'cache:1',
      portNumber: 11211,
      envVariables: { MODE: EnvValue.fromValue('on') },
      resources: { cpu: { request: Cpu.millis(1500) } },
    });
    server.addVolume(Volume.fromEmptyDir(scope, 'scratch', 'scratch'));
    const service = new Service(scope, 'service', { type: ServiceType.CLUSTER_IP, ports: [{ port: 11211 }] });
    service.select(server);
    return { server, service };
  };

  it('is composed with the names of the custom resource', () => {
    const [server, service] = desired(compose);
    expect([server?.metadata.name, service?.metadata.name]).toEqual(['cache-server', 'cache-service']);
    expect(server?.metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'server' });
    expect(server).toMatchObject({
      spec: { replicas: 3, template: { spec: { containers: [{ resources: { requests: { cpu: '1500m' } } }] } } },
    });
  });

  it('selects the pods of one custom resource, and not those of another', () => {
    const selector = (name: string) =>
      desired(compose, { ...aCache, metadata: { name, namespace: 'prod' } })[1]?.['spec'];
    expect(selector('cache')).toEqual(selector('cache'));
    expect(selector('cache')).not.toEqual(selector('store'));
  });

  it('can be returned for status', () => {
    const made = operator(Cache, { owns, compose });
    const cr = { apiVersion: 'example.com/v1', kind: 'Cache', ...aCache };
    const metadata = { ...aCache.metadata, uid: 'u', resourceVersion: '1' };
    expect(made.composition({ ...cr, metadata }, {}).returned).toMatchObject({
      server: { kind: 'Deployment', name: 'cache-server' },
      service: { kind: 'Service', name: 'cache-service' },
    });
  });

  it('is held to its own rules', () => {
    expect(mistake((scope) => new Deployment(scope, 'empty')).message).toContain(
      'cannot be rendered: spec fails to be produced: PodSpec must have at least 1 container',
    );
  });
});

it('a plain object of cdk8s loses nothing', () => {
  const [settings] = desired((scope) => {
    const object = new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' }, anything: [{}] });
    object.addJsonPatch(JsonPatch.replace('/data/a', 'c'));
  });
  expect(settings).toMatchObject({ data: { a: 'c' }, anything: [{}] });
});

it('a plain object of cdk8s is told with the patch that does not fit it', () => {
  const compose = (scope: Construct) => {
    const object = new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'ConfigMap' });
    object.addJsonPatch(JsonPatch.test('/data/a', 'b'));
  };
  expect(() => desired(compose)).toThrow('(construct c) cannot be rendered: the patch "test /data/a" does not fit: ');
});

it('a plain object of cdk8s has labels of any name', () => {
  const labels = JSON.parse('{"constructor":"a","__proto__":"b"}') as Record<string, string>;
  const [settings] = desired((scope) => {
    new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels } });
  });
  expect(Object.entries(settings?.metadata.labels ?? {})).toEqual(expect.arrayContaining(Object.entries(labels)));
});

it('a plain object of cdk8s whose metadata JSON cannot say is told with its path', () => {
  const compose = (scope: Construct) =>
    void new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { at: new Date(0) } });
  expect(() => desired(compose)).toThrow('(construct c) cannot be rendered: metadata.at is an instance of Date');
});
