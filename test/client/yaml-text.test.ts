import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
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

  it('says of a long key that it is one, and of nothing else', () => {
    const [long, quotes] = ['k'.repeat(1500), '",{:'.repeat(400)];
    const text = yamlText({ 'a,': [1, ':b'], [long]: long, [quotes]: [quotes], c: { [long]: 1 } });
    expect(text.match(/\? "/g)).toHaveLength(3);
    const parsed: unknown = parse(text, { version: '1.1' });
    expect(parsed).toEqual({ 'a,': [1, ':b'], [long]: long, [quotes]: [quotes], c: { [long]: 1 } });
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

  it('reads keys that are longer than those of YAML', async () => {
    const data = { before: '1,', ['k'.repeat(1500)]: '', ['"'.repeat(600)]: `${'"'.repeat(600)},{"`, after: ':x' };
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'long', namespace: 'default' }, data };
    await expect(cluster.apply(ConfigMap, manifest, { fieldManager: 'test', force: true })).rejects.toThrow(
      'must be no more than 253 characters',
    );
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
