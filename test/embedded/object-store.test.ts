import { describe, expect, it } from '@jest/globals';
import { ObjectStore, type Revision } from '../../src/embedded/object-store.js';
import type { KubeObject } from '../../src/kube/manifest.js';

const object = (name: string, namespace = 'default', data: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '' },
  data,
});
const names = (objects: readonly KubeObject[]) =>
  objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe('an object store', () => {
  it('gives every change a revision of its own, which is the resourceVersion', () => {
    const store = new ObjectStore();
    const first = store.put('configmaps', object('a'));
    const second = store.put('configmaps', object('a', 'default', { changed: 'yes' }));

    expect(Number(second.metadata.resourceVersion)).toBe(Number(first.metadata.resourceVersion) + 1);
    expect(store.get('configmaps', 'default', 'a')).toBe(second);
    expect(store.revision).toBe(Number(second.metadata.resourceVersion));
  });

  it('lists by namespace and name, in the order of keys', () => {
    const store = new ObjectStore();
    for (const [namespace, name] of [
      ['b', 'x'],
      ['a', 'y'],
      ['a', 'x'],
    ] as const)
      store.put('configmaps', object(name, namespace));

    expect(names(store.list('configmaps'))).toEqual(['a/x', 'a/y', 'b/x']);
    expect(names(store.list('configmaps', 'b'))).toEqual(['b/x']);
    expect(store.list('secrets')).toEqual([]);
  });

  it('tells each change once, with what was before', () => {
    const store = new ObjectStore();
    const heard: Revision[] = [];
    const stop = store.listen((revision) => heard.push(revision));
    const made = store.put('configmaps', object('a'));
    store.put('configmaps', object('a', 'default', { changed: 'yes' }));
    store.remove('configmaps', object('a'));
    stop();
    store.put('configmaps', object('b'));

    expect(heard.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(heard[1]?.before).toBe(made);
    expect(store.get('configmaps', 'default', 'a')).toBeUndefined();
  });

  it('remembers what came after a revision, until it is compacted', () => {
    const store = new ObjectStore();
    const first = Number(store.put('configmaps', object('a')).metadata.resourceVersion);
    store.put('secrets', object('s'));
    store.put('configmaps', object('b'));

    expect(names(store.since('configmaps', first).map((change) => change.object))).toEqual(['default/b']);
    store.compact();
    expect(store.compactedRevision).toBe(store.revision);
    expect(store.since('configmaps', first)).toEqual([]);
  });

  it('forgets its oldest changes rather than grow for ever', () => {
    const store = new ObjectStore(10);
    for (let count = 0; count < 25; count++) store.put('configmaps', object('a'));
    expect(store.since('configmaps', 0).length).toBeLessThanOrEqual(10);
    expect(store.compactedRevision).toBeGreaterThan(0);
  });

  it('hands out objects that nobody can change', () => {
    const stored = new ObjectStore().put('configmaps', object('a', 'default', { key: 'value' }));
    expect(() => Object.assign((stored as unknown as { data: object }).data, { key: 'other' })).toThrow(TypeError);
  });
});
