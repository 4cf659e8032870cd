import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

describe('a watch that says nothing though something is there that it should show', () => {
  let { cluster, clock, informer, synced, stop } = anInformer();
  beforeEach(async () => {
    ({ cluster, clock, informer, synced, stop } = anInformer());
    await synced('10');
  });
  afterEach(() => stop());
  const isOpen = () => cluster.streams.map((stream) => stream.isOpen);

  it.each([
    ['was written', () => informer.wrote('12')],
    ['is told of by a conflict', () => informer.missed()],
  ])('and %s: is made anew after 10 s, and once so soon', async (_, owe) => {
    await clock.advance(50_000);
    owe();
    await clock.advance(9_000);
    owe();
    expect([cluster.asked, isOpen()]).toEqual([[], [true]]);
    await clock.advance(1_000);
    expect([cluster.asked, isOpen()]).toEqual([
      ['list of one', 'watch from 10'],
      [false, true],
    ]);
    owe();
    await clock.advance(70_000);
    expect(isOpen()).toEqual([false, true]);
  });

  it('and is one after such a watch, but has shown something since: is made anew after 10 s', async () => {
    informer.wrote('12');
    await clock.advance(10_000);
    cluster.stream.send(added(configMap('ours', 12)));
    await clock.advance(30_000);
    informer.wrote('13');
    await clock.advance(9_999);
    expect(isOpen()).toEqual([false, true]);
    await clock.advance(1);
    expect(isOpen()).toEqual([false, false, true]);
  });

  it('and repeats its version meanwhile, of which the server is asked: is made anew after 10 s all the same', async () => {
    await clock.advance(55_000);
    informer.wrote('12');
    cluster.answer({ items: [], resourceVersion: '12' });
    await clock.advance(5_000);
    cluster.stream.send(bookmark('10'));
    await settled();
    await clock.advance(5_000);
    expect([cluster.asked[0], isOpen()]).toEqual(['list of one', [false, true]]);
  });

  it('had the usual time, as one after such a watch: is given no more of it by what is written in the end', async () => {
    informer.wrote('12');
    await clock.advance(10_000);
    cluster.stream.send(added(configMap('ours', 12)));
    await clock.advance(75_000);
    informer.wrote('13');
    await clock.advance(4_999);
    expect(isOpen()).toEqual([false, true]);
    await clock.advance(1);
    expect(isOpen()).toEqual([false, false, true]);
  });

  it('shows it, and may say nothing for as long as any other', async () => {
    informer.wrote('12');
    await clock.advance(9_000);
    cluster.stream.send(added(configMap('ours', 12)));
    await clock.advance(89_000);
    expect([cluster.asked, isOpen()]).toEqual([[], [true]]);
  });

  it('shows what is before that: has as long again from there', async () => {
    informer.wrote('12');
    await clock.advance(9_000);
    cluster.stream.send(added(configMap('theirs', 11)));
    await clock.advance(9_000);
    expect(isOpen()).toEqual([true]);
    await clock.advance(1_000);
    expect(isOpen()).toEqual([false, true]);
  });

  it('shows parts of it, however long they take: goes on', async () => {
    informer.wrote('12');
    for (let times = 0; times < 9; times++) {
      await clock.advance(9_000);
      cluster.stream.options.partly?.();
    }
    expect(isOpen()).toEqual([true]);
  });

  it('had shown what a write is answered with that changed nothing: goes on', async () => {
    informer.wrote('9');
    await clock.advance(89_000);
    expect([cluster.asked, isOpen()]).toEqual([[], [true]]);
  });
});

it('a watch that shows it by the list that it begins with may say nothing for as long as any other, and no longer', async () => {
  const { cluster, clock, informer, start, stored, stop } = anInformer();
  await start();
  cluster.stream.send(added(configMap('theirs', 11)));
  await settled();
  informer.wrote('12');
  cluster.stream.send(added(configMap('ours', 12)), bookmark('12', true));
  await settled();
  expect(stored()).toEqual(['ours@12', 'theirs@11']);
  await clock.advance(89_999);
  expect(cluster.streams.map(({ isOpen }) => isOpen)).toEqual([true]);
  await clock.advance(1);
  expect(cluster.streams.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  await stop();
});
