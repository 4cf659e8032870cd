import { expect, it } from '@jest/globals';
import { GoneError } from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

it('gives everything else its turn while it fills its store, which is not full before', async () => {
  const seen: (readonly [isSynced: boolean, size: number])[] = [];
  const turn = async () => {
    seen.push([filling.informer.isSynced, filling.informer.store.size]);
  };
  const filling = anInformer({ breather: { turn } });
  await filling.synced('10', configMap('a', 5), configMap('b', 6), configMap('c', 7));
  expect(seen).toEqual([1, 2, 3].map((size) => [false, size]));
  expect([filling.informer.isSynced, filling.stored()]).toEqual([true, ['a@5', 'b@6', 'c@7']]);

  filling.cluster.stream.fail(new GoneError('410'));
  await settled();
  filling.cluster.stream.send(added(configMap('d', 11)), bookmark('12', true));
  await settled();
  expect([seen.length, filling.stored()]).toEqual([3, ['d@11']]);
  await filling.stop();
});

it('stops in the midst of filling its store', async () => {
  let go = () => {};
  const turn = () => new Promise<void>((resolve) => (go = resolve));
  const filling = anInformer({ breather: { turn } });
  await filling.synced('10', configMap('a', 5), configMap('b', 6));
  const ended = filling.stop();
  go();
  await ended;
  expect([filling.informer.isSynced, filling.stored(), filling.clock.timers]).toEqual([false, ['a@5'], 0]);
});
