import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Many, One, Read } from '../../../src/compose/reads.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { ReadInputs } from '../../../src/runtime/author/read-inputs.js';
import { type Change, Store } from '../../../src/runtime/informer/store.js';
import type { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { configMap, configMaps } from '../an-object.js';

type Cr = KubeObject & { readonly reads: Readonly<Record<string, One | Many>> };

/** A custom resource that says itself what it reads. */
const cr = (name: string, reads: Cr['reads'], namespace?: string): Cr => ({
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  metadata: { name, uid: name, resourceVersion: '1', ...(namespace === undefined ? {} : { namespace }) },
  reads,
});
const labelled = (name: string, labels: Record<string, string>, rest = {}) => configMap(name, 1, { labels, ...rest });
const added = (object: KubeObject): Change => ({ type: 'added', object });

describe('who reads an object', () => {
  let store: Store;
  let inputs: ReadInputs;
  const readers = (change: Change) => [...inputs.readersOf(change)];

  beforeEach(() => {
    store = new Store();
    const one: Read<Cr> = { type: 'one', resource: configMaps, select: ({ reads }) => reads['one'] as One };
    const many: Read<Cr> = { type: 'many', resource: configMaps, select: ({ reads }) => reads['many'] as Many };
    inputs = new ReadInputs({ one, many } as Record<string, Read>, () => store as unknown as WatchedKind);
  });

  const nobody = { one: { name: 'nobody' }, many: { labels: { nobody: 'x' } } };
  it.each<[string, Partial<Cr['reads']>, KubeObject, boolean]>([
    // rule, reads of a custom resource in `prod`, object that changed, is found
    ['the one of its name', { one: { name: 'a' } }, configMap('a', 1), true],
    ['none of another name', { one: { name: 'a' } }, configMap('b', 1), false],
    ['none of another namespace', { one: { name: 'a' } }, configMap('a', 1, { namespace: 'test' }), false],
    [
      'the one of the namespace that is said',
      { one: { name: 'a', namespace: 'test' } },
      configMap('a', 1, { namespace: 'test' }),
      true,
    ],
    ['none of another kind', { one: { name: 'a' } }, { ...configMap('a', 1), kind: 'Secret' }, false],
    ['those with its label', { many: { labels: { x: '1' } } }, labelled('any', { x: '1', y: '2' }), true],
    ['none with another value of it', { many: { labels: { x: '1' } } }, labelled('any', { x: '2' }), false],
    ['those with all its labels', { many: { labels: { x: '1', y: '2' } } }, labelled('any', { y: '2', x: '1' }), true],
    [
      'none with only the first of its labels',
      { many: { labels: { x: '1', y: '2' } } },
      labelled('any', { x: '1' }),
      false,
    ],
    [
      'none with only the second of its labels',
      { many: { labels: { x: '1', y: '2' } } },
      labelled('any', { y: '2' }),
      false,
    ],
    ['all of its namespace, without labels', { many: { labels: {} } }, configMap('any', 1), true],
    [
      'none of another namespace, without labels',
      { many: { labels: {} } },
      configMap('any', 1, { namespace: 'test' }),
      false,
    ],
  ])('finds %s', (_, reads, object, found) => {
    inputs.of('prod/cache', cr('cache', { ...nobody, ...reads } as Cr['reads'], 'prod'));
    expect(readers(added(object))).toEqual(found ? ['prod/cache'] : []);
    expect(readers({ type: 'deleted', object })).toEqual(found ? ['prod/cache'] : []);
  });

  it('finds the reader of an object that was selected before the change, or is after it', () => {
    inputs.of('prod/cache', cr('cache', { ...nobody, many: { labels: { x: '1' } } }, 'prod'));
    const [yes, no] = [labelled('a', { x: '1' }), labelled('a', {})];
    expect(readers({ type: 'updated', object: no, before: yes })).toEqual(['prod/cache']);
    expect(readers({ type: 'updated', object: yes, before: no })).toEqual(['prod/cache']);
    expect(readers({ type: 'updated', object: no, before: no })).toEqual([]);
  });

  it('finds all readers, each once, and nobody else', () => {
    inputs.of('prod/a', cr('a', { one: { name: 'shared' }, many: { labels: { x: '1' } } }, 'prod'));
    inputs.of('prod/b', cr('b', { ...nobody, one: { name: 'shared' } }, 'prod'));
    inputs.of('prod/c', cr('c', nobody, 'prod'));
    expect(readers(added(labelled('shared', { x: '1' }))).sort()).toEqual(['prod/a', 'prod/b']);
  });

  it('goes by what was selected last', () => {
    inputs.of('prod/cache', cr('cache', { ...nobody, one: { name: 'before' } }, 'prod'));
    inputs.of('prod/cache', cr('cache', { ...nobody, one: { name: 'after' } }, 'prod'));
    expect(readers(added(configMap('before', 1)))).toEqual([]);
    expect(readers(added(configMap('after', 1)))).toEqual(['prod/cache']);
    inputs.forget('prod/cache');
    expect(readers(added(configMap('after', 1)))).toEqual([]);
  });

  it('goes by the labels that were selected last, though the first of them is the same', () => {
    inputs.of('prod/cache', cr('cache', { ...nobody, many: { labels: { x: '1', y: '1' } } }, 'prod'));
    inputs.of('prod/cache', cr('cache', { ...nobody, many: { labels: { x: '1', y: '2' } } }, 'prod'));
    expect(readers(added(labelled('any', { x: '1', y: '1' })))).toEqual([]);
    expect(readers(added(labelled('any', { x: '1', y: '2' })))).toEqual(['prod/cache']);
  });

  it('lets a cluster-scoped custom resource read all namespaces', () => {
    store.put(labelled('b', { x: '1' }, { namespace: 'test' }));
    store.put(labelled('b', { x: '1' }));
    store.put(labelled('a', { x: '1' }, { namespace: 'z', uid: 'other' }));
    const { many } = inputs.of(
      '/cache',
      cr('cache', { one: { name: 'nobody', namespace: 'prod' }, many: { labels: { x: '1' } } }),
    ).inputs;
    const found = (many as readonly KubeObject[]).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(found).toEqual(['z/a', 'prod/b', 'test/b']);
    expect(readers(added(labelled('c', { x: '1' }, { namespace: 'any' })))).toEqual(['/cache']);
  });
});

describe('what is read', () => {
  it('is one object, or undefined, and a list in the order of names', () => {
    const store = new Store();
    for (const name of ['c', 'a', 'b']) store.put(labelled(name, { x: name === 'b' ? '2' : '1' }));
    const reads: Record<string, Read> = {
      there: { type: 'one', resource: configMaps, select: () => ({ name: 'a' }) },
      missing: { type: 'one', resource: configMaps, select: () => ({ name: 'z' }) },
      many: { type: 'many', resource: configMaps, select: () => ({ labels: { x: '1' } }) },
    };
    const inputs = new ReadInputs(reads, () => store as unknown as WatchedKind);
    expect(inputs.of('prod/cache', cr('cache', {}, 'prod')).inputs).toEqual({
      there: store.get('prod', 'a'),
      missing: undefined,
      many: [store.get('prod', 'a'), store.get('prod', 'c')],
    });
  });

  it('is nothing where a custom resource names nothing, and nobody is found by it', async () => {
    const store = new Store();
    store.put(labelled('a', { x: '1' }));
    const reads: Record<string, Read> = {
      one: { type: 'one', resource: configMaps, select: () => undefined },
      many: { type: 'many', resource: configMaps, select: () => undefined },
    };
    const inputs = new ReadInputs(reads, () => store as unknown as WatchedKind);
    expect(inputs.of('prod/cache', cr('cache', {}, 'prod')).inputs).toEqual({ one: undefined, many: [] });
    expect([...inputs.readersOf(added(labelled('a', { x: '1' })))]).toEqual([]);
    const server = () => Promise.resolve({ items: [configMap('a', 1)], resourceVersion: '1' });
    expect((await inputs.live('prod/cache', server)).inputs).toEqual({ one: undefined, many: [] });
  });

  it.each([{ name: '' }, { name: 8 }, {}])('is not one object by no name: %p', (selected) => {
    const reads = { page: { type: 'one', resource: configMaps, select: () => selected as One } } as const;
    const inputs = new ReadInputs(reads, () => new Store() as unknown as WatchedKind);
    expect(() => inputs.of('prod/cache', cr('cache', {}, 'prod'))).toThrow(
      'Cache/prod/cache reads "page", one ConfigMap, and does not say which',
    );
  });

  it.each([
    {},
    { matchLabels: { a: '1' } },
    { labels: undefined },
    { labels: 'a=1' },
    { labels: { a: undefined } },
    { labels: { a: 1 } },
    { labels: ['a'] },
  ])('is not all there are, by what are no labels: %p', (selected) => {
    const reads = { pages: { type: 'many', resource: configMaps, select: () => selected as never } } as const;
    const inputs = new ReadInputs(reads, () => new Store() as unknown as WatchedKind);
    expect(() => inputs.of('prod/cache', cr('cache', {}, 'prod'))).toThrow(
      'Cache/prod/cache reads "pages", many ConfigMap, and does not say by which labels',
    );
  });

  it('is not one object of no namespace, where the custom resource has none to pass on', () => {
    const reads: Record<string, Read> = {
      page: { type: 'one', resource: configMaps, select: (read) => ({ name: 'a', ...(read as Cr).reads['page'] }) },
    };
    const inputs = new ReadInputs(reads, () => new Store() as unknown as WatchedKind);
    expect(() => inputs.of('/cache', cr('cache', {}))).toThrow(
      'Cache/cache reads "page", one ConfigMap, and does not say in which namespace',
    );
    const said = cr('cache', { page: { name: 'a', namespace: 'prod' } });
    expect(inputs.of('/cache', said).inputs).toEqual({ page: undefined });
  });

  it('is asked of the API server as it was selected last, without selecting anew', async () => {
    let name = 'first';
    const reads: Record<string, Read> = { one: { type: 'one', resource: configMaps, select: () => ({ name }) } };
    const inputs = new ReadInputs(reads, () => new Store() as unknown as WatchedKind);
    const server = [configMap('first', 1), configMap('second', 1)];
    const list = () => Promise.resolve({ items: server, resourceVersion: '1' });
    await expect(inputs.live('prod/cache', list)).rejects.toThrow('nothing was selected for prod/cache');
    inputs.of('prod/cache', cr('cache', {}, 'prod'));
    name = 'second';
    expect((await inputs.live('prod/cache', list)).inputs).toEqual({ one: server[0] });
  });
});

describe('what the API server had once as the stores have it', () => {
  const many: Read<Cr> = { type: 'many', resource: configMaps, select: ({ reads }) => reads['many'] as Many };
  let inputs: ReadInputs;
  const reads = (key: string, instance: string) =>
    inputs.of(key, cr(key, { many: { labels: { app: 'web', instance } } }));
  /** Whether it was asked. */
  const isAsked = async (key: string) => {
    let asked = 0;
    const list = async () => {
      asked++;
      return { items: [], resourceVersion: '1' };
    };
    await inputs.vouched(key, list, () => 1);
    return asked > 0;
  };

  beforeEach(() => {
    inputs = new ReadInputs({ many } as Record<string, Read>, () => new Store() as unknown as WatchedKind);
  });

  it('is asked once, for all who read it', async () => {
    for (const key of ['a', 'b']) reads(key, 'same');
    expect([await isAsked('a'), await isAsked('a'), await isAsked('b')]).toEqual([true, false, false]);
    inputs.forget('a');
    reads('c', 'same');
    expect(await isAsked('c')).toBe(false);
  });

  it.each<[string, () => unknown]>([
    ['who read it is gone', () => inputs.forget('a')],
    ['who read it reads something else', () => reads('a', 'other')],
  ])('is forgotten once %s, though others read by one of its labels', async (_, meanwhile) => {
    reads('a', 'own');
    reads('b', 'another');
    expect(await isAsked('a')).toBe(true);
    meanwhile();
    reads('c', 'own');
    expect(await isAsked('c')).toBe(true);
  });

  it('is not remembered for whom is gone by the time it is answered', async () => {
    reads('a', 'own');
    const list = async () => {
      inputs.forget('a');
      return { items: [], resourceVersion: '1' };
    };
    await inputs.vouched('a', list, () => 1);
    reads('b', 'own');
    expect(await isAsked('b')).toBe(true);
  });
});
