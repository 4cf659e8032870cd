/** Longer than most files: one generated module, looked at from all sides. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import * as k8s from '../../imports/k8s.js';
import { quantityFields } from '../../src/compose/quantity-fields.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { packageRoot } from '../cluster/package-root.js';
import { runKilter } from './run-kilter.js';

const classes = (Object.values(k8s) as unknown[]).filter(
  (value): value is typeof k8s.ConfigMap => typeof value === 'function',
);
const shown = ({ apiVersion, kind, plural, namespaced }: ApiResource) =>
  `${apiVersion} ${kind} ${plural} ${namespaced}`;

onRealCluster('kilter import k8s', {}, (plane) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-import-k8s-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What is committed, and what this API server gives. `UPDATE_GOLDEN=1` makes them the same. */
  const compare = async () => {
    const made = { 'imports/k8s.ts': 'k8s.ts', 'src/compose/quantity-fields.ts': 'quantities.ts' };
    const [output, quantities] = Object.values(made).map((file) => join(folder, 'new/folder', file)) as [
      string,
      string,
    ];
    const connection = ['--kubeconfig', plane().kubeconfig];
    const files = ['--from', '../src/index.js', '-o', output, '--quantities', quantities];
    const { exitCode, stdout, stderr } = await runKilter(['import', 'k8s', ...connection, ...files]);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `wrote ${output}\nwrote ${quantities}\n`,
    });
    return Object.keys(made).map((path, index) => {
      const text = readFileSync(index === 0 ? output : quantities, 'utf8');
      if (process.env['UPDATE_GOLDEN']) writeFileSync(join(packageRoot, path), text);
      return { path, made: text, committed: readFileSync(join(packageRoot, path), 'utf8') };
    });
  };

  it('makes imports/k8s.ts and the quantity fields, to the byte', async () => {
    for (const { made, committed } of await compare()) expect(made).toBe(committed);
  });

  it('does not see what else is installed in the cluster', async () => {
    // Below k8s.io and with the name of a built-in kind, as the gateway API and others are.
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: 'services.gateway.networking.k8s.io',
        annotations: { 'api-approved.kubernetes.io': 'https://example.com' },
      },
      spec: {
        group: 'gateway.networking.k8s.io',
        scope: 'Namespaced',
        names: { kind: 'Service', plural: 'services', singular: 'service' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(crd) });
    await plane().kubectl(['wait', '--for=condition=Established', `crd/${crd.metadata.name}`]);
    for (let published = ''; !published.includes('/gateway.networking.k8s.io/v1"'); ) {
      published = (await plane().kubectl(['get', '--raw', '/openapi/v3'])).stdout;
    }

    for (const { made, committed } of await compare()) expect(made).toBe(committed);
  });

  it('has a class for every kind of a stable version that can be created, with its plural and scope', async () => {
    const discovered = async (path: string) => JSON.parse((await plane().kubectl(['get', '--raw', path])).stdout);
    const { groups } = (await discovered('/apis')) as { groups: { versions: { groupVersion: string }[] }[] };
    const paths = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
    const served: string[] = [];
    for (const apiVersion of ['v1', ...paths].filter((each) => /(^|\/)v\d+$/.test(each) && !/gateway/.test(each))) {
      const { resources } = (await discovered(`/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}`)) as {
        resources: { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
      };
      // What can be created and watched is an object that a controller could keep.
      const objects = resources.filter(({ verbs }) => verbs.includes('create') && verbs.includes('watch'));
      served.push(
        ...objects.map(({ name, kind, namespaced }) => shown({ apiVersion, kind, plural: name, namespaced })),
      );
    }

    expect(served.length).toBeGreaterThan(50);
    expect(classes.map(shown).sort()).toEqual(served.sort());
  });

  // Spelled so that the server spells it anew wherever it takes it for a quantity.
  const odd = '1000m';
  const labels = { app: 'a' };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: odd } } }] },
  };
  const withRestart = ({ spec }: typeof template) => ({ spec: { ...spec, restartPolicy: 'Never' } });
  const withVolume = ({ metadata, spec }: typeof template) => ({
    metadata,
    spec: { ...spec, volumes: [{ name: 'a', emptyDir: { sizeLimit: odd } }] },
  });

  it.each<[string, ApiResource, object]>([
    ['Deployment', k8s.Deployment, { spec: { selector: { matchLabels: labels }, template: withVolume(template) } }],
    [
      'CronJob',
      k8s.CronJob,
      { spec: { schedule: '@daily', jobTemplate: { spec: { template: withRestart(template) } } } },
    ],
    [
      'claim',
      k8s.PersistentVolumeClaim,
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: odd } } } },
    ],
    ['ResourceQuota', k8s.ResourceQuota, { spec: { hard: { 'requests.cpu': odd, 'count/pods': odd } } }],
    [
      'LimitRange',
      k8s.LimitRange,
      { spec: { limits: [{ type: 'Container', max: { cpu: odd }, default: { cpu: odd } }] } },
    ],
  ])('knows where a %s has the quantities that the server finds in it', async (_, kind, body) => {
    const { apiVersion } = kind;
    const sent = { apiVersion, kind: kind.kind, metadata: { name: 'a' }, ...body };
    const { stdout } = await plane().kubectl(['create', '--dry-run=server', '-o', 'json', '-f', '-'], {
      stdin: JSON.stringify(sent),
    });
    const found = differing(JSON.parse(JSON.stringify(sent)), JSON.parse(stdout));

    expect(found).not.toEqual([]);
    const known = quantityFields[`${apiVersion}/${kind.kind}`]!.map(
      (path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('[]', '\\[\\]').replaceAll('*', '[^ ]+')}$`),
    );
    expect(found.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([]);
  });
});

/** Where `after` has another text than `before` had, as in the list of quantities. */
function differing(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before === 'string') return before === after ? [] : [path];
  if (Array.isArray(before)) {
    return before.flatMap((item, index) => differing(item, (after as readonly unknown[])[index], `${path}[]`));
  }
  if (typeof before !== 'object' || before === null) return [];
  return Object.entries(before).flatMap(([key, value]) =>
    differing(value, (after as Readonly<Record<string, unknown>>)[key], path === '' ? key : `${path}.${key}`),
  );
}

describe('imports/k8s.ts', () => {
  const text = readFileSync(join(packageRoot, 'imports/k8s.ts'), 'utf8');

  it('carries no prose: no comment but the first line, and no sentence', () => {
    const [header, ...rest] = text.split('\n');
    expect(header).toMatch(/^\/\/ Generated by kilter import k8s from Kubernetes 1\.\d+\. Do not edit\.$/);
    expect(rest.filter((line) => /\/\/|\/\*/.test(line))).toEqual([]);
    const literals = [...rest.join('\n').matchAll(/'([^']*)'/g)].map(([, literal]) => literal!);
    expect(literals.length).toBeGreaterThan(200);
    expect(literals.filter((literal) => literal.split(/\s+/).length > 3)).toEqual([]);
  });

  it('has every type once', () => {
    const declared = [...text.matchAll(/^export (?:class|interface|type) (\w+)/gm)].map(([, name]) => name!);
    expect(declared.filter((name, index) => declared.indexOf(name) !== index)).toEqual([]);
  });

  it.each([
    ['Event', 'v1 Event'],
    ['EventsEvent', 'events.k8s.io/v1 Event'],
    ['HorizontalPodAutoscaler', 'autoscaling/v2 HorizontalPodAutoscaler'],
    ['HorizontalPodAutoscalerV1', 'autoscaling/v1 HorizontalPodAutoscaler'],
    ['ResourceClaim', 'resource.k8s.io/v1 ResourceClaim'],
  ])('calls %s the kind %s', (name, kind) => {
    expect(classes.filter((each) => each.name === name).map((each) => `${each.apiVersion} ${each.kind}`)).toEqual([
      kind,
    ]);
  });

  it('names every other class for its kind', () => {
    const others = classes.filter((each) => each.name !== each.kind).map((each) => each.name);
    expect(others.sort()).toEqual(['EventsEvent', 'HorizontalPodAutoscalerV1']);
  });

  it.each(classes.map((each) => [each.kind, each] as const))('constructs a %s', (_, each) => {
    const chart = new Chart(new App(), 'chart', { namespace: 'here' });
    const { kind, apiVersion, metadata } = new each(chart, 'one', {}).manifest;
    const namespace = each.namespaced ? { namespace: 'here' } : {};
    expect({ kind, apiVersion, metadata }).toEqual({
      kind: each.kind,
      apiVersion: each.apiVersion,
      metadata: { name: expect.stringMatching(/^chart-one-/), ...namespace },
    });
  });
});

describe('the types of imports/k8s.ts', () => {
  const scope = () => new Chart(new App(), 'chart');
  const labels: Readonly<Record<string, string>> = { app: 'cache' };
  const args: readonly string[] = ['-v'];

  it('take what authors hold: readonly lists and maps, undefined, quantities and ports as number or text', () => {
    const replicas: number | undefined = undefined;
    const server = new k8s.Deployment(scope(), 'server', {
      metadata: { labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'a',
                args,
                resources: { limits: { cpu: 1, memory: '64Mi' } },
                livenessProbe: { tcpSocket: { port: 'http' }, timeoutSeconds: 1 },
                readinessProbe: { tcpSocket: { port: 80 } },
              },
            ],
          },
        },
      },
    } as const);
    expect(server.manifest['spec']).toEqual({
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'a',
              args: ['-v'],
              resources: { limits: { cpu: 1, memory: '64Mi' } },
              livenessProbe: { tcpSocket: { port: 'http' }, timeoutSeconds: 1 },
              readinessProbe: { tcpSocket: { port: 80 } },
            },
          ],
        },
      },
    });
  });

  it('describe schemas that contain themselves, and alternatives', () => {
    const schema: k8s.JSONSchemaProps = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    };
    expect(schema.properties?.['list']?.type).toBe('array');
    // @ts-expect-error what is neither a schema nor a boolean
    const wrong: k8s.JSONSchemaProps = { additionalProperties: 'none' };
    expect(wrong).toBeDefined();
  });

  // Checked by the compiler: a line that expects an error and has none is itself an error.
  it('refuse mistakes', () => {
    const template: k8s.PodTemplateSpec = {};
    const selector: k8s.LabelSelector = {};
    const mistakes = () => {
      // @ts-expect-error a field that does not exist
      new k8s.ConfigMap(scope(), 'a', { date: {} });
      // @ts-expect-error a Deployment needs a selector
      new k8s.Deployment(scope(), 'a', { spec: { template } });
      // @ts-expect-error a nested field with a letter wrong
      new k8s.Deployment(scope(), 'a', { spec: { template, selector, replica: 1 } });
      // @ts-expect-error a protocol is one of three
      new k8s.Service(scope(), 'a', { spec: { ports: [{ port: 1, protocol: 'HTTP' }] } });
      // @ts-expect-error a port of a Service is a number
      new k8s.Service(scope(), 'a', { spec: { ports: [{ port: '1' }] } });
      // @ts-expect-error status is not an author's to write
      new k8s.Deployment(scope(), 'a', { status: {} });
      // @ts-expect-error the class says the kind
      new k8s.Deployment(scope(), 'a', { kind: 'Deployment' });
      // @ts-expect-error a binding binds to a role
      new k8s.RoleBinding(scope(), 'a');
    };
    expect(mistakes).toBeInstanceOf(Function);
  });
});
