import { describe, expect, it } from '@jest/globals';
import { afterRound } from '../../src/runtime/after-round.js';
import { WorkQueue } from '../../src/runtime/queue/work-queue.js';
import { Echoes } from '../../src/runtime/writes/echoes.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

describe('after a round that failed', () => {
  it('what was asked of it is asked once of the next, whichever of two times comes first', async () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock, random: () => 0.5 });
    const echoes = new Echoes();
    for (let index = 0; index < 15; index++) queue.add('a', `reason ${index}`);
    for (let round = 0; round < 12; round++) {
      const work = await queue.take(new AbortController().signal);
      const outcome = { type: 'retry', because: 'tried again', againAfterMilliseconds: 30_000 } as const;
      afterRound(work, { ...outcome, failure: 'transient' }, { queue, echoes });
      queue.done('a');
      await clock.advance(30_000);
    }
    const { reasons } = await queue.take(new AbortController().signal);
    const more = Number(/and (\d+) more/.exec(reasons.words.join())?.[1]);
    expect(more).toBeLessThan(30);
  });
});

it('what no watch had told yet counts for no failure: the wait after the next one is the shortest', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0.5 });
  const about = { queue, echoes: new Echoes() };
  queue.add('a', 'changed');
  for (let round = 0; round < 12; round++) {
    const work = await queue.take(new AbortController().signal);
    afterRound(work, { type: 'retry', because: 'its watch has not told of it yet' }, about);
    queue.done('a');
    await clock.advance(30_000);
  }
  const work = await queue.take(new AbortController().signal);
  afterRound(work, { type: 'retry', because: 'tried again', failure: 'transient' }, about);
  queue.done('a');
  await clock.advance(10);
  expect(queue.depth).toBe(1);
});
