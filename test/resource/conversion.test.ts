/** Longer than most files: one class, and all that may be on its way between two versions. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { Cache } from './a-kind-of-versions.js';

const [v1, v1beta1, v1alpha1] = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${Cache.group}/${version}`) as [
  string,
  string,
  string,
];
const cache = (apiVersion: string, spec: object, annotations?: Readonly<Record<string, string>>) =>
  ({
    apiVersion,
    kind: 'Cache',
    metadata: { name: 'c', namespace: 'default', uid: '1', ...(annotations ? { annotations } : {}) },
    spec,
    status: { nodes: ['a'] },
  }) as unknown as KubeObject;
const specOf = (object: KubeObject) => object['spec'];
const annotationBytes = ({ metadata }: KubeObject) =>
  Buffer.byteLength(
    Object.entries(metadata.annotations ?? {})
      .flat()
      .join(''),
  );
const image = 'memcached:1.6-alpine';

describe('a conversion', () => {
  it.each([
    ['to the stored version, with its defaults', v1beta1, { replicas: 3 }, v1, { size: 3, image }],
    ['of what has a default', v1beta1, {}, v1, { size: 1, image }],
    ['to an older version', v1, { size: 3, image }, v1beta1, { replicas: 3 }],
    ['between two older versions, by way of the stored one', v1alpha1, { size: 'many' }, v1beta1, { replicas: 10 }],
    ['to the version that it has', v1beta1, { replicas: 3 }, v1beta1, { replicas: 3 }],
    [
      'of fields whose names mean something in JavaScript',
      v1beta1,
      JSON.parse('{"replicas":1,"labels":{"__proto__":"a","constructor":"b"}}') as object,
      v1,
      JSON.parse(`{"size":1,"image":"${image}","labels":{"__proto__":"a","constructor":"b"}}`) as object,
    ],
  ])('%s', (_, from, spec, to, wanted) => {
    const converted = Cache.convert(cache(from, spec), to);
    expect(JSON.parse(JSON.stringify(converted))).toEqual({
      ...cache(to, {}),
      spec: wanted,
      metadata: expect.objectContaining({ name: 'c', namespace: 'default', uid: '1' }),
    });
  });

  it('is made of numbers of any size, which keep nobody from a list', () => {
    const free = { big: 2 ** 60, tiny: 1e-300 };
    const spec = s.object({ size: s.int32(), ratio: s.number(), free: s.preserved() });
    const pass = (given: never) => ({ ...(given as object) }) as never;
    const Ratio = customResource({
      ...{ group: Cache.group, version: 'v1', kind: 'Ratio', spec },
      versions: { v1beta1: { spec, upgrade: pass, downgrade: pass } },
      admission: { mutate: ({ spec: given }) => ({ ...given, size: 2 }) },
    });
    const ratio = { ...cache(v1, { size: 1, ratio: 1e21, free }), kind: 'Ratio' } as KubeObject;
    expect(specOf(Ratio.convert(ratio, v1beta1))).toEqual({ size: 1, ratio: 1e21, free });
    expect(specOf(Ratio.admission.mutated(ratio))).toEqual({ size: 2, ratio: 1e21, free });
  });

  it('is made of what is nested a thousand levels deep', () => {
    const spec = s.object({ size: s.int32(), free: s.preserved() });
    const Deep = customResource({
      ...{ group: Cache.group, version: 'v1', kind: 'Deep', spec },
      versions: {
        v1beta1: {
          spec: s.object({ free: s.preserved() }),
          upgrade: ({ free }) => ({ size: 1, free }),
          downgrade: ({ free }) => ({ free }),
        },
      },
    });
    let free: unknown = 1;
    for (let depth = 0; depth < 1_000; depth++) free = depth % 2 === 0 ? [free] : { a: free };
    const deep = { ...cache(v1, { size: 2, free }), kind: 'Deep' } as KubeObject;
    const read = Deep.convert(deep, v1beta1);
    expect(JSON.stringify(specOf(read)) === JSON.stringify({ free })).toBe(true);
    expect(JSON.stringify(specOf(Deep.convert(read, v1))) === JSON.stringify({ size: 2, free })).toBe(true);
  });

  it('leaves status and metadata as they are when nothing is lost', () => {
    const object = cache(v1, { size: 3, image }, { note: 'mine' });
    expect(Cache.convert(object, v1beta1)).toEqual(cache(v1beta1, { replicas: 3 }, { note: 'mine' }));
  });

  it.each([
    ['packed, where it is long', 'm'.repeat(300_000), {}],
    ['packed, where other annotations are', 'm'.repeat(100_000), { note: 'x'.repeat(200_000) }],
  ])('keeps what an older version has no words for %s', (_, long, annotations) => {
    const stored = cache(v1, { size: 3, image: long }, { note: 'mine', ...annotations });
    const read = Cache.convert(stored, v1beta1);
    expect(annotationBytes(read)).toBeLessThanOrEqual(256 * 1024);
    expect(Cache.convert(read, v1)).toEqual(stored);
  });

  it('shows what no annotation can keep, and lets nobody write it back', () => {
    const random = seededRandom(1);
    const image = Array.from({ length: 400_000 }, () => String.fromCharCode(33 + 90 * random())).join('');
    const read = Cache.convert(cache(v1, { size: 3, image }), v1beta1);
    expect(specOf(read)).toEqual({ replicas: 3 });
    expect(annotationBytes(read)).toBeLessThan(100);
    expect(() => Cache.convert(read, v1)).toThrow(
      `Cache/default/c of ${v1beta1} cannot be written: what is stored of it is too long`,
    );
  });

  it.each([
    ['one annotation', { note: 'x'.repeat(256 * 1024 - 4) }],
    ['many', Object.fromEntries(Array.from({ length: 2 ** 14 }, (_, at) => [`n${at + 10_000}`, 'x'.repeat(10)]))],
  ])('shows what has no room for a word more beside %s, and lets nobody write it back', (_, annotations) => {
    const read = Cache.convert(cache(v1, { size: 3, image: 'memcached:1.7' }, annotations), v1beta1);
    expect(annotationBytes(read)).toBeLessThanOrEqual(256 * 1024);
    expect(() => Cache.convert(read, v1)).toThrow('what is stored of it is too long');
  });

  it('makes nothing of what somebody packed into more than a request can have', () => {
    const bomb = `gzip:${gzipSync(Buffer.alloc(50_000_000, ' ')).toString('base64')}`;
    const object = cache(v1beta1, { replicas: 2 }, { 'kilter.dev/stored-spec': bomb });
    expect(specOf(Cache.convert(object, v1))).toEqual({ size: 2, image });
  });

  it('keeps what an older version has no words for, and puts it back', () => {
    const stored = cache(v1, { size: 3, image: 'memcached:1.7' });
    const read = Cache.convert(stored, v1beta1);
    expect(Object.keys(read.metadata.annotations ?? {})).toEqual(['kilter.dev/stored-spec']);
    expect(Cache.convert(read, v1)).toEqual(stored);

    const edited = { ...read, spec: { replicas: 5, labels: { tier: 'a' } } } as unknown as KubeObject;
    expect(specOf(Cache.convert(edited, v1))).toEqual({ size: 5, image: 'memcached:1.7', labels: { tier: 'a' } });
  });

  it('puts back nothing that was taken away in the older version', () => {
    const read = Cache.convert(cache(v1, { size: 3, image: 'memcached:1.7', labels: { a: '1', b: '2' } }), v1beta1);
    const without = { ...read, spec: { replicas: 3, labels: { b: '2' } } } as unknown as KubeObject;
    expect(specOf(Cache.convert(without, v1))).toEqual({ size: 3, image: 'memcached:1.7', labels: { b: '2' } });
    const none = { ...read, spec: { replicas: 3 } } as unknown as KubeObject;
    expect(specOf(Cache.convert(none, v1))).toEqual({ size: 3, image: 'memcached:1.7' });
  });

  it.each(['no JSON', '[]', 'null', '"text"'])('goes by the spec alone when what was kept is %s', (kept) => {
    const object = cache(v1beta1, { replicas: 2 }, { 'kilter.dev/stored-spec': kept });
    expect(Cache.convert(object, v1)).toEqual(cache(v1, { size: 2, image }));
  });

  it.each<[string, object, object, object]>([
    [
      'of another type',
      { size: 1, image: 42, labels: { a: 'b' } },
      { replicas: 1, labels: { a: 'b' } },
      { size: 1, image, labels: { a: 'b' } },
    ],
    ['beyond a limit', { size: 11, image: 'memcached:1.7' }, { replicas: 11 }, { size: 11, image: 'memcached:1.7' }],
    ['that is not there', { image: 'memcached:1.7' }, { replicas: 2 }, { size: 2, image: 'memcached:1.7' }],
  ])('takes no field %s from what is kept, which nobody has judged, and all others', (_, kept, spec, stored) => {
    const object = cache(v1beta1, spec, { 'kilter.dev/stored-spec': JSON.stringify(kept) });
    expect(specOf(Cache.convert(object, v1))).toEqual(stored);
  });

  it('stores no field by what is kept that the stored version does not have', () => {
    const kept = JSON.stringify({ size: 1, image: 'memcached:1.7', labels: { evil: 'no' }, evil: true });
    const object = cache(v1beta1, { replicas: 1, labels: { evil: 'no' } }, { 'kilter.dev/stored-spec': kept });
    expect(specOf(Cache.convert(object, v1))).toEqual({ size: 1, image: 'memcached:1.7', labels: { evil: 'no' } });
  });

  it('gives no field that its version does not have, whichever way', () => {
    const Wordy = customResource({
      group: 'wordy.example.com',
      version: 'v1',
      kind: 'Wordy',
      spec: s.object({ size: s.int32() }),
      versions: {
        v1beta1: {
          spec: s.object({ replicas: s.int32() }),
          upgrade: ({ replicas }) => ({ size: replicas, note: 'too much' }),
          downgrade: ({ size }) => ({ replicas: size, note: 'too much' }),
        },
      },
    });
    const wordy = (version: string, spec: object) =>
      ({
        apiVersion: `wordy.example.com/${version}`,
        kind: 'Wordy',
        metadata: { name: 'w' },
        spec,
      }) as unknown as KubeObject;

    expect(Wordy.convert(wordy('v1', { size: 2 }), 'wordy.example.com/v1beta1')).toEqual(
      wordy('v1beta1', { replicas: 2 }),
    );
    expect(Wordy.convert(wordy('v1beta1', { replicas: 2 }), Wordy.apiVersion)).toEqual(wordy('v1', { size: 2 }));
  });

  it('says which object, which version and which function could not', () => {
    expect(() => Cache.convert(cache(v1, { size: 7, image }), v1alpha1)).toThrow(
      `converting Cache/default/c to ${v1alpha1} failed: downgrade: seven has no name`,
    );
    expect(() => Cache.convert(cache(v1, { size: 7, image }), 'versions.kilter.dev/v9')).toThrow(
      'Cache/default/c cannot be converted: there is no version versions.kilter.dev/v9',
    );
    expect(() => Cache.convert(cache('other.group/v1', { size: 7 }), v1)).toThrow('there is no version other.group/v1');
    expect(() => Cache.convert(cache(v1, { size: 7 }), `${Cache.group}/constructor`)).toThrow('there is no version');
  });

  it('loses nothing on any way there and back', () => {
    const random = seededRandom(1);
    const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    for (let round = 0; round < 2000; round++) {
      const labels = pick<object | undefined>(undefined, { a: pick('1', '2') }, { a: '1', b: pick('1', '2') });
      const stored = cache(v1, {
        size: pick(0, 1, 2, 3, 4, 10),
        image: pick(image, 'memcached:1.7', ''),
        ...(labels ? { labels } : {}),
      });
      const way = Array.from({ length: pick(1, 2, 3) }, () => pick(v1beta1, v1alpha1, v1));
      const back = [...way, v1].reduce((object, version) => Cache.convert(object, version), stored);
      expect({ way, back }).toEqual({ way, back: stored });
    }
  });
});

describe('the definition of a kind of several versions', () => {
  it('serves each, stores one, and warns of what is deprecated', () => {
    const { versions } = Cache.crd()['spec'] as { readonly versions: readonly Readonly<Record<string, unknown>>[] };
    expect(versions.map(({ schema: _, subresources: __, additionalPrinterColumns: ___, ...rest }) => rest)).toEqual([
      { name: 'v1', served: true, storage: true },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: 'versions.kilter.dev/v1beta1 Cache is deprecated: use v1',
      },
      { name: 'v1alpha1', served: true, storage: false },
    ]);
    expect(Cache.isConvertible).toBe(true);
  });

  it.each([
    ['v1', 'is the stored one'],
    ['latest', 'is no version of Kubernetes'],
    ['v1beta', 'is no version of Kubernetes'],
  ])('refuses another version called %s', (name, message) => {
    const spec = s.object({ size: s.int32() });
    const define = () =>
      customResource({
        group: 'versions.kilter.dev',
        version: 'v1',
        kind: 'Cache',
        spec,
        versions: { [name]: { spec, upgrade: (old) => old, downgrade: (now) => now } },
      });
    expect(define).toThrow(message);
  });

  it.each([
    ['', 'is empty'],
    ['ä'.repeat(129), 'is 258 bytes long'],
    ['a\nb', 'is no printable text, for "\\n"'],
    ['a\u00a0b', 'is no printable text, for "\u00a0"'],
  ])('refuses the words %j for what is deprecated', (deprecated, message) => {
    const spec = s.object({});
    const v1beta1 = { spec, deprecated, upgrade: () => ({}), downgrade: () => ({}) };
    const define = () =>
      customResource({ group: 'versions.kilter.dev', version: 'v1', kind: 'Cache', spec, versions: { v1beta1 } });
    expect(define).toThrow(`Cache cannot be defined: deprecated of its version "v1beta1" ${message}`);
  });

  it('holds the functions to the types of both versions', () => {
    const define = () =>
      customResource({
        group: 'versions.kilter.dev',
        version: 'v1',
        kind: 'Typed',
        spec: s.object({ size: s.int32() }),
        versions: {
          v1beta1: {
            spec: s.object({ replicas: s.int32() }),
            // @ts-expect-error A text is no size.
            upgrade: ({ replicas }) => ({ size: String(replicas) }),
            downgrade: ({ size }) => ({ replicas: size }),
          },
        },
      });
    expect(define).not.toThrow();
  });
});
