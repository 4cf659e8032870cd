import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ForbiddenError,
  GoneError,
  InvalidError,
  RetryAfterError,
  TransportError,
} from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark, deleted, modified } from '../scripted-cluster.js';

const broken = new TransportError('the connection broke');
/** Whether the server knows as much as before is asked where whoever serves next may be another. */
const asksHowNew = 'list of one';

describe('a watch that goes wrong', () => {
  let { cluster, clock, heard, lines, stored, synced, stop } = anInformer();
  beforeEach(async () => {
    ({ cluster, clock, heard, lines, stored, synced, stop } = anInformer());
    await synced('10', configMap('a', 5), configMap('gone', 6));
  });
  afterEach(() => stop());
  /** For so long there is a bookmark each minute, of later and later versions: something else changes all the time. */
  const minutes = async (seconds: number, last: number) => {
    const { stream } = cluster;
    for (let left = Math.ceil(seconds / 60) - 1; left >= 0; left--) {
      stream.send(bookmark(String(last - left)));
      await clock.advance(60_000);
    }
    return stream;
  };
  /** Until the watch has had its time: this one began with a list, and the server was told of a longer one. */
  const inTime = async (version: string) => {
    const stream = await minutes(300, Number(version));
    expect(stream.isOpen).toBe(false);
  };

  it('resumes from its last version when its time is over, as it is every few minutes, and asks for nothing else', async () => {
    cluster.stream.send(modified(configMap('a', 11)));
    await settled();
    expect(stored()).toContain('a@11');
    await inTime('16');
    expect(cluster.asked).toEqual(['watch from 16']);
  });

  it('resumes likewise when the server ends a later one, as it was told to', async () => {
    await inTime('15');
    const stream = await minutes(cluster.stream.options.timeoutSeconds ?? 0, 20);
    stream.end();
    await settled();
    expect(cluster.asked).toEqual(['watch from 15', 'watch from 20']);
  });

  it('resumes from the last bookmark, however long ago the last change was', async () => {
    await inTime('99');
    expect(cluster.asked).toEqual(['watch from 99']);
  });

  it('the server ends it before its time, as when it is restarted: resumes where it knows as much as before', async () => {
    cluster.stream.send(bookmark('99'));
    await clock.advance(60_000);
    cluster.stream.end();
    await settled();
    expect(cluster.asked).toEqual([asksHowNew, 'watch from 99']);
  });

  it.each([
    ['fault 1, C-01: it says that the version is gone', () => cluster.stream.fail(new GoneError('410'))],
    [
      'fault 2, C-02: the next watch is answered with 410',
      () => {
        cluster.refuse(new GoneError('410'));
        cluster.stream.fail(broken);
      },
    ],
  ])('%s: lists anew, and tells what happened meanwhile', async (_, fail) => {
    fail();
    await clock.advance(800);
    expect(cluster.asked.at(-1)).toBe('stream');
    expect(heard).toEqual([]);

    cluster.stream.send(added(configMap('a', 12)), added(configMap('new', 13)), bookmark('20', true));
    await settled();
    expect(heard).toEqual(['deleted gone@6', 'updated a@12', 'added new@13']);
    cluster.stream.send(modified(configMap('new', 21)));
    await settled();
    expect(stored()).toEqual(['a@12', 'new@21']);
  });

  it.each([
    ['fault 3, C-04: the new list is answered with 500', broken],
    ['fault 3, C-05: the new list is answered with 429', new RetryAfterError('429', 3)],
    ['fault 3: the new list is forbidden', new ForbiddenError('403')],
  ])('%s: takes it for no deletion, and lists again', async (_, error) => {
    cluster.refuse(error);
    cluster.stream.fail(new GoneError('410'));
    await settled();
    expect(stored()).toEqual(['a@5', 'gone@6']);
    await clock.advance(3000);
    expect(cluster.asked).toEqual(['stream', 'stream']);
    expect(heard).toEqual([]);
  });

  it.each([
    ['fault 5: the next watch is answered with 500', broken, 800],
    ['fault 6, C-05: the next watch is answered with 429', new RetryAfterError('429', 3), 3000],
    ['the next watch is answered with 429 that asks for less than the back-off', new RetryAfterError('429', 0.1), 800],
  ])('%s: waits, and resumes without a new list', async (_, error, wait) => {
    cluster.refuse(error);
    await inTime('15');
    await clock.advance(wait - 1);
    expect(cluster.asked).toEqual(['watch from 15']);
    await clock.advance(1);
    expect(cluster.asked.filter((asked) => asked !== asksHowNew)).toEqual(['watch from 15', 'watch from 15']);
  });

  it.each([
    ['fault 7, C-06: the connection is reset', broken],
    ['fault 8: it says ERROR 500', new TransportError('500', { status: { code: 500 } })],
    ['fault 9, C-07: a line cannot be parsed', new TransportError('a line is not JSON')],
    ['something throws that nobody has foreseen', new TypeError('oops')],
  ])('%s: resumes from the last version that it has taken in', async (_, error) => {
    cluster.stream.send(modified(configMap('a', 11)));
    cluster.stream.fail(error);
    await clock.advance(800);
    expect(cluster.asked.filter((asked) => asked !== asksHowNew)).toEqual(['watch from 11']);
    cluster.stream.send(modified(configMap('a', 12)));
    await settled();
    expect(heard).toEqual(['updated a@11', 'updated a@12']);
  });

  it('fault 11, C-11: a list shows the past: brings nothing back, and asks until the server has caught up', async () => {
    cluster.stream.send(deleted(configMap('gone', 30)));
    cluster.stream.fail(new GoneError('410'));
    await settled();
    cluster.stream.send(added(configMap('a', 5)), added(configMap('gone', 6)), bookmark('29', true));
    await clock.advance(800);
    expect(heard).toEqual(['deleted gone@6']);
    expect(stored()).toEqual(['a@5']);

    cluster.stream.send(added(configMap('a', 31)), bookmark('31', true));
    await settled();
    expect(stored()).toEqual(['a@31']);
  });

  it('an event shows the past: is no news, and the watch does not go back to it', async () => {
    cluster.stream.send(modified(configMap('a', 4)), bookmark('3'));
    cluster.stream.fail(broken);
    await clock.advance(800);
    expect(heard).toEqual([]);
    expect(cluster.asked).toEqual([asksHowNew, 'watch from 10']);
  });

  it('C-12: steps in between were missed: takes the end for all of it', async () => {
    cluster.stream.fail(broken);
    await clock.advance(800);
    cluster.stream.send(modified(configMap('a', 40)), deleted(configMap('gone', 41)));
    await settled();
    expect(heard).toEqual(['updated a@40', 'deleted gone@6']);
  });

  it('an object was made anew under the same name while nobody watched: is a deletion and an addition', async () => {
    cluster.stream.fail(new GoneError('410'));
    await settled();
    cluster.stream.send(added(configMap('a', 12, { uid: 'other' })), added(configMap('gone', 6)), bookmark('20', true));
    await settled();
    expect(heard).toEqual(['deleted a@5', 'added a@12']);
  });

  it('C-04: nothing works twenty times: waits 0.8 s to 30 s, never gives up, and begins anew when it works', async () => {
    cluster.refuse(...Array.from({ length: 20 }, () => broken));
    cluster.stream.fail(broken);
    await settled();
    const waits: (number | undefined)[] = [];
    while (cluster.streams.length === 1) {
      waits.push(clock.next);
      await clock.advance(clock.next ?? 0);
    }
    expect(waits).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, ...Array.from({ length: 15 }, () => 30_000)]);

    cluster.stream.send(bookmark('50'));
    cluster.stream.fail(broken);
    await settled();
    expect(clock.next).toBe(800);
  });

  it.each([
    ['500', new TransportError('etcd event received with PrevKv=nil', { status: { code: 500 } })],
    ['400', new InvalidError('invalid resource version', { status: { code: 400 } })],
  ])(
    'a server answers %s each time that it is to go on from a version: is asked for a list in the end',
    async (_, error) => {
      for (let round = 0; cluster.asked.at(-1) !== 'stream'; round++) {
        expect(round).toBeLessThan(6);
        cluster.stream.fail(error);
        await settled();
        await clock.advance(clock.next ?? 0);
      }
      cluster.stream.send(added(configMap('a', 12)), bookmark('20', true));
      await settled();
      expect(heard).toEqual(['deleted gone@6', 'updated a@12']);
    },
  );

  it('a server that is away answers 503: is asked to go on from where it was', async () => {
    for (let round = 0; round < 10; round++) {
      cluster.stream.fail(new TransportError('503', { status: { code: 503 } }));
      await settled();
      await clock.advance(clock.next ?? 0);
    }
    expect(new Set(cluster.asked)).toEqual(new Set(['watch from 10']));
  });

  it.each([
    ['without a word', () => {}],
    ['after a bookmark', () => cluster.stream.send(bookmark('10'))],
  ])('the server closes every stream at once, %s: is no reason to ask without a pause', async (_, first) => {
    for (let round = 0; round < 5; round++) {
      first();
      cluster.stream.end();
      await settled();
      expect(clock.next).toBeGreaterThanOrEqual(800);
      await clock.advance(clock.next ?? 0);
    }
    expect(cluster.asked).toEqual(Array.from({ length: 5 }, () => [asksHowNew, 'watch from 10']).flat());
  });

  it('logs each failure once', async () => {
    const before = lines.length;
    cluster.stream.fail(broken);
    await clock.advance(800);
    expect(lines.slice(before)).toEqual([expect.objectContaining({ level: 'warn', error: broken.message })]);
  });
});
