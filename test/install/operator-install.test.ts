import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { operator } from '../../src/index.js';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { show } from '../../src/kube/object-ref.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { anOperator, deployments, nodes, secrets } from './an-operator.js';

const image = 'memcached-operator:1.2.3';
const guarded = operator(Vault, { owns: [], compose() {} });

function install(props: Partial<OperatorInstallProps> = {}): readonly Manifest[] {
  const operators = [anOperator({ owns: [deployments], scale: true })];
  return new OperatorInstall(new App(), 'memcached-operator', { operators, image, ...props }).toJson() as Manifest[];
}

function named(manifests: readonly Manifest[], shown: string): Manifest {
  const found = manifests.find((manifest) => show({ kind: manifest.kind, ...manifest.metadata }) === shown);
  if (!found)
    throw new Error(`no ${shown} among ${manifests.map(({ kind, metadata }) => show({ kind, ...metadata }))}`);
  return found;
}

const names = (manifests: readonly Manifest[]) =>
  manifests.map(({ kind, metadata }) => show({ kind, ...metadata })).sort();
const deployment = (props?: Partial<OperatorInstallProps>) =>
  named(install(props), 'Deployment/memcached-operator-system/memcached-operator') as unknown as {
    spec: {
      replicas: number;
      selector: { matchLabels: Record<string, string> };
      template: {
        metadata: { labels: Record<string, string> };
        spec: { containers: [Record<string, unknown>]; volumes?: object[] };
      };
    };
  };
const container = (props?: Partial<OperatorInstallProps>) =>
  deployment(props).spec.template.spec.containers[0] as {
    args: string[];
    env: { name: string; value?: string }[];
    ports: object[];
    volumeMounts?: object[];
  };

