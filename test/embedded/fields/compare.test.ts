import { describe, expect, it } from '@jest/globals';
import { compare, UntypedError } from '../../../src/embedded/fields/compare.js';
import type { FieldType } from '../../../src/embedded/fields/field-type.js';
import type { Json } from '../../../src/kube/manifest.js';

const leaf: FieldType = { type: 'atomic' };
const item: FieldType = { type: 'struct', fields: { name: () => leaf, value: () => leaf } };
const type: FieldType = {
  type: 'struct',
  fields: {
    map: () => ({ type: 'deduced' }),
    list: () => ({ type: 'listMap', keys: [{ name: 'name' }], item: () => item }),
  },
};

function changes(before: Json, after: Json): object {
  const { added, modified, removed } = compare(before, after, type);
  return Object.fromEntries(
    Object.entries({ added, modified, removed }).flatMap(([how, set]) =>
      set.isEmpty ? [] : [[how, set.toFieldsV1()]],
    ),
  );
}

const one = 'k:{"name":"a"}';

describe('what became of fields', () => {
  it.each<[string, Json, Json, object]>([
    ['nothing', { map: { a: 1 } }, { map: { a: 1 } }, {}],
    ['an empty map that comes is itself', {}, { map: {} }, { added: { 'f:map': {} } }],
    ['null and an empty map differ', { map: {} }, { map: null }, { modified: { 'f:map': {} } }],
    [
      'a map that becomes null loses what is in it',
      { map: { a: 1 } },
      { map: null },
      { removed: { 'f:map': { 'f:a': {} } } },
    ],
    [
      'a value of another shape is both changed and filled',
      { map: 'text' },
      { map: { a: 1 } },
      { added: { 'f:map': { 'f:a': {} } }, modified: { 'f:map': {} } },
    ],
    [
      'of an item that comes to stand twice only the item is left',
      { list: [{ name: 'a', value: 1 }] },
      { list: [{ name: 'a', value: 1 }, { name: 'a' }] },
      {
        added: { 'f:list': { [one]: {} } },
        removed: { 'f:list': { [one]: { '.': {}, 'f:name': {}, 'f:value': {} } } },
      },
    ],
    [
      'and of one that stands once again what is in it comes back',
      { list: [{ name: 'a' }, { name: 'a' }] },
      { list: [{ name: 'a' }] },
      {
        added: { 'f:list': { [one]: { '.': {}, 'f:name': {} } } },
        removed: { 'f:list': { [one]: {} } },
      },
    ],
    [
      'items that stand twice are compared as one',
      { list: [{ name: 'a', value: 1 }, { name: 'a' }] },
      { list: [{ name: 'a', value: 2 }, { name: 'a' }] },
      { modified: { 'f:list': { [one]: {} } } },
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('cannot be told of an item without its key', () => {
    expect(() => compare({}, { list: [{ value: 1 }] }, type)).toThrow(UntypedError);
  });
});
