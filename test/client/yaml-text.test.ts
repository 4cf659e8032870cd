import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ConfigMap, CustomResourceDefinition } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { yamlText } from '../../src/client/yaml-text.js';
import { customResource, s } from '../../src/index.js';
import type { Random } from '../../src/kube/clock.js';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { untilServed } from '../cluster/until-served.js';

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

/** What YAML may take for something else than text, beside letters. */
const pieces = [
  ...[
    '<<',
    '=',
    'y',
    'no',
    'null',
    '~',
    '0o7',
    '0x1F',
    '1_000',
    '1:30',
    '.inf',
    '2001-01-01',
    '!!str',
    '*a',
    '&a',
    '? ',
    '- ',
  ],
  ...[
    '%TAG',
    '---',
    '...',
    '#',
    ' #',
    ': ',
    '"',
    "'",
    '\\',
    '\t',
    '\n',
    '\r',
    '\0',
    '{',
    '}',
    '[',
    ',',
    '@',
    '`',
    ' ',
    '',
    '+1',
    '1e3',
  ],
  ...['\u001b', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', '\ufffe', 'ä', '😀', '\ud83d', '\udc00'],
  ...['k'.repeat(1030), '"'.repeat(600), '\0'.repeat(200)],
];
const numbers = [0, -1, 0.1, 1e-7, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 1e15, 123456789.123];

/** Data of any kind, by chance. */
function anyData(random: Random, depth = 0): unknown {
  const of = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const text = () => of(pieces) + of(pieces) + of(pieces);
  const some = () => Array.from({ length: Math.floor(random() * 4) });
  const kind = of(depth > 3 ? ['text', 'number'] : ['text', 'number', 'boolean', 'list', 'map']);
  if (kind === 'text') return text();
  if (kind === 'number') return of(numbers);
  if (kind === 'boolean') return random() < 0.5;
  if (kind === 'list') return some().map(() => anyData(random, depth + 1));
  return Object.fromEntries(some().map(() => [text(), anyData(random, depth + 1)]));
}

const Any = customResource({
  group: 'any.example.com',
  version: 'v1',
  kind: 'Any',
  spec: s.object({ data: s.map(s.preserved()) }),
});

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

  it('stores whatever was applied as it stores what was created', async () => {
    const random = seededRandom(1);
    const { metadata, ...definition } = Any.crd();
    await cluster.create(CustomResourceDefinition, { ...definition, metadata }, { fieldManager: 'test' });
    await untilServed(plane(), metadata.name);
    const { apiVersion, kind } = Any;
    for (let index = 0; index < 60; index++) {
      const spec = { data: { a: anyData(random), b: anyData(random), c: anyData(random) } };
      const manifest = (name: string) => ({ apiVersion, kind, metadata: { name, namespace: 'default' }, spec });
      const created = await cluster.create(Any, manifest(`created-${index}`), { fieldManager: 'test' });
      const applied = await cluster.apply(Any, manifest(`applied-${index}`), { fieldManager: 'test', force: true });
      expect(applied['spec']).toEqual(created['spec']);
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
