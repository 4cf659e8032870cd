import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ForbiddenError, TransportError } from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

const broken = new TransportError('the connection broke');

describe('a watch that says nothing', () => {
  let { cluster, clock, informer, lines, newest, stored, synced, stop } = anInformer();
  beforeEach(async () => {
    ({ cluster, clock, informer, lines, newest, stored, synced, stop } = anInformer());
    await synced('10');
  });
  afterEach(() => stop());

  it('fault 10, C-08, C-09: nothing is heard: is made anew after 90 s', async () => {
    await clock.advance(60_000);
    cluster.stream.send(bookmark('11'));
    await clock.advance(89_999);
    expect(cluster.asked).toEqual([]);
    await clock.advance(1);
    expect(cluster.streams[0]?.isOpen).toBe(false);
    expect(cluster.asked).toEqual(['list of one', 'watch from 11']);
  });

  /** Each minute the version that it has told before. */
  const repeated = async (minutes: number, version = '10') => {
    const { stream } = cluster;
    for (let minute = 0; minute < minutes; minute++) {
      await clock.advance(60_000);
      stream.send(bookmark(version));
      await settled();
    }
  };

  it('but a version that it told before, as of a server that hears nothing from etcd any more: has to show what is later', async () => {
    newest.saw('12');
    cluster.answer({ items: [], resourceVersion: '12' });
    await repeated(2);
    // It is there, and what it shows is no news.
    expect([informer.silentMilliseconds, informer.staleMilliseconds]).toEqual([0, 120_000]);
    expect([cluster.asked, cluster.streams[0]?.isOpen]).toEqual([['list of one'], true]);
    await clock.advance(30_000);
    expect(cluster.streams[0]?.isOpen).toBe(false);
    expect(cluster.asked.slice(1)).toEqual(['list of one', 'watch from 10']);
  });

  it('but a version that it told before, and something later as soon as it was asked: goes on', async () => {
    newest.saw('12');
    cluster.answer({ items: [], resourceVersion: '12' });
    await repeated(1);
    await clock.advance(60_000);
    cluster.stream.send(bookmark('12'));
    await settled();
    await clock.advance(89_000);
    expect([cluster.asked, cluster.streams[0]?.isOpen]).toEqual([['list of one'], true]);
  });

  it('but a version that it told before, as one that had to show what was later, and did: goes on', async () => {
    newest.saw('12');
    cluster.answer({ items: [], resourceVersion: '12' });
    await repeated(1);
    cluster.stream.send(bookmark('12'));
    await settled();
    newest.saw('14');
    cluster.answer(...Array.from({ length: 3 }, () => ({ items: [], resourceVersion: '12' })));
    await repeated(3, '12');
    expect([informer.staleMilliseconds, cluster.streams[0]?.isOpen]).toEqual([0, true]);
  });

  it('but a version that it told before, of a server that has less than that by now: is made anew after 90 s', async () => {
    newest.saw('12');
    cluster.answer(...Array.from({ length: 2 }, () => ({ items: [], resourceVersion: '5' })));
    await repeated(2);
    expect([informer.staleMilliseconds, cluster.streams[0]?.isOpen]).toEqual([120_000, true]);
    await clock.advance(30_000);
    expect(cluster.streams[0]?.isOpen).toBe(false);
  });

  it('but a version that it told before, of a kind of which there is nothing later: goes on, and is up to date', async () => {
    newest.saw('12');
    cluster.answer(...Array.from({ length: 4 }, () => ({ items: [], resourceVersion: '10' })));
    await repeated(4);
    expect([informer.staleMilliseconds, cluster.streams[0]?.isOpen]).toEqual([0, true]);
  });

  it('but a version that it told before, as all others of that server: costs nothing, and is up to date', async () => {
    newest.saw('10');
    await repeated(4);
    expect([informer.staleMilliseconds, cluster.asked]).toEqual([0, []]);
  });

  it('but a version that it told before, to who may not ask: goes on', async () => {
    newest.saw('12');
    cluster.refuse(...Array.from({ length: 4 }, () => new ForbiddenError('403')));
    await repeated(4);
    expect(cluster.streams[0]?.isOpen).toBe(true);
  });

  it('goes on for as long as parts of an object come, which are a sign of life, however long it takes', async () => {
    for (let minute = 0; minute < 4; minute++) {
      await clock.advance(60_000);
      cluster.stream.options.partly?.();
    }
    expect([informer.silentMilliseconds, cluster.asked]).toEqual([0, []]);
    cluster.stream.send(added(configMap('large', 11)));
    await settled();
    expect(stored()).toEqual(['large@11']);
  });

  it('a kind is so quiet that there are no bookmarks: has the server look how new it is, and that is no failure', async () => {
    const before = lines.length;
    await clock.advance(90_000);
    await clock.advance(60_000);
    expect(informer.silentMilliseconds).toBe(150_000);
    cluster.stream.send(bookmark('12'));
    await settled();
    expect(informer.silentMilliseconds).toBe(0);
    expect(lines.slice(before).filter(({ level }) => level !== 'debug')).toEqual([]);

    cluster.asked.length = 0;
    await clock.advance(90_000);
    expect(cluster.asked).toEqual(['list of one', 'watch from 12']);
  });

  it('a server that sends no bookmark though it was asked: is listed, before a probe fails, and that is no failure', async () => {
    const before = lines.length;
    await clock.advance(90_000);
    await clock.advance(80_000);
    expect(cluster.asked).toEqual(['list of one', 'watch from 10', 'stream']);
    cluster.stream.send(bookmark('12', true));
    await settled();
    expect([informer.silentMilliseconds, informer.staleMilliseconds]).toEqual([0, 0]);
    expect(lines.slice(before).filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  it('a watch that shows nothing, and a list that shows what had changed: takes it in, and warns', async () => {
    await clock.advance(90_000);
    await clock.advance(80_000);
    const before = lines.length;
    cluster.stream.send(added(configMap('missed', 11)), bookmark('12', true));
    await settled();
    expect(stored()).toEqual(['missed@11']);
    expect(lines.slice(before)).toMatchObject([
      { level: 'warn', msg: 'The watch had not shown what changed', missed: 1 },
    ]);
  });

  it('nothing is heard, and no list of all comes: warns once, asks again after growing waits, and shows no life', async () => {
    const before = lines.length;
    await clock.advance(90_000);
    await clock.advance(80_000);
    expect(cluster.asked).toEqual(['list of one', 'watch from 10', 'stream']);
    cluster.refuse(...Array.from({ length: 9 }, () => broken));
    cluster.stream.fail(broken);
    await settled();
    const waits: (number | undefined)[] = [];
    for (let round = 0; round < 9; round++) {
      waits.push(clock.next);
      await clock.advance(clock.next ?? 0);
    }
    expect(waits.slice(0, 3)).toEqual([800, 1600, 3200]);
    expect(lines.slice(before).filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(informer.silentMilliseconds).toBeGreaterThan(300_000);
  });

  it('nothing is heard, and it is stopped in the moment in which the server has said how new it is: ends', async () => {
    const list = cluster.list.bind(cluster);
    let stopped: Promise<void> | undefined;
    cluster.list = async (...asked) => {
      const answer = await list(...asked);
      stopped = stop();
      return answer;
    };
    await clock.advance(90_000);
    expect(cluster.streams.filter(({ isOpen }) => isOpen)).toEqual([]);
    await stopped;
  });

  it('nothing is heard, and the server is not to be reached: is a failure like any other', async () => {
    cluster.refuse(broken);
    await clock.advance(90_000);
    expect(clock.next).toBe(800);
    await clock.advance(800);
    expect(cluster.asked).toEqual(['list of one', 'list of one', 'watch from 10']);
  });

  it('C-03: nothing is heard, and the server, when it looks, knows less: does not go on from where it was', async () => {
    cluster.answer({ items: [], resourceVersion: '4' });
    await clock.advance(90_000);
    expect(cluster.asked).toEqual(['list of one', 'stream']);
    cluster.stream.send(added(configMap('a', 3)), bookmark('4', true));
    await settled();
    expect(stored()).toEqual(['a@3']);
  });

  it('a refusal is a sign of life, and silence is none', async () => {
    await clock.advance(89_000);
    // Neither how new the server is may be asked, nor what comes next.
    cluster.refuse(...Array.from({ length: 2 }, () => new ForbiddenError('403', { status: { code: 403 } })));
    cluster.stream.fail(broken);
    await settled();
    expect(informer.silentMilliseconds).toBe(89_000);
    await clock.advance(800);
    expect(informer.silentMilliseconds).toBe(0);
  });
});
