import { expect, it } from '@jest/globals';
import { ForbiddenError, GoneError, TransportError } from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { configMap } from '../an-object.js';
import { added, bookmark } from '../scripted-cluster.js';

it('a watch is refused from when it is told that it may not look until it is shown something, and by no other failure', async () => {
  const { cluster, clock, informer, synced, stop } = anInformer();
  await synced('10', configMap('a', 5));
  const broken = new TransportError('the connection broke');
  cluster.stream.fail(new GoneError('410'));
  cluster.refuse(broken, new ForbiddenError('403'), broken);
  await settled();
  const refused = [informer.isRefused];
  for (const milliseconds of [800, 1600, 3200]) {
    await clock.advance(milliseconds);
    refused.push(informer.isRefused);
  }
  cluster.stream.send(added(configMap('a', 12)), bookmark('20', true));
  await settled();
  expect([...refused, informer.isRefused]).toEqual([false, true, true, true, false]);
  await stop();
});
