import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Shelf } from '../../../src/runtime/informer/shelf.js';
import { type Change, compareVersions, Store } from '../../../src/runtime/informer/store.js';
import { processHeap } from '../../../src/runtime/process/give-back-memory.js';
import { configMap, controlledBy, shelfOf } from '../an-object.js';

/** Bytes, without what nobody holds any more. */
function heapInUse(): number {
  processHeap().collect();
  return processHeap().used;
}
const numbered = (count: number) => Array.from({ length: count }, (_, index) => [`key-${index}`, index] as const);

const shown = (changes: readonly Change[]) =>
  changes.map(({ type, object }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`);

describe('the store', () => {
  let store: Store;
  const versions = () => store.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
  beforeEach(() => {
    store = new Store();
  });

  it('says of each state what changed', () => {
    expect(shown(store.put(configMap('a', 1)))).toEqual(['added a@1']);
    const [change] = store.put(configMap('a', 2));
    expect(change).toEqual({ type: 'updated', object: configMap('a', 2), before: configMap('a', 1) });
    expect(shown(store.remove(configMap('a', 3)))).toEqual(['deleted a@2']);
    expect(store.size).toBe(0);
  });

  it.each([
    ['the same state again', '7', '7'],
    ['an earlier state', '7', '6'],
    ['an earlier state with fewer digits', '10', '9'],
    ['an earlier state, beyond what a number can hold', '9007199254740993', '9007199254740992'],
  ])('takes %s for no news', (_, first, second) => {
    store.put(configMap('a', first));
    expect(store.put(configMap('a', second))).toEqual([]);
    expect(versions()).toEqual([`a@${first}`]);
  });

  it('takes a later object of the same name for a deletion and an addition', () => {
    store.put(configMap('a', 1, controlledBy('old')));
    const later = configMap('a', 2, { uid: 'other', ...controlledBy('new') });
    expect(shown(store.put(later))).toEqual(['deleted a@1', 'added a@2']);
    expect(store.controlledBy('old', undefined)).toEqual([]);
    expect(store.controlledBy('new', undefined)).toEqual([later]);
  });

  it('does not let an earlier object of the same name take the place of a later one', () => {
    store.put(configMap('a', 5, { uid: 'later' }));
    expect(store.put(configMap('a', 4))).toEqual([]);
    expect(store.get('prod', 'a')?.metadata.uid).toBe('later');
  });

  it('takes the deletion of an earlier object of the same name for no news', () => {
    store.put(configMap('a', 5, { uid: 'later' }));
    expect(store.remove(configMap('a', 6))).toEqual([]);
    expect(store.remove(configMap('unknown', 6))).toEqual([]);
    expect(store.size).toBe(1);
  });

  it('takes no earlier state of what was deleted for a new object', () => {
    store.put(configMap('a', 5));
    store.remove(configMap('a', 7));
    expect(store.put(configMap('a', 6))).toEqual([]);
    expect(store.size).toBe(0);
    expect(shown(store.put(configMap('a', 8, { uid: 'other' })))).toEqual(['added a@8']);
    // In another history versions are given out again.
    store.remove(configMap('a', 20, { uid: 'other' }));
    store.replace(shelfOf([]), () => {}, true);
    expect(shown(store.put(configMap('a', 6)))).toEqual(['added a@6']);
  });

  it('becomes a complete list at once, and tells what that changes', () => {
    for (const name of ['same', 'older', 'gone', 'replaced']) store.put(configMap(name, 5));
    const list = [
      configMap('same', 5),
      configMap('older', 6),
      configMap('replaced', 7, { uid: 'other' }),
      configMap('new', 8),
    ];
    const changes: Change[] = [];
    store.replace(shelfOf(list), (change) => changes.push(change));
    expect(shown(changes)).toEqual([
      'deleted gone@5',
      'updated older@6',
      'deleted replaced@5',
      'added replaced@7',
      'added new@8',
    ]);
    expect(versions().sort()).toEqual(['new@8', 'older@6', 'replaced@7', 'same@5']);
  });

  it('becomes a complete list of more than it keeps at hand, of which some were looked at', () => {
    const [count, looked] = [3000, 100];
    const list = (version: number, owner: string) =>
      shelfOf(
        Array.from({ length: count }, (_, index) =>
          index < looked ? configMap(`c${index}`, version, controlledBy(owner)) : configMap(`c${index}`, 1),
        ),
      );
    store.replace(list(2, 'one'));
    for (let index = 0; index < looked; index++) store.get('prod', `c${index}`);
    const told: Change[] = [];
    store.replace(list(3, 'two'), (change) => told.push(change));
    expect(shown(told)).toEqual(Array.from({ length: looked }, (_, index) => `updated c${index}@3`));
    expect(store.get('prod', 'c0')?.metadata.resourceVersion).toBe('3');
    expect([store.controlledBy('one', undefined).length, store.controlledBy('two', undefined).length]).toEqual([
      0,
      looked,
    ]);
  });

  it('has become the whole list when it tells the first of its changes', () => {
    for (const name of ['gone', 'older', 'replaced']) store.put(configMap(name, 5, controlledBy('one')));
    const list = [configMap('older', 6), configMap('replaced', 7, { uid: 'other' }), configMap('new', 8)];
    const seen: unknown[] = [];
    store.replace(shelfOf(list), () => seen.push([versions().sort(), store.controlledBy('one', undefined)]));
    expect(seen).toEqual(Array.from({ length: 5 }, () => [['new@8', 'older@6', 'replaced@7'], []]));
  });

  it('takes no more memory for a list in which all has changed than for what is told at the moment', () => {
    const list = (version: number) => {
      const shelf = new Shelf({ most: 10, tidy: 10 });
      for (let index = 0; index < 2000; index++) {
        const object = { ...configMap(`c${index}`, version), data: Object.fromEntries(numbered(100)) };
        shelf.put(object as KubeObject);
      }
      return shelf;
    };
    store = new Store({ most: 10, tidy: 10 });
    store.replace(list(1));
    const next = list(2);
    const before = heapInUse();
    let [told, most] = [0, 0];
    store.replace(next, () => {
      if (told++ % 500 === 0) most = Math.max(most, heapInUse() - before);
    });
    expect(told).toBe(2000);
    // All of it would take four million bytes.
    expect(most).toBeLessThan(1_000_000);
  });

  it('tells names apart by their namespaces', () => {
    store.put(configMap('a', 1));
    store.put(configMap('a', 2, { namespace: 'test', uid: 'other' }));
    expect(store.list({ namespace: 'test' })).toHaveLength(1);
    expect(store.get('prod', 'a')?.metadata.resourceVersion).toBe('1');
    expect(store.get(undefined, 'a')).toBeUndefined();
  });

  it('keeps cluster-scoped objects', () => {
    const { namespace: _, ...metadata } = configMap('a', 1).metadata;
    store.put({ ...configMap('a', 1), metadata });
    expect(store.get(undefined, 'a')?.metadata).toEqual(metadata);
  });

  it('finds the objects that an owner controls, as they are now', () => {
    store.put(configMap('a', 1, controlledBy('one')));
    store.put(configMap('b', 2, controlledBy('one')));
    store.put(configMap('c', 3, controlledBy('two')));
    store.put(configMap('owned', 4, { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'one' }] }));
    const names = (uid: string) => store.controlledBy(uid, undefined).map(({ metadata }) => metadata.name);
    expect(names('one')).toEqual(['a', 'b']);

    store.put(configMap('a', 5, controlledBy('two')));
    store.put(configMap('b', 6));
    expect(names('one')).toEqual([]);
    store.remove(configMap('c', 7));
    expect(names('two')).toEqual(['a']);
  });

  it('finds what an owner controls within its namespace alone, where it is in one', () => {
    for (const namespace of ['prod', 'test'])
      store.put(configMap('a', 1, { ...controlledBy('one'), namespace, uid: `uid-${namespace}` }));
    const namespaces = (of?: string) => store.controlledBy('one', of).map(({ metadata }) => metadata.namespace);
    expect([namespaces('test'), namespaces()]).toEqual([['test'], ['prod', 'test']]);
  });

  it('knows which object was written last, wherever in it that is', () => {
    expect(store.latest()).toBeUndefined();
    for (const [name, version] of [
      ['a', 9],
      ['b', 100],
      ['c', 10],
    ] as const)
      store.put(configMap(name, version));
    expect(store.latest()).toBe('prod/b');
    store.remove(configMap('b', 101));
    expect(store.latest()).toBe('prod/c');
  });

  it.each([
    ['1', '2', -1],
    ['10', '9', 1],
    ['18446744073709551615', '18446744073709551614', 1],
    ['5', '5', 0],
    ['', '1', -1],
  ])('orders the versions %j and %j', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign);
  });
});
