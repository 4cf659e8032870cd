import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GoneError } from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { bookmark } from '../scripted-cluster.js';

describe('a version that is gone', () => {
  let { cluster, clock, synced, stop } = anInformer();
  beforeEach(async () => {
    ({ cluster, clock, synced, stop } = anInformer());
    await synced('10', configMap('a', 5));
  });
  afterEach(() => stop());

  it('as soon as it is listed, again and again: is no reason to list without a pause', async () => {
    const waits: (number | undefined)[] = [];
    cluster.stream.fail(new GoneError('410'));
    await settled();
    for (let round = 0; round < 4; round++) {
      cluster.stream.send(bookmark(`${20 + round}`, true));
      cluster.stream.fail(new GoneError('410'));
      await settled();
      waits.push(clock.next);
      await clock.advance(clock.next ?? 0);
    }
    expect(waits).toEqual([800, 1600, 3200, 6400]);
  });

  it('now and then, as of a kind that nobody changes while its definition is changed: is listed at once', async () => {
    for (let round = 0; round < 4; round++) {
      cluster.stream.fail(new GoneError('410'));
      await settled();
      expect(cluster.asked).toEqual(Array.from({ length: round + 1 }, () => 'stream'));
      cluster.stream.send(bookmark(`${20 + round}`, true));
      await clock.advance(10_000);
    }
  });

  it('by each list itself, after the watch has stood for a while: is no reason to list without a pause', async () => {
    await clock.advance(10_000);
    cluster.refuse(...Array.from({ length: 4 }, () => new GoneError('410')));
    cluster.stream.fail(new GoneError('410'));
    await settled();
    const waits: (number | undefined)[] = [];
    for (let round = 0; round < 4; round++) {
      waits.push(clock.next);
      await clock.advance(clock.next ?? 0);
    }
    expect(waits).toEqual([800, 1600, 3200, 6400]);
  });
});
