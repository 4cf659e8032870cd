import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Facets } from '../../../src/runtime/informer/facets.js';
import { Store } from '../../../src/runtime/informer/store.js';
import { configMap, shelfOf } from '../an-object.js';

const names = (store: Store, selector: Parameters<Store['list']>[0]): string[] =>
  store
    .list(selector)
    .map(({ metadata }) => metadata.name)
    .sort();

function filled(): Store {
  const store = new Store();
  store.put(configMap('a', 1, { labels: { app: 'web', tier: 'front' } }));
  store.put(configMap('b', 2, { labels: { app: 'web', tier: 'back' } }));
  store.put(configMap('c', 3, { labels: { app: 'web', tier: 'back' }, namespace: 'test' }));
  store.put(configMap('d', 4));
  return store;
}

describe('what is selected of a store', () => {
  it.each([
    ['nothing said', {}, ['a', 'b', 'c', 'd']],
    ['a namespace', { namespace: 'prod' }, ['a', 'b', 'd']],
    ['a label', { labels: { app: 'web' } }, ['a', 'b', 'c']],
    ['two labels', { labels: { app: 'web', tier: 'back' } }, ['b', 'c']],
    ['both', { namespace: 'prod', labels: { tier: 'back' } }, ['b']],
    ['a value that nothing has', { labels: { app: 'db' } }, []],
    ['a label that is no own property', { labels: { constructor: 'x' } }, []],
  ])('by %s', (_, selector, expected) => {
    expect(names(filled(), selector)).toEqual(expected);
  });

  it('follows what changes after it was first asked for', () => {
    const store = filled();
    const selector = { labels: { tier: 'back' } };
    expect(names(store, selector)).toEqual(['b', 'c']);
    store.put(configMap('a', 5, { labels: { tier: 'back' } }));
    store.put(configMap('b', 6, { labels: { tier: 'front' } }));
    store.remove(configMap('c', 7, { namespace: 'test' }));
    store.put(configMap('e', 8, { labels: { tier: 'back' } }));
    expect(names(store, selector)).toEqual(['a', 'e']);
    store.replace(shelfOf([configMap('f', 9, { labels: { tier: 'back' } })]));
    expect(names(store, selector)).toEqual(['f']);
    expect(names(store, { namespace: 'prod' })).toEqual(['f']);
  });

  it.each([
    ['one by one', (keys: readonly string[]) => keys.map((key) => ({ labels: { [key]: 'yes' } }))],
    ['all at once', (keys: readonly string[]) => [{ labels: Object.fromEntries(keys.map((key) => [key, 'yes'])) }]],
    [
      'with a namespace',
      (keys: readonly string[]) => keys.map((key) => ({ namespace: 'prod', labels: { [key]: 'yes' } })),
    ],
  ])('looks at all objects once, however many labels are asked for, %s', (_, selectorsOf) => {
    const keys = Array.from({ length: 100 }, (_, index) => `label-${index}`);
    const labels = Object.fromEntries(keys.map((key) => [key, 'yes']));
    const chosen = configMap('a', 1, { labels });
    const others = Array.from({ length: 50 }, (_, index) => configMap(`other-${index}`, index + 2));
    const objects = new Map([chosen, ...others].map((object) => [`prod/${object.metadata.name}`, object]));
    let looks = 0;
    const facets = new Facets({
      keys: () => objects.keys(),
      getAll: (wanted) => [...wanted].flatMap((key) => objects.get(key) ?? []),
      peek(key) {
        looks += 1;
        return objects.get(key);
      },
    });
    for (let round = 0; round < 3; round++) {
      for (const selector of selectorsOf(keys)) expect(facets.select(selector)).toEqual([chosen]);
    }
    // For namespaces, and for labels.
    expect(looks).toBeLessThanOrEqual(2 * objects.size);

    facets.remove('prod/a', chosen);
    for (const selector of selectorsOf(keys)) expect(facets.select(selector)).toEqual([]);
    facets.add('prod/a', chosen);
    for (const selector of selectorsOf(keys)) expect(facets.select(selector)).toEqual([chosen]);
    expect(looks).toBeLessThanOrEqual(2 * objects.size);
  });

  it('looks at none where it was announced before there was any', () => {
    const objects = new Map<string, KubeObject>();
    const facets = new Facets({
      keys: () => objects.keys(),
      getAll: (wanted) => [...wanted].flatMap((key) => objects.get(key) ?? []),
      peek() {
        throw new Error('one was looked at');
      },
    });
    facets.announce();
    for (const [name, app] of [
      ['a', 'web'],
      ['b', 'db'],
    ] as const) {
      const object = configMap(name, 1, { labels: { app } });
      objects.set(`prod/${name}`, object);
      facets.add(`prod/${name}`, object);
    }
    expect(facets.select({ namespace: 'prod', labels: { app: 'web' } })).toEqual([objects.get('prod/a')]);
  });

  it('looks at none but its own labels when an object changes, however many were asked for', () => {
    const store = new Store();
    for (let index = 0; index < 100; index++) names(store, { labels: { [`label-${index}`]: 'yes' } });
    let looks = 0;
    const labels = new Proxy<Record<string, string>>(
      { app: 'web' },
      {
        getOwnPropertyDescriptor(target, key) {
          looks += 1;
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    store.put(configMap('a', 1, { labels }));
    store.remove(configMap('a', 2));
    expect(looks).toBe(2);
  });
});
