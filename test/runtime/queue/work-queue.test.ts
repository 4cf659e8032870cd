/** Longer than most files: one queue, told by what may be asked of a key at once. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { priorities } from '../../../src/runtime/queue/ready-keys.js';
import { Reasons } from '../../../src/runtime/queue/reasons.js';
import { type Work, WorkQueue } from '../../../src/runtime/queue/work-queue.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

describe('the work queue', () => {
  let clock: VirtualClock;
  let queue: WorkQueue;
  const forever = new AbortController().signal;
  const shown = ({ key, reasons }: Work) => ({ key, reasons: reasons.words });
  const take = async () => shown(await queue.take(forever));
  /** All keys that are ready, in the order in which they are handed out. Each is done before the next is taken. */
  const drain = async () => {
    const keys: string[] = [];
    while (queue.depth > 0) {
      const { key } = await take();
      queue.done(key);
      keys.push(key);
    }
    return keys;
  };

  beforeEach(() => {
    clock = new VirtualClock();
    queue = new WorkQueue({ clock, random: () => 0, groupOf: (key) => key.slice(0, key.indexOf('/')) });
  });

  it('hands out a key once, however often it was added, with each reason once', async () => {
    for (const reason of ['changed', 'drifted', 'changed']) queue.add('a/1', reason);
    expect(await take()).toEqual({ key: 'a/1', reasons: ['changed', 'drifted'] });
    expect(queue.depth).toBe(0);
  });

  it('hands out a key that was added while it was worked on once more, when that work is done', async () => {
    queue.add('a/1', 'first');
    await take();
    queue.add('a/1', 'second');
    queue.add('a/1', 'third');
    expect(queue.depth).toBe(0);

    queue.done('a/1');
    expect(await take()).toEqual({ key: 'a/1', reasons: ['second', 'third'] });
    queue.done('a/1');
    expect(queue.isIdle).toBe(true);
  });

  it.each([
    ['comes after that work', 6000, 0],
    ['comes while it goes on', 1000, 2000],
  ])(
    'keeps a deadline of a key though what was added while it was worked on is no news: one that %s',
    async (_, after, work) => {
      queue.add('a/1', 'defined otherwise');
      queue.add('a/1', 'defined otherwise by now', { afterMilliseconds: after });
      await take();
      queue.add('a/1', 'our own write');
      await clock.advance(work);
      queue.done('a/1', false);
      await clock.advance(Math.max(0, after - work));
      expect([...queue.upcoming()]).toEqual(['a/1']);
    },
  );

  it('says since when it is idle: since the last work was done, and not since it was begun', async () => {
    const began = clock.monotonic();
    expect(queue.idleSince).toBe(began);
    queue.add('a/1', '');
    await take();
    await clock.advance(1000);
    expect(queue.idleSince).toBeUndefined();
    queue.done('a/1');
    await clock.advance(500);
    expect(queue.idleSince).toBe(began + 1000);
  });

  it('never hands a key to two workers, though both wait', async () => {
    const [first, second] = [take(), take()];
    queue.add('a/1', 'first');
    queue.add('a/1', 'second');
    expect(await first).toEqual({ key: 'a/1', reasons: ['first'] });
    queue.done('a/1');
    expect(await second).toEqual({ key: 'a/1', reasons: ['second'] });
  });

  it('hands keys to workers in the order in which the workers came', async () => {
    const taken = [take(), take()];
    queue.add('a/1', '');
    queue.add('a/2', '');
    expect((await Promise.all(taken)).map(({ key }) => key)).toEqual(['a/1', 'a/2']);
  });

  it('is first in, first out', async () => {
    for (const key of ['a/3', 'a/1', 'a/2']) queue.add(key, '');
    expect(await drain()).toEqual(['a/3', 'a/1', 'a/2']);
  });

  it('keeps the place of a key that is added again', async () => {
    for (const key of ['a/1', 'a/2', 'a/3', 'a/1', 'a/2']) queue.add(key, '');
    expect(await drain()).toEqual(['a/1', 'a/2', 'a/3']);
  });

  it('hands out the more urgent first, and a key by its most urgent reason', async () => {
    queue.add('a/resync', '', { priority: priorities.resync });
    queue.add('a/raised', '', { priority: priorities.resync });
    queue.add('a/related', '');
    queue.add('a/changed', '', { priority: priorities.changed });
    queue.add('a/raised', '', { priority: priorities.changed });
    queue.add('a/changed', '', { priority: priorities.resync });
    expect(await drain()).toEqual(['a/changed', 'a/raised', 'a/related', 'a/resync']);
  });

  it('says which keys are next, each once, though one has become more urgent', async () => {
    for (const key of ['a/resync', 'a/raised']) queue.add(key, '', { priority: priorities.resync });
    queue.add('a/related', '');
    queue.add('a/raised', '', { priority: priorities.changed });
    expect([...queue.upcoming()]).toEqual(['a/raised', 'a/related', 'a/resync']);
    await take();
    expect([...queue.upcoming()]).toEqual(['a/related', 'a/resync']);
  });

  it('lets namespaces take turns, so that one with many keys does not hold up another', async () => {
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'b/2']) queue.add(key, '');
    expect(await drain()).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3']);
  });

  it('forgets everything when it is closed, and leaves no timer behind', () => {
    queue.add('a/1', 'changed');
    queue.add('a/2', 'requeued', { afterMilliseconds: 5000 });
    queue.close();
    expect([queue.depth, clock.timers, [...queue.upcoming()]]).toEqual([0, 0, []]);
  });

  it('hands out a key not before its time', async () => {
    queue.add('a/1', 'requeued', { afterMilliseconds: 1000 });
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await take()).toEqual({ key: 'a/1', reasons: ['requeued'] });
  });

  it.each([
    ['the earlier deadline came first', [1000, 5000]],
    ['the later deadline came first', [5000, 1000]],
  ])('counts the earliest deadline when %s, once and with all reasons', async (_, waits) => {
    for (const afterMilliseconds of waits) queue.add('a/1', `after ${afterMilliseconds}`, { afterMilliseconds });
    await clock.advance(1000);
    const { reasons } = await take();
    queue.done('a/1');
    expect([...reasons].sort()).toEqual(['after 1000', 'after 5000']);
    await clock.advance(10_000);
    expect(queue.depth).toBe(0);
    expect(clock.timers).toBe(0);
  });

  it('takes now for earlier than any deadline', async () => {
    queue.add('a/1', 'later', { afterMilliseconds: 1000 });
    queue.add('a/1', 'now');
    expect(await take()).toEqual({ key: 'a/1', reasons: ['now', 'later'] });
    queue.done('a/1');
    await clock.advance(1000);
    expect(queue.depth).toBe(0);
  });

  it('keeps a deadline of a key that had another before, which came to nothing since it was added at once', async () => {
    queue.add('a/1', 'overtaken', { afterMilliseconds: 1000 });
    queue.add('a/1', 'now');
    await drain();
    queue.add('a/1', 'later', { afterMilliseconds: 5000 });
    await clock.advance(4999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await take()).toEqual({ key: 'a/1', reasons: ['later'] });
  });

  it('keeps a deadline of a key that had another before, which an earlier one replaced', async () => {
    queue.add('a/1', 'replaced', { afterMilliseconds: 5000 });
    queue.add('a/1', 'earlier', { afterMilliseconds: 1000 });
    await clock.advance(1000);
    await drain();
    queue.add('a/1', 'later', { afterMilliseconds: 9000 });
    await clock.advance(8999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await take()).toEqual({ key: 'a/1', reasons: ['later'] });
  });

  it('waits for a deadline that falls due while the key is worked on until that work is done', async () => {
    queue.add('a/1', 'now');
    await take();
    queue.add('a/1', 'later', { afterMilliseconds: 10 });
    await clock.advance(10);
    expect(queue.depth).toBe(0);
    queue.done('a/1');
    expect(await take()).toEqual({ key: 'a/1', reasons: ['later'] });
  });

  /** How long a key waits each time that `add` adds it after it was worked on. */
  const waitsOf = async (times: number, add: () => void) => {
    const waits: (number | undefined)[] = [];
    for (let time = 0; time < times; time++) {
      add();
      waits.push(clock.next);
      await clock.advance(clock.next ?? 0);
      queue.done((await take()).key);
    }
    return waits;
  };

  it('waits twice as long after each failure, from 5 ms to 1,000 s', async () => {
    const waits = await waitsOf(20, () => queue.retry('a/1', 'failed'));
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.slice(-3)).toEqual([655_360, 1_000_000, 1_000_000]);
  });

  it('waits up to 10 s to look again, which counts for no failure', async () => {
    const waits = await waitsOf(20, () => queue.lookAgain('a/1', 'behind'));
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.slice(-2)).toEqual([10_000, 10_000]);
    queue.retry('a/1', 'failed');
    expect(clock.next).toBe(5);
    queue.forget('a/1');
    await clock.advance(5);
    queue.done((await take()).key);
    queue.lookAgain('a/1', 'behind');
    expect(clock.next).toBe(5);
  });

  it('waits the shortest time again after a success, and counts for each key alone', async () => {
    for (const key of ['a/1', 'a/1', 'a/1']) queue.retry(key, '');
    queue.forget('a/1');
    await clock.advance(5);
    queue.done((await take()).key);
    queue.retry('a/1', '');
    queue.retry('a/2', '');
    await clock.advance(5);
    expect(await drain()).toEqual(['a/1', 'a/2']);
  });

  it('holds a key for as long as it was told, whatever is added meanwhile, and that key alone', async () => {
    queue.add('a/1', 'changed');
    await take();
    queue.add('a/1', 'drifted');
    queue.hold('a/1', 'asked to wait', 30_000);
    queue.done('a/1');
    queue.add('a/1', 'changed again', { priority: priorities.changed });
    queue.add('a/2', 'changed');
    await clock.advance(29_999);
    expect(await drain()).toEqual(['a/2']);

    await clock.advance(1);
    const { key, reasons } = await take();
    expect([key, [...reasons].sort()]).toEqual(['a/1', ['asked to wait', 'changed again', 'drifted']]);
    queue.done('a/1');
    queue.add('a/1', 'later');
    expect(queue.depth).toBe(1);
  });

  it('hands out a key as urgently as the most urgent of what was added while it was worked on', async () => {
    queue.add('a/1', 'begins');
    const { key } = await take();
    for (const priority of [priorities.resync, priorities.changed, priorities.resync]) queue.add(key, '', { priority });
    queue.done(key);
    expect((await queue.take(forever)).priority).toBe(priorities.changed);
  });

  it('hands out a key as urgently as the most urgent of what was added while it was held', async () => {
    queue.hold('a/1', 'asked to wait', 1000);
    for (const priority of [priorities.resync, priorities.changed, priorities.resync])
      queue.add('a/1', '', { priority });
    await clock.advance(1000);
    expect((await queue.take(forever)).priority).toBe(priorities.changed);
  });

  it('hands out a key that failed as urgently as before, also when something less urgent comes first', async () => {
    queue.retry('a/1', 'failed', { reasons: new Reasons().add('changed'), priority: priorities.changed });
    queue.add('a/1', 'looked at', { priority: priorities.resync });
    expect((await queue.take(forever)).priority).toBe(priorities.changed);
  });

  it('holds each key for as long as it was told, though others are held after it', async () => {
    queue.hold('a/1', 'asked to wait', 30_000);
    queue.hold('a/2', 'asked to wait', 10_000);
    queue.add('a/1', 'changed');
    await clock.advance(29_999);
    expect(await drain()).toEqual(['a/2']);
    await clock.advance(1);
    expect(await drain()).toEqual(['a/1']);
  });

  it('holds a key no longer than it was told where something is added, and by itself for longer each time, up to a minute', async () => {
    for (let times = 0; times < 20; times++) {
      queue.hold('a/1', 'asked to wait', 1000);
      await clock.advance(70_000);
      expect(await drain()).toEqual(['a/1']);
    }
    queue.hold('a/1', 'asked to wait', 1000);
    await clock.advance(59_000);
    expect(await drain()).toEqual([]);
    queue.add('a/1', 'changed');
    expect(await drain()).toEqual(['a/1']);

    queue.forget('a/1');
    queue.hold('a/1', 'asked to wait', 1000);
    await clock.advance(1000);
    expect(await drain()).toEqual(['a/1']);
  });

  it('holds a key that had a deadline before, and does not lose it then', async () => {
    queue.add('a/1', 'due meanwhile', { afterMilliseconds: 1000 });
    queue.hold('a/1', 'asked to wait', 30_000);
    await clock.advance(29_999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    const { reasons } = await take();
    expect([...reasons].sort()).toEqual(['asked to wait', 'due meanwhile']);
  });

  it('holds a key that is gone, too, for whoever comes back under its name', async () => {
    queue.hold('a/1', 'asked to wait', 30_000);
    queue.drop('a/1');
    queue.add('a/1', 'created anew');
    await clock.advance(29_999);
    expect(await drain()).toEqual([]);
    await clock.advance(1);
    expect(await drain()).toEqual(['a/1']);
  });

  it('does nothing more for a key that is gone', async () => {
    queue.add('a/1', '', { afterMilliseconds: 10 });
    queue.drop('a/1');
    expect(clock.timers).toBe(0);
    await clock.advance(10);
    expect(queue.depth).toBe(0);
  });

  it('waits the shortest time again for whoever comes back under the name of a key that is gone', async () => {
    for (let failure = 0; failure < 5; failure++) queue.retry('a/1', 'failed');
    queue.drop('a/1');
    queue.retry('a/1', 'failed');
    await clock.advance(5);
    expect(await drain()).toEqual(['a/1']);
  });

  it('is idle when nothing is ready and nothing is worked on', async () => {
    expect(queue.isIdle).toBe(true);
    queue.add('a/1', '');
    expect(queue.isIdle).toBe(false);
    await take();
    expect(queue.isIdle).toBe(false);
    queue.done('a/1');
    expect(queue.isIdle).toBe(true);
  });

  it('lets a worker go that gives up, and loses no key to it', async () => {
    const gone = new AbortController();
    const waiting = queue.take(gone.signal);
    gone.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(queue.take(gone.signal)).rejects.toThrow('stopped');
    queue.add('a/1', '');
    expect((await take()).key).toBe('a/1');
  });

  it('lets a worker go that gives up, and no other that waits', async () => {
    const gone = new AbortController();
    const waiting = [take(), queue.take(gone.signal), take()];
    gone.abort(new Error('stopped'));
    await expect(waiting[1]).rejects.toThrow('stopped');
    for (const key of ['a/1', 'a/2']) queue.add(key, '');
    expect(await Promise.all([waiting[0], waiting[2]])).toMatchObject([{ key: 'a/1' }, { key: 'a/2' }]);
  });
});
