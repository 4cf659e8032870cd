import { beforeEach, describe, expect, it } from '@jest/globals';
import { ForbiddenError } from '../../../src/client/api-error.js';
import type { ListOptions } from '../../../src/client/cluster.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { History } from '../../../src/runtime/informer/history.js';
import { NewestVersion } from '../../../src/runtime/informer/newest-version.js';
import { Store } from '../../../src/runtime/informer/store.js';
import { configMap, configMaps } from '../an-object.js';

const { signal } = new AbortController();

describe('the history of an API server, of which version 10 was seen', () => {
  let store: Store;
  let history: History;
  let answer: { readonly items: readonly KubeObject[]; readonly resourceVersion: string };
  let asked: ListOptions[];
  let refusals: Error[];
  beforeEach(() => {
    store = new Store();
    asked = [];
    refusals = [];
    const list = async (_: unknown, options: ListOptions = {}) => {
      asked.push(options);
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      return { ...answer, items: [...answer.items] };
    };
    history = new History({
      cluster: { list },
      resource: configMaps,
      selection: {},
      store,
      newest: new NewestVersion(),
    });
    store.put(configMap('a', 8));
    history.reached('10');
  });

  it.each([
    ['of a later version is the same', '11', undefined],
    ['of the same version is the same', '10', undefined],
    ['of an earlier version is another', '9', '9'],
  ])('%s', async (_, resourceVersion, lost) => {
    answer = { items: [], resourceVersion };
    expect(await history.ask(signal)).toBe(lost);
  });

  it('is another where it has not got to what was written', async () => {
    history.wrote('15');
    answer = { items: [], resourceVersion: '12' };
    expect(await history.ask(signal)).toBe('12');
  });

  it('is the same where something later was written since it was asked', async () => {
    answer = { items: [], resourceVersion: '12' };
    const asking = history.ask(signal);
    history.wrote('15');
    expect(await asking).toBeUndefined();
  });

  it('is another where what was seen last has a state that the watch did not show', async () => {
    answer = { items: [configMap('a', 9)], resourceVersion: '20' };
    expect(await history.ask(signal)).toBe('20');
    expect(asked).toMatchObject([{ fieldSelector: 'metadata.name=a' }]);
  });

  it('is the same where that has changed since', async () => {
    answer = { items: [configMap('a', 14)], resourceVersion: '20' };
    expect(await history.ask(signal)).toBeUndefined();
  });

  it('stays in doubt where a server refuses that only starts, until it is asked again', async () => {
    answer = { items: [], resourceVersion: '10' };
    await history.ask(signal);
    history.doubt();
    refusals.push(new ForbiddenError('it has not read the roles yet'));
    await expect(history.ask(signal)).rejects.toThrow(ForbiddenError);
    expect(history.isUncertain).toBe(true);
    answer = { items: [], resourceVersion: '4' };
    expect(await history.ask(signal)).toBe('4');
  });

  it.each([
    ['was never asked', 0, 0],
    ['refuses again and again', 1, 2],
  ])('is taken for the same where a server that %s does not allow to ask', async (_, answers, doubts) => {
    answer = { items: [], resourceVersion: '10' };
    for (let count = 0; count < answers; count++) await history.ask(signal);
    history.doubt();
    refusals.push(...Array.from({ length: doubts + 1 }, () => new ForbiddenError('no')));
    for (let count = 0; count < doubts; count++) await expect(history.ask(signal)).rejects.toThrow(ForbiddenError);
    expect([await history.ask(signal), history.isUncertain]).toEqual([undefined, false]);
  });

  it('is in doubt after a list of the past, which is refused, until it is asked', async () => {
    expect(() => history.refusePast('9')).toThrow('the list is of version 9, and version 10 was seen already');
    expect(history.isUncertain).toBe(true);
    answer = { items: [], resourceVersion: '10' };
    await history.ask(signal);
    expect(history.isUncertain).toBe(false);
  });

  it('that is lost counts once the store has followed, and leaves nothing to hold a list against', () => {
    history.lose();
    expect([history.from, history.isAnother, history.losses]).toEqual([undefined, true, 0]);
    expect(history.isPast('1')).toBe(false);

    history.reached('1');
    history.followed();
    expect([history.from, history.isAnother, history.losses]).toEqual(['1', false, 1]);
  });
});
