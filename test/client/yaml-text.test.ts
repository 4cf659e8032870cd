import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { yamlText } from '../../src/client/yaml-text.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';

const texts: Readonly<Record<string, string>> = {
  'next-line': 'a\u0085b',
  separators: 'a\u2028\u2029b',
  delete: 'a\u007fb',
  control: 'a\u0001\u0090b',
  mark: '\ufeffa',
  'no-characters': 'a\ufffe\uffffb',
  'line-feeds': ' a\n\n  b\r\n',
  tab: '\ta',
  astral: '𝔘☃ü',
  yaml: '<<: *a # {b} "c" \'d\' \\e % @ `',
};

describe('the text of an apply', () => {
  it.each(Object.entries(texts))('is the same JSON, with what YAML reads otherwise escaped: %s', (_, text) => {
    expect(JSON.parse(yamlText({ text }))).toEqual({ text });
    expect(yamlText({ text })).not.toMatch(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/);
  });
});

onEveryCluster('a cluster', {}, (plane) => {
  let cluster: HttpCluster;
  beforeAll(async () => {
    cluster = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => cluster?.close());

  it('stores text that was applied as it stores text that was created', async () => {
    const manifest = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', annotations: texts },
      data: texts,
    });
    const created = await cluster.create(ConfigMap, manifest('created'), { fieldManager: 'test' });
    const applied = await cluster.apply(ConfigMap, manifest('applied'), { fieldManager: 'test', force: true });
    for (const object of [created, applied]) {
      expect(object['data']).toEqual(texts);
      expect(object.metadata.annotations).toEqual(texts);
    }
  });

  it('stores half a character that was applied as one that was created', async () => {
    const manifest = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data: { half: '😀'.slice(0, 1), quoted: '\\ud83d', whole: '😀' },
    });
    const created = await cluster.create(ConfigMap, manifest('half-created'), { fieldManager: 'test' });
    const applied = await cluster.apply(ConfigMap, manifest('half-applied'), { fieldManager: 'test', force: true });
    for (const object of [created, applied]) {
      expect(object['data']).toEqual({ half: '\ufffd', quoted: '\\ud83d', whole: '😀' });
    }
  });
});
