import { setMaxListeners } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { sleep } from '../../../src/kube/clock.js';
import { groupOfKey } from '../../../src/runtime/queue/queue-key.js';
import { WorkQueue } from '../../../src/runtime/queue/work-queue.js';
import { settled, VirtualClock } from '../../../src/testing/virtual-clock.js';
import { type Run, runOn } from '../a-run.js';

/** Workers whose rounds take as long as a key and its group say, in seconds. */
function stage(workers: number, seconds: (group: string, key: string) => number) {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0, groupOf: groupOfKey, workers });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const takenAt = new Map<string, number>();
  const busy = new Set<string>();
  const work = async () => {
    for (;;) {
      const work = await queue.take(stop.signal).catch(() => undefined);
      if (!work) return;
      takenAt.set(work.key, clock.monotonic());
      busy.add(work.key);
      const long = seconds(groupOfKey(work.key), work.key);
      await sleep(clock, long * 1000, stop.signal).catch(() => {});
      busy.delete(work.key);
      // What hangs is tried again.
      if (long >= 30) queue.add(work.key, 'again');
      queue.done(work.key);
    }
  };
  for (let worker = 0; worker < workers; worker++) void work();
  const add = (group: string, count: number) => {
    for (let index = 0; index < count; index++) queue.add(`${group}/${index}`, 'test');
  };
  /** How long `key` waits for a worker that is added now, in seconds. */
  const wait = async (key: string) => {
    const at = clock.monotonic();
    takenAt.delete(key);
    queue.add(key, 'edited');
    await settled();
    while (!takenAt.has(key)) await clock.advance(100);
    return (takenAt.get(key)! - at) / 1000;
  };
  return { clock, queue, add, wait, busy, stop };
}

describe('the last worker that is free', () => {
  it.each([4, 16])('of %s is used by an ordinary backlog of one namespace', async (workers) => {
    const { clock, queue, add, stop } = stage(workers, () => 0.1);
    add('busy', 800);
    // In the first round it is kept.
    await clock.advance((800 / workers + 1) * 100);
    expect(queue.isIdle).toBe(true);
    stop.abort();
  });

  it('is left by a namespace that hangs, from the start and for ever', async () => {
    const { clock, add, wait, busy, stop } = stage(4, (group) => (group === 'deaf' ? 30 : 0.1));
    add('deaf', 20);
    const waits: number[] = [];
    for (let edit = 0; edit < 20; edit++) {
      waits.push(await wait('well/one'));
      await clock.advance(7300);
    }
    expect(Math.max(...waits)).toBe(0);
    expect(busy.size).toBe(3);
    stop.abort();
  });

  it('is left by a namespace that begins to hang, though all that it had before went well', async () => {
    let isDeaf = false;
    const { clock, queue, add, wait, busy, stop } = stage(4, (group) => (group === 'deaf' && isDeaf ? 30 : 0.1));
    add('deaf', 20);
    await clock.advance(5000);
    expect(queue.isIdle).toBe(true);
    isDeaf = true;
    add('deaf', 20);
    await clock.advance(100);
    expect(busy.size).toBe(3);
    expect(await wait('well/one')).toBe(0);
    stop.abort();
  });

  it('is left by a namespace of which one round hangs, though all others go well', async () => {
    const { clock, add, wait, busy, stop } = stage(3, (_, key) => (key === 'mixed/0' ? 30 : 0.1));
    add('mixed', 200);
    await clock.advance(1050);
    expect(busy.size).toBe(3);
    await clock.advance(1500);
    expect(busy.size).toBe(2);
    expect(await wait('well/one')).toBe(0);
    stop.abort();
  });

  it('is left by several that hang', async () => {
    const { clock, add, wait, stop } = stage(4, (group) => (group.startsWith('deaf') ? 30 : 0.1));
    for (const group of ['deaf 1', 'deaf 2', 'deaf 3', 'deaf 4', 'deaf 5']) add(group, 20);
    // Of each it has to be learnt.
    await clock.advance(600_000);
    for (let edit = 0; edit < 20; edit++) {
      expect(await wait('well/one')).toBe(0);
      await clock.advance(7300);
    }
    stop.abort();
  });

  it('is used again by a namespace of which nothing took long for half an hour', async () => {
    let long = 3;
    const { clock, add, busy, stop } = stage(4, () => long);
    add('mended', 20);
    await clock.advance(60_000);
    long = 0.1;
    const most = async () => {
      add('mended', 100);
      let found = 0;
      for (let tick = 0; tick < 20; tick++) {
        await clock.advance(50);
        found = Math.max(found, busy.size);
      }
      await clock.advance(60_000);
      return found;
    };
    expect(await most()).toBe(3);
    await clock.advance(1_800_000);
    expect(await most()).toBe(4);
    stop.abort();
  });

  it('is used where it is the only one', async () => {
    const { clock, add, busy, stop } = stage(1, () => 30);
    add('deaf', 2);
    await clock.advance(31_000);
    expect(busy.size).toBe(1);
    stop.abort();
  });

  it.each([4, 2])('of %s is left by a custom resource that is in no namespace and hangs', async (workers) => {
    const { clock, queue, wait, stop } = stage(workers, (group) => (group.startsWith('/deaf') ? 30 : 0.1));
    for (let index = 0; index < 20; index++) queue.add(`/deaf ${index}`, 'test');
    await clock.advance(900_000);
    for (let edit = 0; edit < 20; edit++) {
      expect(await wait('/well')).toBe(0);
      await clock.advance(7300);
    }
    stop.abort();
  });
});

describe('a service that does not answer for one namespace', () => {
  let run: Run | undefined;
  afterEach(() => run?.stop());

  it('holds up no edit in another', async () => {
    const Shelf = customResource({
      group: 'shelf.example.com',
      version: 'v1',
      kind: 'Shelf',
      spec: s.object({ books: s.int32() }),
    });
    const shelf = operator(Shelf, {
      owns: [ConfigMap],
      compose(scope, { spec }) {
        new ConfigMap(scope, 'list', { data: { books: String(spec.books) } });
      },
      external: {
        seat: {
          pollSeconds: 3600,
          async observe({ metadata }, { signal }) {
            if (metadata.namespace === 'deaf') await sleep(run!.cluster.clock, 1e7, signal);
            return 'seat';
          },
          ensure: async () => 'seat',
          remove: async () => {},
        },
      },
    });
    run = await runOn([shelf]);
    const { cluster } = run;
    for (const name of ['deaf', 'well'])
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const apply = (namespace: string, name: string, books: number) =>
      cluster.apply({
        apiVersion: Shelf.apiVersion,
        kind: Shelf.kind,
        metadata: { name, namespace },
        spec: { books },
      });
    for (let index = 0; index < 20; index++) await apply('deaf', `one-${index}`, 1);
    for (let books = 1; books <= 12; books++) {
      await apply('well', 'one', books);
      await cluster.advance(1);
      expect((await cluster.get(ConfigMap, 'one-list', { namespace: 'well' })).data).toEqual({ books: String(books) });
      await cluster.advance(7.3);
    }
  });
});
