import { expect, it } from '@jest/globals';
import { isAsNew } from '../../../src/runtime/author/selection.js';

const at = (uid: string, resourceVersion: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: uid, namespace: 'default', uid, resourceVersion },
});

it.each([
  ['what it has', [at('a', '5')], [at('a', '5')], true],
  ['an older one', [at('a', '5')], [at('a', '10')], false],
  ['what became of it since', [at('a', '10')], [at('a', '5')], true],
  ['another of that name', [at('b', '10')], [at('a', '5')], false],
  ['all but one', [at('a', '5')], [at('a', '5'), at('b', '3')], false],
  ['one that was made since', [at('a', '5'), at('b', '21')], [at('a', '5')], true],
  ['one that is gone', [at('a', '5'), at('b', '4')], [at('a', '5')], false],
  ['one that is gone, and was changed before', [at('a', '5'), at('b', '6')], [at('a', '5')], false],
  ['nothing of nothing', [], [], true],
  ['one of nothing', [at('a', '5')], [], false],
  ['one that was made since, of nothing', [at('a', '21')], [], true],
  ['that there is none', undefined, undefined, true],
  ['none of one', undefined, at('a', '5'), false],
  ['one object', at('a', '5'), at('a', '5'), true],
])('a store that has %s is as new as a list, or not', (_, stored, input, isNew) => {
  expect(isAsNew(stored, { input, version: '20' })).toBe(isNew);
});

it('a store is as new as a list of which nobody knows when it was as long as it has nothing else', () => {
  expect([[], [at('a', '21')]].map((stored) => isAsNew(stored, { input: [], version: '' }))).toEqual([true, false]);
});
