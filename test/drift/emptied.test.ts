import { describe, expect, it } from '@jest/globals';
import { emptiedIn, withEmptied, withoutEmptied } from '../../src/drift/emptied.js';
import { entry, fieldsOf, stored } from './an-object.js';

const manifest = (spec: object, apiVersion = 'example.com/v1') => ({
  apiVersion,
  kind: 'Web',
  metadata: { name: 'a' },
  spec,
});
const item = 'k:{"name":"a/b~c"}';
const was = { labels: { x: '1' }, hosts: ['one'], parts: [{ name: 'a/b~c', args: ['-v'] }] };
const leaves = [
  'f:spec f:labels f:x',
  'f:spec f:hosts v:"one"',
  `f:spec f:parts ${item} f:name`,
  `f:spec f:parts ${item} f:args v:"-v"`,
];
const found = (spec: object, others: readonly string[] = [], apiVersion?: string) =>
  emptiedIn(
    manifest(spec, apiVersion),
    stored(manifest(was, apiVersion), [entry('us', 'Apply', leaves), entry('them', 'Apply', others)]),
    'us',
  );
const paths = (...args: Parameters<typeof found>) =>
  found(...args).map(({ operation: { path, value } }) => [path, JSON.stringify(value)]);
const kept = { ...was, parts: [{ name: 'a/b~c', args: ['-v'] }] };

describe('what is to be empty, and has nothing but ours in it', () => {
  it.each<[string, object, readonly [string, string][]]>([
    ['a map', { ...kept, labels: {} }, [['/spec/labels', '{}']]],
    ['a set', { ...kept, hosts: [] }, [['/spec/hosts', '[]']]],
    ['a list of an item', { ...kept, parts: [{ name: 'a/b~c', args: [] }] }, [['/spec/parts/0/args', '[]']]],
    [
      'several',
      { ...kept, labels: {}, hosts: [] },
      [
        ['/spec/labels', '{}'],
        ['/spec/hosts', '[]'],
      ],
    ],
    ['nothing, where all is as it was', kept, []],
    ['nothing, where it is left out', { hosts: ['one'] }, []],
  ])('is emptied by a patch: %s', (_, spec, expected) => {
    expect(paths(spec)).toEqual(expected);
  });

  it('is not where others have something in it, and is where they have it as a whole, or something beside', () => {
    const none = { ...kept, labels: {} };
    expect(paths(none, ['f:spec f:labels f:y'])).toEqual([]);
    expect(paths(none, ['f:spec f:labels .', 'f:spec f:other'])).toEqual([['/spec/labels', '{}']]);
  });

  it('is not in built-in kinds, which take null for nothing', () => {
    expect(paths({ ...kept, labels: {} }, [], 'apps/v1')).toEqual([]);
  });

  it('is ours as an empty one, and left out of the apply that follows', () => {
    const desired = manifest({ ...kept, labels: {}, parts: [{ name: 'a/b~c', args: [] }] });
    const emptied = found(desired.spec);
    const [ours, theirs] = withEmptied([entry('us', 'Apply', leaves), entry('them', 'Apply', leaves)], 'us', emptied);
    expect(ours?.fieldsV1).toEqual(
      fieldsOf([
        'f:spec f:labels',
        'f:spec f:hosts v:"one"',
        `f:spec f:parts ${item} f:name`,
        `f:spec f:parts ${item} f:args`,
      ]),
    );
    expect(theirs?.fieldsV1).toEqual(fieldsOf(leaves));
    expect(withoutEmptied(desired, emptied)).toEqual(manifest({ hosts: ['one'], parts: [{ name: 'a/b~c' }] }));
  });

  it('is not what we have applied to another part of it', () => {
    const object = stored({ ...manifest(was), status: { labels: { x: '1' } } }, [
      entry('us', 'Apply', ['f:status f:labels f:x'], { subresource: 'status' }),
    ]);
    const said = { ...manifest({}), status: { labels: {} } };
    expect(emptiedIn(said, object, 'us')).toEqual([]);
    expect(emptiedIn(said, object, 'us', 'status').map(({ trail }) => trail)).toEqual([['f:status', 'f:labels']]);
  });
});
