import { expect, it } from '@jest/globals';
import { GoneError, NotFoundError, TransportError } from '../../../src/client/api-error.js';
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
  const thrown = expect.objectContaining({ error: 'oops' });
  expect(deaf.lines.filter(({ level }) => level === 'error')).toEqual([thrown, thrown]);
  await deaf.stop();
});

it('takes in a list, and a kind that is served again, though whoever hears of it throws', async () => {
  const deaf = anInformer({});
  const heard: string[] = [];
  for (const on of ['onRelisted', 'subscribeServed'] as const) {
    deaf.informer[on](() => {
      throw new Error(on);
    });
    deaf.informer[on](() => heard.push(on));
  }
  await deaf.synced('10');
  deaf.cluster.refuse(new NotFoundError('404'));
  deaf.cluster.stream.fail(new GoneError('410'));
  await settled();
  expect(deaf.informer.isServed).toBe(false);
  await deaf.clock.advance(3000);
  deaf.cluster.stream.send(bookmark('20', true));
  await settled();
  expect(deaf.informer).toMatchObject({ isServed: true, version: '20', trouble: undefined });
  expect(heard).toEqual(['subscribeServed', 'onRelisted', 'subscribeServed']);
  const thrown = heard.map((error) => expect.objectContaining({ error }));
  expect(deaf.lines.filter(({ level }) => level === 'error')).toEqual(thrown);
  await deaf.stop();
});
