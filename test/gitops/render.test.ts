import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import { parse } from 'yaml';
import { render, synth } from '../../src/gitops/index.js';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.example.com' },
  spec: { group: 'example.com', names: { kind: 'Foo' } },
};
const foo = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'sample' } };
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { clusterIP: 'None' } };
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'home' } };

type Charts = Readonly<Record<string, readonly { apiVersion: string; kind: string; metadata: object }[]>>;

function app(charts: Charts, outdir = 'dist'): App {
  const root = new App({ outdir });
  for (const [id, objects] of Object.entries(charts)) {
    const chart = new Chart(root, id);
    objects.forEach((object, index) => {
      new ApiObject(chart, `${object.kind}-${index}`, object);
    });
  }
  return root;
}

const paths = (root: App) => render(root).map(({ path }) => path);
const text = (root: App, path: string) => render(root).find((file) => file.path === path)!.text;
const resources = (root: App, path: string) => (parse(text(root, path)) as { resources: string[] }).resources;

describe('a rendered app', () => {
  it('has a folder a chart, a file an object, and kustomizations', () => {
    expect(paths(app({ operator: [service, crd, namespace], samples: [foo] }))).toEqual([
      'Kustomization',
      'operator/Kustomization',
      'operator/customresourcedefinition-foos.example.com.yaml',
      'operator/namespace-home.yaml',
      'operator/service-web.yaml',
      'samples/Kustomization',
      'samples/foo-sample.yaml',
    ]);
  });

  it('tells Flux to keep definitions, unless their author says otherwise, and nothing else', () => {
    const prune = 'kustomize.toolkit.fluxcd.io/prune';
    const told = (object: { apiVersion: string; kind: string; metadata: { name: string } }) => {
      const path = `operator/${object.kind.toLowerCase()}-${object.metadata.name}.yaml`;
      return parse(text(app({ operator: [object] }), path)).metadata.annotations[prune];
    };
    expect(told(crd)).toBe('disabled');
    expect(told({ ...crd, metadata: { ...crd.metadata, annotations: { [prune]: 'enabled' } } as never })).toBe(
      'enabled',
    );
    expect([told(service), told(namespace), told(foo)]).toEqual([undefined, undefined, undefined]);
  });

  it('shows the wave in each object', () => {
    expect(text(app({ operator: [service] }), 'operator/service-web.yaml')).toBe(
      [
        '---',
        'apiVersion: v1',
        'kind: Service',
        'metadata:',
        '  annotations:',
        '    argocd.argoproj.io/sync-wave: "0"',
        '  name: web',
        'spec:',
        '  clusterIP: None',
        '',
      ].join('\n'),
    );
  });

  it('lists objects in the order of their waves', () => {
    expect(resources(app({ operator: [service, crd, namespace] }), 'operator/Kustomization')).toEqual([
      'namespace-home.yaml',
      'customresourcedefinition-foos.example.com.yaml',
      'service-web.yaml',
    ]);
  });

  it('leaves custom resources out of the whole while their CRD is not there', () => {
    const root = app({ operator: [crd], samples: [foo] });
    expect(resources(root, 'Kustomization')).toEqual(['operator']);
    expect(text(root, 'Kustomization')).toContain('# Not here, to be applied afterwards or instead: samples\n');
  });

  it('leaves out of the whole what is there already, so that charts for two clusters can be rendered together', () => {
    const root = app({ production: [service], staging: [service] });
    expect(resources(root, 'Kustomization')).toEqual(['production']);
  });

  it('leaves out of the whole what kustomize takes to be there already, for want of a namespace', () => {
    const said = { ...service, metadata: { ...service.metadata, namespace: 'default' } };
    expect(resources(app({ production: [service], staging: [said] }), 'Kustomization')).toEqual(['production']);
  });

  it('does not depend on the order of constructs', () => {
    expect(render(app({ b: [service, crd], a: [foo, namespace] }))).toEqual(
      render(app({ a: [namespace, foo], b: [crd, service] })),
    );
  });

  it('has no folder for a chart without objects', () => {
    expect(paths(app({ empty: [] }))).toEqual(['Kustomization']);
  });

  it('names every problem that validations find, and its construct', () => {
    const root = app({ operator: [service], samples: [foo] });
    root.node.findChild('samples').node.addValidation({ validate: () => ['is bad', 'is worse'] });
    expect(() => render(root)).toThrow('rendering failed: samples: is bad; samples: is worse');
  });

  it('has a folder for a chart that is inside another, and each object once', () => {
    const root = new App();
    const outer = new Chart(root, 'outer');
    new ApiObject(outer, 'x', service);
    new ApiObject(new Chart(outer, 'inner'), 'x', namespace);
    expect(paths(root).filter((path) => path.endsWith('.yaml'))).toEqual([
      'outer-inner/namespace-home.yaml',
      'outer/service-web.yaml',
    ]);
  });

  it('refuses two charts with one folder', () => {
    const root = new App();
    const outer = new Chart(root, 'a');
    new ApiObject(new Chart(outer, 'b'), 'x', service);
    new ApiObject(new Chart(root, 'a-b'), 'x', service);
    expect(() => render(root)).toThrow('two charts would be rendered into the folder "a-b"');
    expect(() => render(app({ Site: [service], site: [service] }))).toThrow('would be rendered into the folder "site"');
  });

  it.each(['Kustomization', 'kustomization', '.hidden', '..'])(
    'refuses a chart for which there is no folder: %s',
    (id) => {
      expect(() => render(app({ [id]: [service] }))).toThrow(`a chart cannot be rendered into the folder "${id}"`);
    },
  );
});

describe('the output directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kilter-render-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const files = () => readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();

  it('holds what was rendered last and nothing else', () => {
    synth(app({ old: [service] }, directory));
    synth(app({ operator: [namespace] }, directory));
    expect(files()).toEqual(['Kustomization', 'operator', 'operator/Kustomization', 'operator/namespace-home.yaml']);
  });

  it('is made where it is not there yet, with what the render gives', () => {
    const root = app({ operator: [crd] }, join(directory, 'to/be'));
    synth(root);
    for (const { path, text } of render(root)) expect(readFileSync(join(root.outdir, path), 'utf8')).toBe(text);
  });

  it('is left alone when it holds what no render wrote', () => {
    mkdirSync(join(directory, 'src'));
    writeFileSync(join(directory, 'src/precious.ts'), '');
    expect(() => synth(app({ operator: [namespace] }, directory))).toThrow('refused');
    expect(files()).toEqual(['src', 'src/precious.ts']);
  });

  it('is left alone when cdk8s wrote it by itself', () => {
    const root = app({ operator: [namespace] }, directory);
    root.synth();
    expect(() => synth(root)).toThrow('refused');
    expect(files()).toEqual(['operator.k8s.yaml']);
  });

  it('keeps what an earlier render wrote when this one fails', () => {
    synth(app({ operator: [namespace] }, directory));
    const before = files();
    expect(() => synth(app({ operator: [namespace, namespace] }, directory))).toThrow('is rendered twice');
    expect(files()).toEqual(before);
  });
});