describe('an install', () => {
  it('has the status of its Pod say why a process ended, for who has no log of it', () => {
    expect(container()).toMatchObject({ terminationMessagePolicy: 'FallbackToLogsOnError' });
  });

  it.each<[string, Partial<OperatorInstallProps>, string]>([
    ['without webhooks when all is up to date', {}, '/readyz'],
    [
      'with webhooks also when a watch is refused, since they need none',
      { operators: [guarded] },
      '/readyz?exclude=watches',
    ],
  ])('is ready %s', (_, props, path) => {
    expect(container(props)).toMatchObject({ readinessProbe: { httpGet: { path } } });
  });

  it('holds all that a controller needs, and no custom resource', () => {
    expect(names(install())).toEqual([
      'ClusterRole/memcached-operator',
      'ClusterRole/memcached-operator-memcached-admin',
      'ClusterRole/memcached-operator-memcached-editor',
      'ClusterRole/memcached-operator-memcached-viewer',
      'ClusterRole/memcached-operator-metrics-auth',
      'ClusterRole/memcached-operator-metrics-reader',
      'ClusterRoleBinding/memcached-operator',
      'ClusterRoleBinding/memcached-operator-metrics-auth',
      'CustomResourceDefinition/memcacheds.cache.example.com',
      'Deployment/memcached-operator-system/memcached-operator',
      'Namespace/memcached-operator-system',
      'NetworkPolicy/memcached-operator-system/memcached-operator',
      'Role/memcached-operator-system/memcached-operator-leader-election',
      'RoleBinding/memcached-operator-system/memcached-operator-leader-election',
      'Service/memcached-operator-system/memcached-operator-metrics',
      'ServiceAccount/memcached-operator-system/memcached-operator',
    ]);
  });

  it('for some namespaces has rights in those alone', () => {
    const manifests = install({ watchNamespaces: ['a', 'b'], metrics: false });
    const rights = names(manifests).filter(
      (name) => /Role/.test(name) && !/memcached-(admin|editor|viewer)/.test(name),
    );
    expect(rights).toEqual([
      'Role/a/memcached-operator',
      'Role/b/memcached-operator',
      'Role/memcached-operator-system/memcached-operator-leader-election',
      'RoleBinding/a/memcached-operator',
      'RoleBinding/b/memcached-operator',
      'RoleBinding/memcached-operator-system/memcached-operator-leader-election',
    ]);
    expect(container({ watchNamespaces: ['a', 'b'] }).args).toContain('--watch-namespaces=a,b');
  });

  it('runs with the flags that its author gives it, after its own', () => {
    const args = ['--log-level', 'debug', '--drift-mode=report'];
    expect(container({ args }).args).toEqual([...container().args, ...args]);
  });

  it('that serves metrics may ask who wants to read them, and has a Service', () => {
    const without = names(install({ metrics: false }));
    expect(names(install()).filter((name) => !without.includes(name))).toEqual([
      'ClusterRole/memcached-operator-metrics-auth',
      'ClusterRole/memcached-operator-metrics-reader',
      'ClusterRoleBinding/memcached-operator-metrics-auth',
      'Service/memcached-operator-system/memcached-operator-metrics',
    ]);
    expect(container().args).toContain('--metrics-bind-address=:8443');
    expect(container().ports).toContainEqual({ name: 'metrics', containerPort: 8443, protocol: 'TCP' });
    expect(container({ metrics: false }).args).toContain('--metrics-bind-address=0');
    expect(container({ metrics: false }).ports).toEqual([{ name: 'health', containerPort: 8081, protocol: 'TCP' }]);
  });

  it('lets scrapes in from namespaces that are labelled for it, where there is something to scrape', () => {
    const ports = (metrics: boolean) =>
      (
        named(install({ metrics }), 'NetworkPolicy/memcached-operator-system/memcached-operator') as unknown as {
          spec: { ingress: { from?: object[]; ports: { port: number }[] }[] };
        }
      ).spec.ingress.map(({ from, ports: [first] }) => [from, first?.port]);
    const labelled = [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }];
    expect(ports(true)).toEqual([
      [undefined, 8081],
      [labelled, 8443],
    ]);
    expect(ports(false)).toEqual([[undefined, 8081]]);
  });

  it('tells Prometheus Operator where metrics are, when it is asked to', () => {
    const shown = 'ServiceMonitor/memcached-operator-system/memcached-operator-metrics';
    const manifests = install({ metrics: { serviceMonitor: true } });
    const monitor = named(manifests, shown) as unknown as {
      spec: { selector: { matchLabels: object }; endpoints: [{ port: string; tlsConfig: object }] };
    };
    const service = named(manifests, 'Service/memcached-operator-system/memcached-operator-metrics') as unknown as {
      metadata: { labels: object };
      spec: { selector: object; ports: [{ name: string; targetPort: string }] };
    };
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(service.spec.ports[0]).toMatchObject({ name: monitor.spec.endpoints[0].port, targetPort: 'metrics' });
    expect(deployment().spec.template.metadata.labels).toMatchObject(service.spec.selector);
    expect(monitor.spec.endpoints[0].tlsConfig).toEqual({ insecureSkipVerify: true });
    expect(names(install()).filter((name) => name.startsWith('ServiceMonitor'))).toEqual([]);
  });

  it('serves metrics with the certificate of a Secret, which Prometheus then verifies', () => {
    const metrics = { certificateSecret: 'metrics-tls', serviceMonitor: true };
    const { args, volumeMounts } = container({ metrics });
    const folder = args.find((arg) => arg.startsWith('--metrics-cert-path='))?.split('=')[1];
    expect(volumeMounts).toEqual([{ name: 'metrics-certificate', mountPath: folder, readOnly: true }]);
    expect(deployment({ metrics }).spec.template.spec.volumes).toEqual([
      { name: 'metrics-certificate', secret: { secretName: 'metrics-tls' } },
    ]);
    const monitor = named(install({ metrics }), 'ServiceMonitor/memcached-operator-system/memcached-operator-metrics');
    expect(monitor).toMatchObject({
      spec: {
        endpoints: [
          {
            tlsConfig: {
              serverName: 'memcached-operator-metrics.memcached-operator-system.svc',
              ca: { secret: { name: 'metrics-tls', key: 'ca.crt' } },
            },
          },
        ],
      },
    });
    expect(container().volumeMounts).toBeUndefined();
  });

  it('grants nothing by a wildcard', () => {
    const everything = install({ metrics: true, operators: [anOperator({ owns: [secrets], reads: [nodes] })] });
    const rules = everything.flatMap(
      (manifest) => (manifest['rules'] as { [list: string]: string[] }[] | undefined) ?? [],
    );
    expect(rules.length).toBeGreaterThan(8);
    expect(rules.flatMap((rule) => Object.values(rule).flat()).filter((word) => word.includes('*'))).toEqual([]);
  });

  it('gives people the right to scale where the kind can be scaled', () => {
    const scaleRule = (scale: boolean, role: string) =>
      (
        named(install({ operators: [anOperator({ scale })] }), `ClusterRole/memcached-operator-memcached-${role}`)[
          'rules'
        ] as { resources: string[]; verbs: string[] }[]
      ).find(({ resources }) => resources[0] === 'memcacheds/scale')?.verbs;
    expect(scaleRule(true, 'editor')).toEqual(['get', 'update', 'patch']);
    expect(scaleRule(true, 'viewer')).toEqual(['get']);
    expect(scaleRule(false, 'editor')).toBeUndefined();
  });

  it('has each variable once, and what its author says of those that it would have anyway', () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=64', MALLOC_ARENA_MAX: '4', OTHER: 'x' };
    const named = container({ env }).env.map(({ name, value }) => [name, value]);
    expect(named).toEqual([
      ['POD_NAME', undefined],
      ['POD_NAMESPACE', undefined],
      ['MALLOC_MMAP_THRESHOLD_', '32000'],
      ...Object.entries(env),
    ]);
  });

  it('has the kubelet take from a Secret what nobody may read', () => {
    const operators = [{ ...anOperator(), settings: { TOKEN: 'Who asks.' } }];
    const env = { TOKEN: { secret: 'service', key: 'token' }, HTTPS_PROXY: { secret: 'service', key: 'proxy' } };
    expect(container({ operators, env }).env.slice(-2)).toEqual([
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'service', key: 'token' } } },
      { name: 'HTTPS_PROXY', valueFrom: { secretKeyRef: { name: 'service', key: 'proxy' } } },
    ]);
  });

  it('selects its own pods', () => {
    const { selector, template } = deployment().spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  });

  it('runs its own operators and no others of the image', () => {
    const operators = [anOperator(), anOperator({ kind: 'Foo' })];
    expect(container({ operators }).args).toContain('--operators=memcached,foo');
  });

  it('runs as many controllers as asked, of which one leads', () => {
    expect(deployment({ replicas: 2 }).spec.replicas).toBe(2);
    expect(container({ replicas: 2 }).args).toContain('--leader-elect');
  });

  it.each([
    ['96Mi', 32, 6],
    ['128Mi', 64, 8],
    ['256Mi', 192, 16],
    ['1Gi', 768, 16],
  ])('with a memory limit of %s gives the heap %i MiB, and what is new %i', (memory, heap, young) => {
    const room = { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '1', memory } };
    const options = container({ room }).env.find(({ name }) => name === 'NODE_OPTIONS')?.value;
    expect(options).toBe(`--max-old-space-size=${heap} --max-semi-space-size=${young}`);
  });
});
