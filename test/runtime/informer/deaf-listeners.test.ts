import { expect, it } from '@jest/globals';
import { NotFoundError, TransportError } from '../../../src/client/api-error.js';
import { settled } from '../../../src/testing/virtual-clock.js';
import { anInformer } from '../an-informer.js';
import { bookmark } from '../scripted-cluster.js';

it('goes on when whoever hears of a failure throws, and logs it', async () => {
  const failed = () => {
    throw new Error('oops');
  };
  const deaf = anInformer({ failed });
  deaf.cluster.refuse(new TransportError('500'), new NotFoundError('404'));
  await deaf.start();
  await deaf.clock.advance(3000);
  deaf.cluster.stream.send(bookmark('1', true));
  await settled();
  expect(deaf.informer.isSynced).toBe(true);
  const thrown = expect.objectContaining({ error: expect.objectContaining({ message: 'oops' }) });
  expect(deaf.lines.filter(({ level }) => level === 'error')).toEqual([thrown, thrown]);
  await deaf.stop();
});
