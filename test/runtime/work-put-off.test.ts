import { beforeEach, describe, expect, it } from '@jest/globals';
import { priorities } from '../../src/runtime/queue/ready-keys.js';
import { type Work, WorkQueue } from '../../src/runtime/queue/work-queue.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

describe('what was asked of a key', () => {
  let clock: VirtualClock;
  let queue: WorkQueue;
  const forever = new AbortController().signal;
  const take = async () => {
    const { key, reasons } = await queue.take(forever);
    return { key, reasons: reasons.words };
  };

  beforeEach(() => {
    clock = new VirtualClock();
    queue = new WorkQueue({ clock, random: () => 0 });
  });

  it('is told by the first ten reasons of a storm, and by how many more there were', async () => {
    for (let index = 1; index <= 4000; index++) queue.add('a/1', `input Pod/web-${index} added`);
    const { reasons } = await take();
    expect([reasons.length, reasons[0], reasons[10]]).toEqual([11, 'input Pod/web-1 added', 'and 3990 more']);
  });

  it('has the priority of a deadline that is served early', async () => {
    queue.add('a/due', '', { priority: priorities.changed, afterMilliseconds: 1000 });
    queue.add('a/related', '');
    queue.add('a/due', '', { priority: priorities.resync });
    expect([(await take()).key, (await take()).key]).toEqual(['a/due', 'a/related']);
  });

  it.each<[string, (work: Work) => void]>([
    ['tried again', (work) => queue.retry(work.key, 'later', work)],
    ['looked at again', (work) => queue.lookAgain(work.key, 'later', work)],
    ['put off', (work) => queue.add(work.key, 'later', { afterMilliseconds: 5, unfinished: work })],
    ['held', (work) => queue.hold(work.key, 'later', 5, work)],
  ])('stays, with its priority, when the work came to nothing and is %s', async (_, putOff) => {
    queue.add('a/1', 'changed', { priority: priorities.changed });
    const work = await queue.take(forever);
    queue.add('a/2', 'related');
    putOff(work);
    queue.done('a/1');
    await clock.advance(5);
    expect(await take()).toEqual({ key: 'a/1', reasons: ['changed', 'later'] });
  });
});
