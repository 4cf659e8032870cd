import { expect, it } from '@jest/globals';
import { Hangs } from '../../../src/runtime/informer/hangs.js';
import { settled, VirtualClock } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

it('a call without an answer: is told to one after the other, so that not all watches begin anew at once, and the next when all know', async () => {
  const clock = new VirtualClock();
  const hangs = new Hangs(clock);
  const told: string[] = [];
  for (const name of ['a', 'b', 'c']) hangs.subscribe((since) => told.push(`${name} ${since} at ${clock.monotonic()}`));
  hangs.seen(1);
  await clock.advance(60);
  hangs.seen(2);
  await clock.advance(100);
  expect(told).toEqual(['a 1 at 0', 'b 1 at 50', 'c 1 at 100']);
  hangs.seen(3);
  expect(told.at(-1)).toBe('a 3 at 160');
});

it('a call without an answer: ends no list, which takes as long as it takes', async () => {
  const hangs = new Hangs(new VirtualClock());
  const { cluster, clock, start, stored, stop } = anInformer({ hangs });
  await start();
  cluster.stream.send(added(configMap('a', 1)));
  await clock.advance(20_000);
  hangs.seen(clock.monotonic());
  cluster.stream.send(added(configMap('b', 2)), bookmark('2', true));
  await settled();
  expect([cluster.asked, stored()]).toEqual([['stream'], ['a@1', 'b@2']]);
  await stop();
});
