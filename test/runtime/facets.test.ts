import { describe, expect, it } from '@jest/globals';
import { Facets } from '../../src/runtime/facets.js';
import { Store } from '../../src/runtime/store.js';
import { configMap, shelfOf } from './an-object.js';

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

  it('stays true, and as fast, however many labels were asked for', () => {
    const keys = Array.from({ length: 100 }, (_, index) => `label-${index}`);
    const labels = Object.fromEntries(keys.map((key) => [key, 'yes']));
    let looks = 0;
    const counted = configMap('a', 1, {
      labels: new Proxy(labels, {
        getOwnPropertyDescriptor(target, key) {
          looks += 1;
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      }),
    });
    const objects = new Map([['prod/a', counted]]);
    const facets = new Facets({
      keys: () => objects.keys(),
      getAll: (wanted) => [...wanted].flatMap((key) => objects.get(key) ?? []),
      peek: (key) => objects.get(key),
    });
    for (const key of keys) expect(facets.select({ labels: { [key]: 'yes' } })).toEqual([counted]);
    looks = 0;
    facets.remove('prod/a', counted);
    facets.add('prod/a', counted);
    // A removal and an addition for each index that there is still.
    expect(looks).toBeLessThanOrEqual(2 * 32);
    for (const key of keys) expect(facets.select({ labels: { [key]: 'yes' } })).toEqual([counted]);
  });
});
