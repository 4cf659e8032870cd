import { describe, expect, it } from '@jest/globals';
import { Store } from '../../../src/runtime/informer/store.js';
import { Tally } from '../../../src/runtime/queue/tally.js';
import { configMap, shelfOf } from '../an-object.js';

describe('a tally', () => {
  it('counts what a store holds, whatever becomes of it', () => {
    const [store, tally] = [new Store(), new Tally(['web', 'db'], ({ metadata }) => metadata.labels?.['app'])];
    const is = (changes: Iterable<Parameters<Tally['heard']>[0]>) => {
      for (const change of changes) tally.heard(change);
      return Object.fromEntries(tally.counts);
    };
    const app = (name: string) => ({ labels: { app: name } });
    expect(is([])).toEqual({ web: 0, db: 0 });
    expect(is(store.put(configMap('a', 1, app('web'))))).toEqual({ web: 1, db: 0 });
    expect(is(store.put(configMap('b', 2)))).toEqual({ web: 1, db: 0 });
    expect(is(store.put(configMap('a', 3, app('db'))))).toEqual({ web: 0, db: 1 });
    expect(is(store.put(configMap('a', 4, { uid: 'other', ...app('cache') })))).toEqual({ web: 0, db: 0, cache: 1 });
    store.replace(shelfOf([configMap('c', 5, app('web'))]), (change) => tally.heard(change));
    expect(is([])).toEqual({ web: 1, db: 0, cache: 0 });
    expect(is(store.remove(configMap('c', 6)))).toEqual({ web: 0, db: 0, cache: 0 });
  });
});
