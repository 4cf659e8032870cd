import { beforeEach, describe, expect, it } from '@jest/globals';
import { remember } from '../../../src/drift/remembered.js';
import { compareVersions } from '../../../src/runtime/informer/store.js';
import type { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { OwnWrites } from '../../../src/runtime/writes/own-writes.js';
import { entry } from '../../drift/an-object.js';
import { configMap } from '../an-object.js';

/** A kind whose stores are as new as `seen` says, by namespace. */
function kindAt(seen: Record<string, string>, isServed = true) {
  const hasSeen = (namespace = '', version: string) => compareVersions(seen[namespace] ?? '', version) >= 0;
  const kind = { hasSeen, isServed, histories: 0, historiesIn: () => kind.histories, wrote() {} };
  return kind as unknown as WatchedKind & { isServed: boolean; histories: number };
}

describe('what we wrote', () => {
  let writes: OwnWrites;
  beforeEach(() => {
    writes = new OwnWrites('us');
  });

  it('is not waited for when the API server has lost it, as after a restore', () => {
    const kind = kindAt({ prod: '5' });
    writes.wrote('prod/a', kind, configMap('child', 100));
    kind.histories++;
    expect(writes.unseen('prod/a')).toBeUndefined();
    writes.wrote('prod/a', kind, configMap('child', 100));
    kind.histories++;
    // Its versions are given out again.
    writes.wrote('prod/a', kind, configMap('child', 7));
    expect(writes.unseen('prod/a')).toMatchObject({ version: '7' });
  });

  it('is waited for until the store shows it, for that custom resource alone', () => {
    const seen = { prod: '5' };
    writes.wrote('prod/a', kindAt(seen), configMap('child', 10));
    expect(writes.unseen('prod/a')).toBeDefined();
    expect(writes.unseen('prod/b')).toBeUndefined();
    seen.prod = '9';
    expect(writes.unseen('prod/a')).toBeDefined();
    seen.prod = '10';
    expect(writes.unseen('prod/a')).toBeUndefined();
  });

  it('is waited for up to the latest, though a later write changed nothing and was answered with an older version', () => {
    const kind = kindAt({ prod: '60' });
    writes.wrote('prod/a', kind, configMap('changed', 100));
    writes.wrote('prod/a', kind, configMap('unchanged', 50));
    expect(writes.unseen('prod/a')).toBeDefined();
  });

  it('is waited for in each kind and in each namespace', () => {
    const seen = { prod: '10', test: '10' };
    const [maps, secrets] = [kindAt(seen), kindAt({ prod: '10' })];
    writes.wrote('/a', maps, configMap('one', 11, { namespace: 'test' }));
    writes.wrote('/a', maps, configMap('two', 10));
    expect(writes.unseen('/a')).toBeDefined();
    seen.test = '11';
    expect(writes.unseen('/a')).toBeUndefined();
    writes.wrote('/a', secrets, { ...configMap('three', 11), kind: 'Secret' });
    expect(writes.unseen('/a')).toBeDefined();
  });

  it('is waited for no longer than its kind is served', () => {
    const seen = { prod: '5' };
    const maps = kindAt(seen);
    writes.wrote('prod/a', maps, configMap('child', 10));
    // While its list is renewed.
    seen.prod = '';
    expect(writes.unseen('prod/a')).toBeDefined();
    maps.isServed = false;
    expect(writes.unseen('prod/a')).toBeUndefined();
    // What was listed before we wrote may come in late.
    maps.isServed = true;
    seen.prod = '9';
    expect(writes.unseen('prod/a')).toBeDefined();
    seen.prod = '12';
    expect(writes.unseen('prod/a')).toBeUndefined();
  });

  it('is waited for no longer when the custom resource is gone', () => {
    writes.wrote('prod/a', kindAt({}), configMap('child', 10));
    writes.forget('prod/a');
    expect(writes.unseen('prod/a')).toBeUndefined();
  });

  it('is remembered by how it looked, until the child is no more', () => {
    const child = configMap('child', 1, { managedFields: [entry('us', 'Apply', ['f:data'])] });
    const bare = { ...child, metadata: { ...child.metadata, managedFields: [] } };
    const seen = remember(child, child, 'us');
    writes.found('prod/a', child, seen);
    expect(writes.children('prod/a').get('uid-child')).toBe(seen);
    writes.knows('prod/a', child, bare);
    expect(writes.children('prod/a').get('uid-child')).not.toEqual(seen);

    writes.keepOnly('prod/a', new Set(['uid-child']));
    expect(writes.children('prod/a').size).toBe(1);
    writes.keepOnly('prod/a', new Set());
    expect(writes.children('prod/a').size).toBe(0);
  });

  it('is pruned once, while the store still shows it', () => {
    const child = configMap('child', 1);
    writes.knows('prod/a', child, child);
    writes.pruned('prod/a', child);
    expect(writes.isPruned('prod/a', child)).toBe(true);
    expect(writes.children('prod/a').size).toBe(0);
    expect(writes.isPruned('prod/a', configMap('child', 2, { uid: 'later' }))).toBe(false);
    expect(writes.isPruned('prod/b', child)).toBe(false);
    const other = configMap('other', 3);
    writes.pruned('prod/a', other);
    expect([writes.isPruned('prod/a', child), writes.isPruned('prod/a', other)]).toEqual([true, true]);

    writes.keepOnly('prod/a', new Set());
    expect(writes.isPruned('prod/a', child)).toBe(false);
  });

  it('is vouched for by custom resource, and leaves nothing behind of one that is gone', () => {
    const child = configMap('child', 1);
    writes.vouch('prod/a');
    expect([writes.isVouched('prod/a'), writes.isVouched('prod/b')]).toEqual([true, false]);
    writes.knows('prod/a', child, child);
    writes.pruned('prod/a', configMap('other', 1));
    writes.forget('prod/a');
    expect(writes.isVouched('prod/a')).toBe(false);
    expect(writes.isPruned('prod/a', configMap('other', 1))).toBe(false);
    expect(writes.children('prod/a').size).toBe(0);
  });
});
