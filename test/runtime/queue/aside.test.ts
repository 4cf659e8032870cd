import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { Aside } from '../../../src/runtime/queue/aside.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

function stage() {
  const clock = new VirtualClock();
  const work = { idleSince: 0 as number | undefined };
  const aside = new Aside({ clock, idleSince: () => work.idleSince });
  const done: string[] = [];
  const add = (name: string, takes = 0) =>
    aside.add(async () => {
      if (takes > 0) await new Promise<void>((resolve) => clock.after(takes, resolve));
      done.push(`${name} at ${clock.monotonic()}`);
    });
  return { clock, work, aside, done, add };
}

describe('what can wait', () => {
  it('is done when there has been nothing more urgent for a moment, in order and one at a time', async () => {
    const { clock, work, done, add } = stage();
    work.idleSince = undefined;
    add('first', 30);
    add('second');
    await clock.advance(1000);
    expect(done).toEqual([]);
    work.idleSince = 1000;
    await clock.advance(2000);
    expect(done).toEqual(['first at 1280', 'second at 1280']);
  });

  it('is done at once where there is nothing else to do', async () => {
    const { clock, done, add } = stage();
    await clock.advance(10_000);
    add('at leisure');
    await clock.advance(0);
    expect(done).toEqual(['at leisure at 10000']);
  });

  it('has its turn by groups, of which the one with most gives way where too much waits', async () => {
    const { clock, work, aside } = stage();
    work.idleSince = undefined;
    const done: string[] = [];
    const leftOut: string[] = [];
    const add = (group: string, name: string) =>
      aside.add(async () => void done.push(name), { group, leftOut: () => leftOut.push(name) });
    // One is done at once where much waits; while it is under way, nothing else is.
    let end = () => {};
    aside.add(() => new Promise<void>((resolve) => (end = resolve)));
    work.idleSince = 0;
    await clock.advance(1000);
    for (let index = 0; index < 4000; index++) expect(add('loud', `loud ${index}`)).toBe(true);
    expect(add('loud', 'loud 4000')).toBe(false);
    expect(add('quiet', 'quiet 0')).toBe(true);
    expect(add('quiet', 'quiet 1')).toBe(true);
    expect(leftOut).toEqual(['loud 3999', 'loud 3998']);
    end();
    await clock.advance(1000);
    expect(done.slice(0, 5)).toEqual(['loud 0', 'quiet 0', 'loud 1', 'quiet 1', 'loud 2']);
    expect(done).toHaveLength(4000);
  });

  it('is part of no round, neither its own nor that of what was begun with', async () => {
    const { clock, aside } = stage();
    const round = new AsyncLocalStorage<string>();
    const parts: unknown[] = [];
    const add = () => aside.add(async () => void parts.push(round.getStore()));
    await clock.advance(10_000);
    round.run('one', add);
    round.run('another', add);
    await clock.advance(10_000);
    expect(parts).toEqual([undefined, undefined]);
  });

  it('does not wait for ever', async () => {
    const { clock, work, done, add } = stage();
    work.idleSince = undefined;
    add('patient');
    await clock.advance(14_999);
    expect(done).toEqual([]);
    await clock.advance(1);
    expect(done).toEqual(['patient at 15000']);
  });

  it('is done at the end, as long as there is time', async () => {
    const { clock, work, aside, done, add } = stage();
    work.idleSince = undefined;
    for (const name of ['one', 'two', 'three']) add(name, 300);
    const flushed = aside.flush(new AbortController().signal);
    await clock.advance(1000);
    await flushed;
    expect(done).toEqual(['one at 300', 'two at 600']);
    expect(clock.timers).toBe(0);
  });

  it('is over at the end, also what was under way before', async () => {
    const { clock, aside, done, add } = stage();
    await clock.advance(1000);
    add('under way', 800);
    add('next');
    const flushed = aside.flush(new AbortController().signal).then(() => done.push(`over at ${clock.monotonic()}`));
    await clock.advance(1000);
    await flushed;
    expect(done).toEqual(['under way at 1800', 'over at 1800']);
    expect(add('too late')).toBe(false);
  });

  it('keeps nobody from ending by what hangs', async () => {
    const { clock, aside, done, add } = stage();
    await clock.advance(1000);
    aside.add(async (signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      done.push(`gave up at ${clock.monotonic()}`);
    });
    add('next');
    const grace = new AbortController();
    const flushed = aside.flush(grace.signal).then(() => done.push(`over at ${clock.monotonic()}`));
    await clock.advance(4000);
    expect(done).toEqual([]);
    grace.abort();
    await flushed;
    expect(done).toEqual(['gave up at 5000', 'over at 5000']);
    expect(clock.timers).toBe(0);
  });

  it('is done after a time of its own, and then waits as all else', async () => {
    const { clock, work, aside, done, add } = stage();
    aside.addLater(5000, async () => {
      done.push(`later at ${clock.monotonic()}`);
    });
    add('soon');
    await clock.advance(4000);
    expect(done).toEqual(['soon at 250']);
    work.idleSince = 4900;
    await clock.advance(2000);
    expect(done).toEqual(['soon at 250', 'later at 5150']);
    await aside.flush(new AbortController().signal);
    expect(done).toEqual(['soon at 250', 'later at 5150']);
  });

  it('is done at the end though its time has not come, and not put off any more', async () => {
    const { clock, aside, done } = stage();
    const later = async () => {
      done.push(`later at ${clock.monotonic()}`);
      expect(aside.addLater(100, later)).toBe(false);
    };
    aside.addLater(60_000, later);
    const flushed = aside.flush(new AbortController().signal);
    await clock.advance(1000);
    await flushed;
    expect(done).toEqual(['later at 0']);
    expect(clock.timers).toBe(0);
  });

  it('waits for nothing when so much waits that more would be lost', async () => {
    const { clock, work, done, add } = stage();
    work.idleSince = undefined;
    for (let count = 0; count < 2000; count++) add('patient');
    await clock.advance(100);
    expect(done).toEqual([]);
    add('one more');
    await clock.advance(0);
    expect(done).toEqual(['patient at 100']);
  });

  it('is not even remembered when too much waits', () => {
    const { work, add } = stage();
    work.idleSince = undefined;
    // One of them is being done by then.
    expect(Array.from({ length: 4001 }, () => add('one'))).not.toContain(false);
    expect(add('one too many')).toBe(false);
  });
});
