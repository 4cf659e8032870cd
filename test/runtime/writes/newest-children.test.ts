import { describe, expect, it } from '@jest/globals';
import { keyOf, refOf } from '../../../src/kube/object-ref.js';
import { ConsentError } from '../../../src/runtime/author/consents.js';
import { newestChildren } from '../../../src/runtime/writes/newest-children.js';
import { RefusedError } from '../../../src/runtime/writes/refused-error.js';
import { configMap } from '../an-object.js';

const entry = { ref: refOf(configMap('a', 1)), action: 'skipped' } as const;
const found = (
  ...[executed, stored]: [Parameters<typeof newestChildren>[1], ReturnType<typeof configMap> | undefined]
) =>
  [
    ...newestChildren(
      [configMap('a', 1)],
      executed,
      () => stored,
      ({ metadata }) => metadata.uid === 'uid-a',
    ),
  ].map(([key, { metadata }]) => `${key === keyOf(entry.ref)} ${metadata.uid}@${metadata.resourceVersion}`);

describe('the newest that is known of a child', () => {
  it.each([
    ['what is in the store, where nothing was written', [], configMap('a', 5), ['true uid-a@5']],
    [
      'the answer to a write, where the store has not seen it',
      [{ entry, object: configMap('a', 7) }],
      configMap('a', 5),
      ['true uid-a@7'],
    ],
    [
      'what is in the store, where that is newer than the answer',
      [{ entry, object: configMap('a', 5) }],
      configMap('a', 7),
      ['true uid-a@7'],
    ],
    [
      'the answer, where it is of an object that was made anew',
      [{ entry, object: configMap('a', 3, { uid: 'another' }) }],
      configMap('a', 7),
      ['true another@3'],
    ],
    ['the answer, where the store has nothing', [{ entry, object: configMap('a', 7) }], undefined, ['true uid-a@7']],
    ['nothing, where it is missing', [], undefined, []],
    [
      'what is ours, where its namespace does not consent any more',
      [{ entry, error: new ConsentError('it is not accepted') }],
      configMap('a', 5),
      ['true uid-a@5'],
    ],
    [
      'nothing, where its namespace does not consent, and has an object of somebody else',
      [{ entry, error: new ConsentError('it is not accepted') }],
      configMap('a', 5, { uid: 'another' }),
      [],
    ],
    [
      'nothing, where an object of somebody else has its name',
      [{ entry, error: new RefusedError('it is not ours') }],
      configMap('a', 5),
      [],
    ],
    [
      'what is in the store, where a write failed',
      [{ entry, error: new Error('500') }],
      configMap('a', 5),
      ['true uid-a@5'],
    ],
  ])('is %s', (_, executed, stored, expected) => {
    expect(found(executed, stored)).toEqual(expected);
  });
});
