import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ForbiddenError, GoneError, InvalidError, TransportError } from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

const broken = new TransportError('the connection broke');
const asksHowNew = 'list of one';

describe('C-03: the server was restored from a backup', () => {
  let { cluster, clock, informer, heard, stored, synced, stop } = anInformer();
  const past = { items: [configMap('a', 2)], resourceVersion: '3' };
  let lost: number;
  beforeEach(async () => {
    ({ cluster, clock, informer, heard, stored, synced, stop } = anInformer());
    await synced('10', configMap('a', 5), configMap('gone', 6));
    lost = 0;
    informer.onHistoryLost(() => lost++);
  });
  afterEach(() => stop());

  it.each([
    ['it breaks', () => cluster.stream.fail(broken)],
    ['it ends before its time', () => cluster.stream.end()],
  ])('and %s: does not watch on from what was never there, lists anew, and says so', async (_, end) => {
    cluster.answer(past);
    await clock.advance(2000);
    end();
    await clock.advance(800);
    expect(cluster.asked).toEqual([asksHowNew, 'stream']);
    expect(lost).toBe(1);
    // A list that fails is no empty one, in this history either.
    cluster.stream.fail(broken);
    await clock.advance(1600);
    expect(stored()).toEqual(['a@5', 'gone@6']);
    cluster.stream.send(added(configMap('a', 2)), bookmark('3', true), added(configMap('new', 4)));
    await settled();
    expect(stored()).toEqual(['a@2', 'new@4']);
    expect(heard).toEqual(['deleted gone@6', 'updated a@2', 'added new@4']);
    expect(lost).toBe(1);
  });

  it.each<[string, string, number]>([
    ['an earlier state of what was seen last: lists anew', '4', 1],
    ['the state that was seen: watches on', '6', 0],
    ['a later one that the watch has not shown, though it has got further: lists anew', '9', 1],
    ['one that the watch will show: watches on', '11', 0],
  ])('and has got further than was seen, with %s', async (_, version, times) => {
    cluster.answer({ items: [configMap('gone', Number(version))], resourceVersion: '12' });
    cluster.stream.fail(broken);
    await clock.advance(800);
    expect(cluster.asked).toEqual([asksHowNew, times > 0 ? 'stream' : 'watch from 10']);
    expect(cluster.named).toBe('gone');
    expect(lost).toBe(times);
  });

  it('and has got further than was seen, though not as far as to what was written: lists anew', async () => {
    informer.wrote('20');
    cluster.answer({ items: [configMap('gone', 6)], resourceVersion: '12' });
    cluster.stream.fail(broken);
    await clock.advance(800);
    expect(cluster.asked).toEqual([asksHowNew, 'stream']);
    expect(lost).toBe(1);
    expect(informer.histories).toBe(0);
    cluster.stream.send(added(configMap('gone', 6)), bookmark('12', true));
    await settled();
    expect(informer.histories).toBe(1);
  });

  it('and gives out a version for the second time: takes what has it for news', async () => {
    cluster.answer(past);
    cluster.stream.fail(broken);
    await clock.advance(800);
    cluster.stream.send(added(configMap('a', 5)), added(configMap('gone', 6, { uid: 'other' })), bookmark('7', true));
    await settled();
    expect(heard).toEqual(['updated a@5', 'deleted gone@6', 'added gone@6']);
  });

  it('and the version that was watched is gone: believes a list of the past as soon as the server says that this is all', async () => {
    cluster.stream.fail(new GoneError('410'));
    await settled();
    cluster.answer(past);
    cluster.stream.send(added(configMap('a', 2)), bookmark('3', true));
    await clock.advance(800);
    expect(cluster.asked).toEqual(['stream', asksHowNew, 'stream']);
    cluster.stream.send(added(configMap('a', 2)), bookmark('3', true));
    await settled();
    expect(stored()).toEqual(['a@2']);
    expect(lost).toBe(1);
  });

  it('and does not stream lists: believes one that it sends in pages', async () => {
    cluster.refuse(new InvalidError('no streams'));
    cluster.answer(past, past, past);
    cluster.stream.fail(new GoneError('410'));
    await clock.advance(800);
    expect(cluster.asked).toEqual(['stream', 'list', asksHowNew, 'list', 'watch from 3']);
    expect(stored()).toEqual(['a@2']);
  });

  it('and has got as far: a list puts right what is of the other history', async () => {
    cluster.stream.fail(new GoneError('410'));
    await settled();
    cluster.stream.send(added(configMap('a', 2)), added(configMap('new', 11)), bookmark('12', true));
    await settled();
    expect(stored()).toEqual(['a@2', 'new@11']);
    expect(heard).toEqual(['deleted gone@6', 'updated a@2', 'added new@11']);
  });

  it.each([
    ['may not list', new ForbiddenError('403', { status: { code: 403 } })],
    ['asks a server that takes no selector of fields', new InvalidError('400', { status: { code: 400 } })],
  ])('who %s watches on, and cannot tell', async (_, refusal) => {
    cluster.refuse(refusal);
    cluster.stream.end();
    await clock.advance(800);
    expect(cluster.asked).toEqual([asksHowNew, 'watch from 10']);
    expect(lost).toBe(0);
  });
});
