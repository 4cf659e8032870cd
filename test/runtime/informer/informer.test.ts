import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GoneError,
  InvalidError,
  NotFoundError,
  RetryAfterError,
  TransportError,
} from '../../../src/client/api-error.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { dependantsOf } from '../../dependants-of.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark, deleted, modified } from '../scripted-cluster.js';

const unsupported = new InvalidError(
  'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
);
const items = (...names: readonly string[]): KubeObject[] => names.map((name, index) => configMap(name, index + 1));

describe('the informer', () => {
  let one = anInformer();
  beforeEach(() => {
    one = anInformer();
  });
  afterEach(() => one.stop());

  it('fills its store by one stream, and goes on with it', async () => {
    const { cluster, informer, start, stored, heard } = one;
    await start();
    cluster.stream.send(added(configMap('a', 5)), added(configMap('b', 6)));
    await settled();
    expect([informer.isSynced, stored()]).toEqual([false, []]);

    cluster.stream.send(bookmark('10', true), modified(configMap('a', 11)), deleted(configMap('b', 12)));
    await informer.synced();
    await settled();
    expect(heard).toEqual(['added a@5', 'added b@6', 'updated a@11', 'deleted b@6']);
    expect(informer.version).toBe('12');
    expect(cluster.asked).toEqual(['stream']);
  });

  it('takes in what changes while the list is streamed', async () => {
    const { cluster, start, stored } = one;
    await start();
    cluster.stream.send(
      ...[added(configMap('a', 5)), added(configMap('b', 6)), modified(configMap('a', 7)), deleted(configMap('b', 8))],
      bookmark('8', true),
    );
    await settled();
    expect(stored()).toEqual(['a@7']);
  });

  it('holds a change before it tells of it', async () => {
    const { cluster, informer, synced } = one;
    await synced('10', configMap('a', 5));
    const seen: (string | undefined)[] = [];
    informer.subscribe(() => seen.push(informer.store.get('prod', 'a')?.metadata.resourceVersion));
    cluster.stream.send(modified(configMap('a', 11)), deleted(configMap('a', 12)));
    await settled();
    expect(seen).toEqual(['11', undefined]);
  });

  it('tells a change to every listener, though one throws, and to none that has unsubscribed', async () => {
    const { cluster, informer, synced, heard, lines } = one;
    await synced('10');
    const late: string[] = [];
    const unsubscribe = informer.subscribe(() => {
      throw new Error('oops');
    });
    informer.subscribe(({ object }) => late.push(object.metadata.name));
    cluster.stream.send(added(configMap('a', 11)));
    await settled();
    unsubscribe();
    cluster.stream.send(added(configMap('b', 12)));
    await settled();
    expect(heard).toEqual(['added a@11', 'added b@12']);
    expect(late).toEqual(['a', 'b']);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({ msg: 'Failed to tell a listener', error: 'oops' }),
    ]);
  });

  it('C-15: pages its list when the server cannot stream one, and asks for no stream again', async () => {
    const { cluster, start, stored, informer } = one;
    cluster.refuse(unsupported);
    cluster.answer(
      { items: items('a', 'b'), resourceVersion: '10', continue: 'more' },
      { items: items('c'), resourceVersion: '10' },
    );
    await start();
    expect(stored()).toEqual(['a@1', 'b@2', 'c@1']);
    expect(informer.isSynced).toBe(true);
    expect(cluster.asked).toEqual(['stream', 'list', 'list from more', 'watch from 10']);

    cluster.stream.fail(new GoneError('410'));
    await settled();
    expect(cluster.asked.slice(4)).toEqual(['list', 'watch from 1000000']);
  });

  it('C-16: does not claim to be filled while the end of the list is missing, warns, and pages it', async () => {
    const { cluster, clock, start, informer, lines, stored } = one;
    cluster.answer({ items: items('a'), resourceVersion: '10' });
    await start();
    cluster.stream.send(added(configMap('a', 1)), bookmark('5'));
    await clock.advance(59_999);
    expect(informer.isSynced).toBe(false);
    await clock.advance(1);
    expect(cluster.asked).toEqual(['stream', 'list', 'watch from 10']);
    expect(stored()).toEqual(['a@1']);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it.each([
    ['C-04: the first list is answered with 500', new TransportError('500'), 800],
    ['fault 4, C-05: the first list is answered with 429', new RetryAfterError('429', 5), 5000],
  ])('%s: waits, and lists again', async (_, error, wait) => {
    const { cluster, clock, start, informer } = one;
    cluster.refuse(error);
    await start();
    await clock.advance(wait - 1);
    expect(cluster.asked).toEqual(['stream']);
    await clock.advance(1);
    cluster.stream.send(bookmark('1', true));
    await settled();
    expect(informer.isSynced).toBe(true);
  });

  it('is not filled by a stream that ends before its list does, and asks again after a pause', async () => {
    const { cluster, clock, start, informer, stored } = one;
    await start();
    cluster.stream.send(added(configMap('a', 1)));
    await clock.advance(5000);
    cluster.stream.end();
    await settled();
    expect([informer.isSynced, stored(), cluster.asked]).toEqual([false, [], ['stream']]);
    await clock.advance(800);
    expect(cluster.asked).toEqual(['stream', 'stream']);
  });

  it('C-19: waits for a kind that is not served, says so once, and is there when it is', async () => {
    const { cluster, clock, start, informer, lines } = one;
    cluster.refuse(...Array.from({ length: 10 }, () => new NotFoundError('404')));
    await start();
    await clock.advance(100_000);
    expect([informer.isServed, informer.isSynced]).toEqual([false, false]);
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);

    await clock.advance(200_000);
    cluster.stream.send(added(configMap('a', 1)), bookmark('5', true));
    await settled();
    expect([informer.isServed, informer.isSynced]).toEqual([true, true]);
  });

  it('C-19: infers no deletions from a kind that is served no longer, and lists it when it is served again', async () => {
    const { cluster, clock, synced, stored, heard, informer } = one;
    await synced('10', configMap('a', 5));
    cluster.refuse(new NotFoundError('404'));
    cluster.stream.fail(new TransportError('closed'));
    await clock.advance(800);
    expect([informer.isServed, stored(), heard]).toEqual([false, ['a@5'], []]);
    await clock.advance(1600);
    cluster.stream.send(bookmark('50', true));
    await settled();
    expect([informer.isServed, heard]).toEqual([true, ['deleted a@5']]);
  });

  it('spreads its waits and its watches, so that controllers do not all come at once', async () => {
    const lucky = anInformer({ random: () => 0.5 });
    lucky.cluster.refuse(new TransportError('500'));
    await lucky.start();
    expect(lucky.clock.next).toBeCloseTo(1200);
    await lucky.clock.advance(1201);
    expect(lucky.cluster.stream.options.timeoutSeconds).toBe(5400);
    lucky.cluster.stream.send(bookmark('1', true));
    for (let minute = 0; minute < 7; minute++) {
      await lucky.clock.advance(60_000);
      lucky.cluster.stream.send(bookmark(String(2 + minute)));
    }
    await lucky.clock.advance(30_000);
    expect(lucky.cluster.asked).toEqual(['stream', 'stream', 'watch from 8']);
    expect(lucky.cluster.stream.options.timeoutSeconds).toBe(450);
    await lucky.stop();
  });

  it('asks for its namespace and its labels alone, and for bookmarks', async () => {
    const narrow = anInformer({ namespace: 'prod', labelSelector: 'a=b' });
    await narrow.start();
    expect(narrow.cluster.stream.options).toMatchObject({
      namespace: 'prod',
      labelSelector: 'a=b',
      allowWatchBookmarks: true,
    });
    await narrow.stop();
  });

  it.each([
    ['while it watches', async () => one.synced('10')],
    [
      'while it waits',
      async () => {
        one.cluster.refuse(new TransportError('500'));
        await one.start();
      },
    ],
  ])('stops at once %s, and leaves nothing behind', async (_, begin) => {
    await begin();
    await one.stop();
    expect(one.clock.timers).toBe(0);
    expect(one.cluster.streams.filter(({ isOpen }) => isOpen)).toEqual([]);
  });

  it('leaves nothing of lists that failed on the signal of the process', async () => {
    const { cluster, clock, informer } = one;
    const stop = new AbortController();
    cluster.refuse(...Array.from({ length: 20 }, () => new TransportError('closed')));
    const ended = informer.run(stop.signal);
    await clock.advance(3_600_000);
    expect(cluster.asked.filter((asked) => asked === 'stream').length).toBeGreaterThan(20);
    expect(dependantsOf(stop.signal)).toBe(0);
    stop.abort();
    await ended;
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
