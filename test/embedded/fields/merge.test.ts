import { describe, expect, it } from '@jest/globals';
import type { FieldType } from '../../../src/embedded/fields/field-type.js';
import { merge } from '../../../src/embedded/fields/merge.js';
import type { Json } from '../../../src/kube/manifest.js';

const leaf: FieldType = { type: 'atomic' };
const struct: FieldType = { type: 'struct', fields: { a: () => leaf, b: () => leaf } };
const set: FieldType = { type: 'set' };
const items: FieldType = { type: 'listMap', keys: [{ name: 'name' }], item: () => struct };
const free: FieldType = { type: 'deduced' };

describe('what is applied over what is there', () => {
  it.each<[string, FieldType, Json, Json, Json]>([
    ['a null over a map that has something in it leaves the map', struct, { a: 1 }, null, { a: 1 }],
    ['a null over an empty map takes its place', struct, {}, null, null],
    ['an empty map over one that is not leaves it', struct, { a: 1 }, {}, { a: 1 }],
    ['an empty map over null takes its place', struct, null, {}, {}],
    ['a null within a map is said', struct, { a: 1 }, { a: null }, { a: null }],
    ['a null over a set leaves the set', set, ['x'], null, ['x']],
    ['a null over a list that is owned as one takes its place', leaf, ['x'], null, null],
    ['without a schema a null leaves a map as well', free, { a: 1 }, null, { a: 1 }],
    ['and takes the place of anything else', free, [1], null, null],
    ['without a schema another shape takes the place', free, 'text', { a: 1 }, { a: 1 }],
  ])('%s', (_, type, live, applied, merged) => {
    expect(merge(live, applied, type)).toEqual(merged);
  });

  it.each<[string, FieldType, Json[], Json[], Json[]]>([
    ['takes the order of what is applied', set, ['a', 'b', 'c'], ['c', 'a'], ['b', 'c', 'a']],
    ['leaves what only is there where it was', set, ['x', 'a', 'y', 'b'], ['a', 'b'], ['x', 'a', 'y', 'b']],
    ['puts what is new behind', set, ['x'], ['y'], ['x', 'y']],
    [
      'merges items with the same key',
      items,
      [{ name: 'web', a: 1 }],
      [{ name: 'web', b: 2 }],
      [{ name: 'web', a: 1, b: 2 }],
    ],
    [
      'replaces an item that stands several times, all at once',
      items,
      [
        { name: 'web', a: 1 },
        { name: 'web', a: 2 },
      ],
      [{ name: 'web', b: 3 }],
      [{ name: 'web', b: 3 }],
    ],
    [
      'leaves items that stand several times when nothing is said of them',
      items,
      [{ name: 'web' }, { name: 'web' }],
      [{ name: 'log' }],
      [{ name: 'web' }, { name: 'web' }, { name: 'log' }],
    ],
  ])('a list %s', (_, type, live, applied, merged) => {
    expect(merge(live, applied, type)).toEqual(merged);
  });

  it('is the very same when nothing changes', () => {
    const live = { a: [1, { b: 2 }], b: 'x' };
    expect(merge(live, { b: 'x' }, free)).toBe(live);
  });
});
