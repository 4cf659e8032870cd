import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../src/client/cluster.js';
import { pacedCluster } from '../../src/client/paced-cluster.js';
import { forMany } from '../../src/runtime/process/for-many.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

const pods = { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const write = { fieldManager: 'm' };

describe('a paced cluster', () => {
  let clock: VirtualClock;
  let calls: { readonly verb: string; readonly at: number }[];
  let cluster: Cluster;

  beforeEach(() => {
    clock = new VirtualClock();
    calls = [];
    const plain = new Proxy({} as Cluster, {
      get: (_, verb: string) => () => {
        calls.push({ verb, at: clock.monotonic() });
        return verb === 'watch' ? { async *[Symbol.asyncIterator]() {} } : Promise.resolve(manifest);
      },
    });
    cluster = pacedCluster(plain, { perSecond: 10, burst: 3, clock });
  });

  const times = () => calls.map(({ at }) => at);
  const get = (signal?: AbortSignal) => cluster.get(pods, { namespace: 'd', name: 'a' }, signal ? { signal } : {});

  it('lets a burst through at once, and then as many a second as it is told', async () => {
    const all = Array.from({ length: 6 }, () => get());
    await clock.advance(1000);
    await Promise.all(all);
    expect(times()).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it('saves up turns while it rests, up to the burst', async () => {
    await clock.advance(60_000);
    const all = Array.from({ length: 5 }, () => get());
    await clock.advance(1000);
    await Promise.all(all);
    expect(times()).toEqual([60_000, 60_000, 60_000, 60_100, 60_200]);
  });

  it('paces every verb but watching', async () => {
    const all: Promise<unknown>[] = [
      cluster.list(pods),
      cluster.create(pods, manifest, write),
      cluster.update(pods, manifest as never, write),
      cluster.apply(pods, manifest, { ...write, force: true }),
      cluster.patch(pods, { name: 'a', namespace: 'd' }, { type: 'merge', body: {} }, write),
      cluster.delete(pods, { name: 'a', namespace: 'd' }),
    ];
    cluster.watch(pods, {});
    await clock.advance(1000);
    await Promise.all(all);
    expect(calls.map(({ verb, at }) => `${verb} ${at}`)).toEqual([
      'watch 0',
      'list 0',
      'create 0',
      'update 0',
      'apply 100',
      'patch 200',
      'delete 300',
    ]);
  });

  it('makes no call for whoever gave up waiting', async () => {
    const gaveUp = new AbortController();
    const all = [get(), get(), get(), get(gaveUp.signal)];
    await clock.advance(0);
    gaveUp.abort(new Error('enough'));
    await expect(all[3]).rejects.toThrow('enough');
    await clock.advance(1000);
    expect(times()).toEqual([0, 0, 0]);
    expect(clock.timers).toBe(0);
  });

  it('lets nobody wait for those who gave up', async () => {
    const gaveUp = new AbortController();
    const all = [get(), get(), get(), ...Array.from({ length: 100 }, () => get(forMany(gaveUp.signal))), get()];
    await clock.advance(50);
    gaveUp.abort(new Error('enough'));
    await clock.advance(100);
    await Promise.allSettled(all);
    const late = get();
    await clock.advance(100);
    await late;
    expect(times()).toEqual([0, 0, 0, 100, 200]);
  });
});
