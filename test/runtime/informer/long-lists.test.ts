import { expect, it } from '@jest/globals';
import { GoneError, InvalidError, RetryAfterError, TransportError } from '../../../src/client/api-error.js';
import type { ListOptions } from '../../../src/client/cluster.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

/** One of a list, whose objects are of versions in no order. */
const listed = (index: number) => added(configMap(`c${index}`, 1 + ((index * 7919) % 10_007)));
const part = { items: [configMap('old', 1)], resourceVersion: '10', continue: 'more' };
const whole = { items: [configMap('a', 1)], resourceVersion: '20' };

it('lets a list stream for as long as it goes on, and takes that for a sign of life', async () => {
  const { cluster, clock, informer, start, stop, lines } = anInformer();
  await start();
  for (let minute = 0; minute < 30; minute++) {
    for (let index = 0; index < 10; index++) cluster.stream.send(listed(minute * 10 + index));
    await clock.advance(50_000);
    expect(informer.silentMilliseconds).toBeLessThanOrEqual(120_000);
  }
  expect(informer.isSynced).toBe(false);
  cluster.stream.send(bookmark('20000', true));
  await settled();
  expect([informer.isSynced, informer.store.size, cluster.asked, lines]).toEqual([true, 300, ['stream'], []]);
  await stop();
});

it('pages a list that stops in the midst of its stream, which is no sign of life', async () => {
  const { cluster, clock, informer, start, stop } = anInformer();
  await start();
  for (let index = 0; index < 200; index++) {
    cluster.stream.send(listed(index));
    await clock.advance(1000);
  }
  cluster.answer(whole);
  await clock.advance(58_000);
  expect([informer.silentMilliseconds > 50_000, cluster.asked]).toEqual([true, ['stream']]);
  await clock.advance(1000);
  expect([informer.isSynced, cluster.asked]).toEqual([true, ['stream', 'list', 'watch from 20']]);
  await stop();
});

it('lets a list stream of which one object takes long, as long as parts of that come', async () => {
  const { cluster, clock, informer, start, stop, stored } = anInformer();
  await start();
  for (let minute = 0; minute < 10; minute++) {
    await clock.advance(50_000);
    cluster.stream.options.partly?.();
  }
  cluster.stream.send(added(configMap('large', 11)), bookmark('20', true));
  await settled();
  expect([informer.isSynced, stored(), cluster.asked]).toEqual([true, ['large@11'], ['stream']]);
  await stop();
});

it('is not kept from paging by what is made anew all the time, where the end of a list is never told', async () => {
  const { cluster, clock, informer, start, stop } = anInformer();
  await start();
  for (let index = 0; index < 10; index++) cluster.stream.send(listed(index));
  cluster.answer(whole);
  for (let second = 1; second <= 60; second++) {
    cluster.stream.options.partly?.();
    cluster.stream.send(added(configMap(`new-${second}`, 20_000 + second)));
    await clock.advance(1000);
  }
  expect([informer.isSynced, cluster.asked]).toEqual([true, ['stream', 'list', 'watch from 20']]);
  await stop();
});

it('pages a list of which the stream was cut off late, and streams it again where the pages expired, and says why', async () => {
  const failures: (readonly [string, unknown])[] = [];
  const failed = (error: Error) => failures.push([error.message, (error as { readonly hint?: unknown }).hint]);
  const { cluster, clock, informer, start, stop, stored } = anInformer({ failed });
  await start();
  for (let index = 0; index < 100; index++) {
    cluster.stream.send(listed(index));
    await clock.advance(1000);
  }
  cluster.stream.fail(new TransportError('closed'));
  cluster.answer(part, new GoneError('410'));
  await clock.advance(1000);
  expect(cluster.asked).toEqual(['stream', 'list', 'list from more']);
  await clock.advance(2000);
  expect(cluster.asked.slice(3)).toEqual(['stream']);
  expect(failures.at(-1)).toEqual([
    'configmaps list failed: after 0 s and 1 objects the API server did not keep the rest',
    'where it is so each time, watch fewer namespaces, or run the controller nearer to the API server',
  ]);
  expect(informer.trouble?.message).toBe(failures.at(-1)?.[0]);
  cluster.stream.send(listed(1), bookmark('20000', true));
  await settled();
  expect([informer.isSynced, informer.trouble, stored()]).toEqual([true, undefined, ['c1@7920']]);
  await stop();
});

it('asks in pages a server that hears too late from its etcd to stream what is there, but reads it', async () => {
  const { cluster, clock, start, stop, stored } = anInformer();
  await start();
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  cluster.stream.fail(new RetryAfterError('504', 1, { status: { code: 504, reason: 'Timeout', details: { causes } } }));
  cluster.answer({ items: [configMap('a', 5)], resourceVersion: '10' });
  await clock.advance(1000);
  expect(cluster.asked).toEqual(['stream', 'list', 'watch from 10']);
  expect(stored()).toEqual(['a@5']);
  await stop();
});

it('waits longer each time that a list expires which cannot be streamed', async () => {
  const { cluster, clock, informer, start, stop } = anInformer();
  cluster.refuse(new InvalidError('no streams'));
  cluster.answer(...Array.from({ length: 20 }, () => [part, new GoneError('410')]).flat());
  await start();
  await clock.advance(60_000);
  expect(cluster.asked.filter((asked) => asked === 'list').length).toBe(7);
  expect(informer.trouble?.message).toContain('did not keep the rest');
  await stop();
});

it('does not take a list for late that was complete in time', async () => {
  const { cluster, clock, synced, stop, lines } = anInformer();
  await synced('10');
  for (let minute = 0; minute < 3; minute++) {
    await clock.advance(60_000);
    cluster.stream.send(bookmark(String(11 + minute)));
  }
  await settled();
  expect([cluster.asked, lines]).toEqual([[], []]);
  await stop();
});

it('C-17: begins again when the token of a page has expired, and never shows half a list', async () => {
  const { cluster, clock, start, stop, stored, heard } = anInformer();
  cluster.refuse(new InvalidError('no streams'));
  cluster.answer({ items: [configMap('old', 1)], resourceVersion: '10', continue: 'expired' }, new GoneError('410'));
  cluster.answer({ items: [configMap('a', 1), configMap('b', 2)], resourceVersion: '20' });
  await start();
  await clock.advance(800);
  expect(cluster.asked).toEqual(['stream', 'list', 'list from expired', 'list', 'watch from 20']);
  expect(heard).toEqual(['added a@1', 'added b@2']);
  expect(stored()).toEqual(['a@1', 'b@2']);
  await stop();
});

it('pages no more than what is watched', async () => {
  const { cluster, start, stop, stored } = anInformer({ namespace: 'test', labelSelector: 'app=web' });
  cluster.refuse(new InvalidError('no streams'));
  const all = [
    configMap('asked-for', 1, { namespace: 'test', labels: { app: 'web' } }),
    configMap('other-app', 2, { namespace: 'test', labels: { app: 'other' } }),
    configMap('elsewhere', 3, { labels: { app: 'web' } }),
  ];
  cluster.list = async (_, { namespace, labelSelector, continue: token }: ListOptions = {}) => {
    const items = all.filter(
      ({ metadata }) =>
        metadata.namespace === (namespace ?? metadata.namespace) &&
        `app=${metadata.labels?.app}` === (labelSelector ?? `app=${metadata.labels?.app}`),
    );
    const more = token === undefined ? { continue: 'more' } : {};
    return { items: items.slice(...(token === undefined ? [0, 1] : [1])), resourceVersion: '10', ...more };
  };
  await start();
  expect(stored()).toEqual(['asked-for@1']);
  await stop();
});
