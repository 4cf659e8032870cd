/**
 * One side of the render bench, in a process of its own: `node render-sides.js <side> <directory>`.
 *
 * Each side loads only what it needs, renders the same 1,000 objects, and prints what it cost.
 */
import type { Construct } from 'constructs';
import type { ApiResource } from '../../src/kube/api-resource.js';

export const sides = ['kilter', 'cdk8s-a-file-an-object', 'cdk8s-one-file'] as const;
export type Side = (typeof sides)[number];

/** What a side says when it is done. */
export interface Cost {
  readonly cpuMilliseconds: number;
  readonly rssMebibytes: number;
}

const customResources = 250;

interface Body {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

/** A custom resource and three children, for each of 250 names. */
function* objects(): Generator<readonly [ApiResource, string, Body]> {
  for (let index = 0; index < customResources; index++) {
    const name = `cache-${index}`;
    const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/part-of': name };
    const metadata = { name, labels };
    yield [memcached, `cr-${index}`, { metadata, spec: { size: index % 11, image: 'memcached:1.6-alpine' } }];
    yield [deployment, `deployment-${index}`, { metadata, spec: deploymentSpec(index, labels) }];
    yield [
      service,
      `service-${index}`,
      {
        metadata,
        spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'memcached', port: 11211, protocol: 'TCP' }] },
      },
    ];
    yield [
      configMap,
      `config-${index}`,
      { metadata, data: { 'memcached.conf': `-m 64\n-c ${1024 + index}\n-v\n`, mode: 'on', port: '11211' } },
    ];
  }
}

const memcached = {
  apiVersion: 'memcached.cache.example.com/v1',
  kind: 'Memcached',
  plural: 'memcacheds',
  namespaced: true,
};
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
const service = { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

function deploymentSpec(index: number, labels: Readonly<Record<string, string>>): object {
  return {
    replicas: index % 11,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'memcached',
            image: 'memcached:1.6-alpine',
            args: ['-m', '64', '-o', 'modern', '-v'],
            ports: [{ name: 'memcached', containerPort: 11211, protocol: 'TCP' }],
            resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
            env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
      },
    },
  };
}

async function renderWithKilter(directory: string): Promise<void> {
  const [{ App, Chart }, { TypedObject }, { customResource }, { s }, { render }, { writeFiles }] = await Promise.all([
    import('cdk8s'),
    import('../../src/resource/typed-object.js'),
    import('../../src/resource/custom-resource.js'),
    import('../../src/schema/s.js'),
    import('../../src/gitops/render.js'),
    import('../../src/gitops/write-files.js'),
  ]);
  const spec = s.object({
    size: s.int32({ minimum: 0, maximum: 10 }),
    image: s.string({ default: 'memcached:1.6-alpine' }),
  });
  const Memcached = customResource({ group: 'memcached.cache.example.com', version: 'v1', kind: 'Memcached', spec });
  const app = new App({ outdir: directory });
  const chart: Construct = new Chart(app, 'bench');
  for (const [resource, id, body] of objects()) {
    if (resource === memcached)
      new Memcached(chart, id, { metadata: body.metadata, spec: body['spec'] as { readonly size: number } });
    else new TypedObject(chart, id, resource, body);
  }
  writeFiles(directory, render(app));
}

async function renderWithCdk8s(directory: string, side: Exclude<Side, 'kilter'>): Promise<void> {
  const { ApiObject, App, Chart, YamlOutputType } = await import('cdk8s');
  const yamlOutputType =
    side === 'cdk8s-one-file' ? YamlOutputType.FILE_PER_CHART : YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE;
  const app = new App({ outdir: directory, yamlOutputType });
  const chart = new Chart(app, 'bench');
  for (const [{ apiVersion, kind }, id, body] of objects()) new ApiObject(chart, id, { apiVersion, kind, ...body });
  app.synth();
}

const [, script, side, directory] = process.argv;
if (script?.endsWith('render-sides.js') && side !== undefined && directory !== undefined) {
  if (side === 'kilter') await renderWithKilter(directory);
  else await renderWithCdk8s(directory, side as Exclude<Side, 'kilter'>);
  const { user, system } = process.cpuUsage();
  const cost: Cost = {
    cpuMilliseconds: (user + system) / 1000,
    rssMebibytes: process.resourceUsage().maxRSS / 1024,
  };
  console.log(JSON.stringify(cost));
}
