import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart, JsonPatch, Yaml } from 'cdk8s';
import { ClusterRole, ConfigMap, Deployment } from '../../imports/k8s.js';
import { TerminalError } from '../../src/kube/errors.js';
import { TypedObject } from '../../src/resource/typed-object.js';

const chart = () => new Chart(new App(), 'chart', { namespace: 'prod', labels: { team: 'blue' } });

function circular(): unknown {
  const map: Record<string, unknown> = {};
  map['note'] = map;
  return map;
}

describe('a typed object', () => {
  it('is rendered to the letter, in the order in which it was written', () => {
    const spec = {
      template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '500m' } } }] } },
      selector: {},
      newerThanTheImport: { intOrString: '80', empty: {}, list: [] },
    };
    const object = new Deployment(chart(), 'a', { metadata: { name: 'a' }, spec });
    expect(JSON.stringify(object.toJson())).toBe(
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'a', namespace: 'prod', labels: { team: 'blue' } },
        spec,
      }),
    );
  });

  it('takes name, namespace and labels of its chart where it has none of its own', () => {
    const metadata = { name: 'mine', namespace: 'own', labels: { team: 'red', tier: 'web' } };
    expect(new ConfigMap(chart(), 'a', { metadata }).manifest.metadata).toEqual(metadata);
    expect(new ConfigMap(chart(), 'a').manifest.metadata).toEqual({
      name: expect.stringMatching(/^chart-a-/),
      namespace: 'prod',
      labels: { team: 'blue' },
    });
  });

  it('has no namespace when its kind has none', () => {
    expect(new ClusterRole(chart(), 'a', { metadata: { name: 'a' } }).manifest.metadata).not.toHaveProperty(
      'namespace',
    );
  });

  it('takes what is added later, and the last word counts', () => {
    const object = new ConfigMap(chart(), 'a', {
      metadata: { name: 'a', labels: { tier: 'web' }, annotations: { note: 'old' }, finalizers: ['x.io/a'] },
      data: { mode: 'on' },
    });
    object.metadata.addLabel('tier', 'store');
    object.metadata.addAnnotation('note', 'new');
    object.metadata.addFinalizers('x.io/b');
    object.addJsonPatch(JsonPatch.replace('/data/mode', 'off'), JsonPatch.add('/immutable', true));
    expect(object.metadata.getLabel('tier')).toBe('store');
    expect(object.toJson()).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'prod',
        labels: { team: 'blue', tier: 'store' },
        annotations: { note: 'new' },
        finalizers: ['x.io/a', 'x.io/b'],
      },
      data: { mode: 'off' },
      immutable: true,
    });
  });

  it('names the patch that does not fit, and not its value', () => {
    const object = new ConfigMap(chart(), 'a', { metadata: { name: 'a' }, data: { mode: 'on' } });
    object.addJsonPatch(JsonPatch.replace('/data/mode', 'off'), JsonPatch.replace('/spec/token', 'hunter2'));
    expect(() => object.toJson()).toThrow(TerminalError);
    expect(() => object.toJson()).toThrow(
      /^ConfigMap\/a \(construct chart\/a\) cannot be rendered: the patch "replace \/spec\/token" does not fit: (?!.*hunter2)/,
    );
  });

  it.each([
    [new Date(0), 'the patch "add /data/at" cannot be rendered: value is an instance of Date'],
    [5n, 'value is a bigint'],
    [() => 'x', 'value is a function'],
  ])('is told with its path where a patch adds what JSON cannot say: %p', (value, words) => {
    const object = new ConfigMap(chart(), 'a', { data: { mode: 'on' } });
    object.addJsonPatch(JsonPatch.add('/data/at', value));
    expect(() => object.toJson()).toThrow(words);
  });

  it('is not changed by what a reader does with it', () => {
    const object = new ConfigMap(chart(), 'a', { data: { mode: 'on' } });
    (object.manifest['data'] as { mode: string }).mode = 'changed';
    expect(object.manifest['data']).toEqual({ mode: 'on' });
  });

  it('names itself, its construct and the field when it cannot be rendered', () => {
    const object = new ConfigMap(chart(), 'a', { metadata: { name: 'settings' }, data: { at: new Date(0) as never } });
    expect(() => object.toJson()).toThrow(
      'ConfigMap/settings (construct chart/a) cannot be rendered: data.at is an instance of Date',
    );
  });

  it.each<[string, unknown, string]>([
    ['a date', new Date(0), 'metadata.annotations.note is an instance of Date'],
    ['a function', () => 'x', 'metadata.annotations.note is a function'],
    ['itself', circular(), 'is nested over 200 levels deep'],
  ])('names itself and the field of metadata that is %s', (_, note, words) => {
    const metadata = { name: 'settings', annotations: { note: note as string } };
    expect(() => new ConfigMap(chart(), 'a', { metadata }).toJson()).toThrow(TerminalError);
    expect(() => new ConfigMap(chart(), 'a', { metadata }).toJson()).toThrow(words);
    expect(() => new ConfigMap(chart(), 'a', { metadata }).toJson()).toThrow(
      'ConfigMap/settings (construct chart/a) cannot be rendered: metadata.annotations.note',
    );
  });

  it('has labels of any name', () => {
    const labels = JSON.parse('{"constructor":"a","__proto__":"b"}') as Record<string, string>;
    const object = new ConfigMap(chart(), 'a', { metadata: { name: 'a', labels, annotations: labels } });
    object.metadata.addLabel('toString', 'c');
    const text = JSON.stringify(object.toJson().metadata);
    expect(text).toContain('"annotations":{"__proto__":"b","constructor":"a"}');
    expect(text).toContain('"labels":{"__proto__":"b","constructor":"a","team":"blue","toString":"c"}');
  });

  it('is an object of cdk8s, and of its own class alone', () => {
    const scope = chart();
    const object: unknown = new ConfigMap(scope, 'a');
    const plain: unknown = new ApiObject(scope, 'b', { apiVersion: 'v1', kind: 'ConfigMap' });
    expect(ApiObject.isApiObject(object)).toBe(true);
    expect([object instanceof ConfigMap, object instanceof TypedObject, object instanceof Deployment]).toEqual([
      true,
      true,
      false,
    ]);
    expect([plain instanceof TypedObject, plain instanceof ConfigMap]).toEqual([false, false]);
  });

  it('is what cdk8s itself synthesizes', () => {
    const scope = chart();
    new ConfigMap(scope, 'a', {
      metadata: { name: 'a' },
      data: { constructor: 'x' } as unknown as Record<string, string>,
    });
    expect(Yaml.stringify(...(scope.toJson() as object[]))).toContain('constructor: x');
  });
});
