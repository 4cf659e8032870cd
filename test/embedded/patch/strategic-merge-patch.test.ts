import { describe, expect, it } from '@jest/globals';
import type { PatchField, PatchType } from '../../../src/embedded/patch/patch-type.js';
import { strategicMergePatch } from '../../../src/embedded/patch/strategic-merge-patch.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json } from '../../../src/kube/manifest.js';

const leaf: PatchType = { type: 'leaf' };
const field = (type: PatchType, strategies: PatchField['strategies'] = [], mergeKey?: string): PatchField => ({
  type: () => type,
  strategies,
  ...(mergeKey === undefined ? {} : { mergeKey }),
});
const list = (item: PatchType): PatchType => ({ type: 'list', item: () => item });

const container: PatchType = {
  type: 'map',
  name: 'Container',
  fields: { name: field(leaf), image: field(leaf), args: field(list(leaf)) },
};
const thing: PatchType = {
  type: 'map',
  name: 'Thing',
  fields: {
    size: field(leaf),
    args: field(list(leaf)),
    finalizers: field(list(leaf), ['merge']),
    labels: field({ type: 'map', fields: {}, others: field(leaf) }),
    containers: field(list(container), ['merge'], 'name'),
    strategy: field({ type: 'map', name: 'Strategy', fields: { type: field(leaf), rolling: field(leaf) } }, [
      'retainKeys',
    ]),
    whole: field({ type: 'map', fields: { a: field(leaf) } }, ['replace']),
    tolerations: field(list(container)),
  },
};

const [x, y, z] = ['x', 'y', 'z'].map((name) => ({ name, image: name })) as unknown as [Json, Json, Json];

describe('a strategic merge patch', () => {
  it.each<[string, Json, Json, Json]>([
    ['sets a scalar', { size: 1 }, { size: 2 }, { size: 2 }],
    ['drops what is null, there or not', { size: 1 }, { size: null, other: null }, {}],
    [
      'merges a map',
      { labels: { a: '1', b: '1' } },
      { labels: { b: '2', c: '2' } },
      { labels: { a: '1', b: '2', c: '2' } },
    ],
    ['replaces a plain list', { args: ['a', 'b'] }, { args: ['c'] }, { args: ['c'] }],
    ['replaces a map whose strategy is to', { whole: { a: 1, b: 1 } }, { whole: { b: 2 } }, { whole: { b: 2 } }],
    ['adds to a set', { finalizers: ['a', 'b'] }, { finalizers: ['c', 'a'] }, { finalizers: ['c', 'a', 'b'] }],
    [
      'deletes from a set',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a', 'q'] },
      { finalizers: ['b'] },
    ],
    [
      'merges items by key',
      { containers: [x, y] },
      { containers: [{ name: 'y', image: 'new' }] },
      { containers: [x, { name: 'y', image: 'new' }] },
    ],
    ['puts a new item first', { containers: [x, y] }, { containers: [z] }, { containers: [z, x, y] }],
    ['deletes an item', { containers: [x, y] }, { containers: [{ name: 'x', $patch: 'delete' }] }, { containers: [y] }],
    [
      'replaces a list of items',
      { containers: [x, y] },
      { containers: [z, { $patch: 'replace' }] },
      { containers: [z] },
    ],
    ['replaces a map', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['empties a map', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    [
      'deletes nothing where nothing is',
      {},
      { labels: { $patch: 'delete' }, containers: [{ name: 'x', $patch: 'delete' }] },
      { containers: [] },
    ],
    [
      'orders items',
      { containers: [x, y, z] },
      { '$setElementOrder/containers': [{ name: 'z' }, { name: 'x' }] },
      { containers: [y, z, x] },
    ],
    [
      'orders a set that it adds to',
      { finalizers: ['a', 'b'] },
      { finalizers: ['c'], '$setElementOrder/finalizers': ['b', 'c'] },
      { finalizers: ['a', 'b', 'c'] },
    ],
    [
      'retains named keys',
      { strategy: { type: 'Rolling', rolling: 1 } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    ['takes a new map without its nulls', {}, { labels: { a: null, b: '1' } }, { labels: { b: '1' } }],
    ['takes anything in place of another type', { labels: { a: '1' } }, { labels: 'text' }, { labels: 'text' }],
    ['leaves all as it is when it is empty', { size: 1 }, {}, { size: 1 }],
    ['leaves all as it is when it is null', { size: 1 }, null, { size: 1 }],
  ])('%s', (_, original, patch, expected) => {
    const before = JSON.stringify([original, patch]);
    expect(strategicMergePatch(frozen(original), frozen(patch), thing)).toEqual(expected);
    expect(JSON.stringify([original, patch])).toBe(before);
  });

  it('takes hostile names for names', () => {
    const patch = JSON.parse(
      '{"labels":{"__proto__":"2","constructor":"2","toString":null},"__proto__":{"polluted":1}}',
    ) as Json;
    const original = JSON.parse('{"labels":{"__proto__":"1","toString":"1"}}') as Json;
    const merged = strategicMergePatch(original, patch, thing);
    expect(JSON.stringify(merged)).toBe('{"labels":{"__proto__":"2","constructor":"2"},"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each<[number, string, Json, Json]>([
    [
      500,
      'map: map[image:z] does not contain declared merge key: name',
      { containers: [x] },
      { containers: [{ image: 'z' }] },
    ],
    [
      500,
      'map: map[$patch:delete] does not contain declared merge key: name',
      { containers: [x] },
      { containers: [{ $patch: 'delete' }] },
    ],
    [
      500,
      'unknown patch type: foo in map: map[$patch:foo a:[1 1.5 true <nil> s] name:x]',
      { containers: [x] },
      { containers: [{ name: 'x', $patch: 'foo', a: [1, 1.5, true, null, 's'] }] },
    ],
    [500, 'unknown patch type: %!s(int64=3) in map: map[$patch:3]', { labels: { a: '1' } }, { labels: { $patch: 3 } }],
    [
      500,
      'merging lists cannot yet be specified in the patch',
      { containers: [x] },
      { containers: [{ $patch: 'merge' }] },
    ],
    [
      500,
      'cannot merge lists without merge key for struct',
      { tolerations: [x] },
      { '$deleteFromPrimitiveList/tolerations': [x] },
    ],
    [500, 'list element types are not identical: [[a] [3]]', { finalizers: ['a'] }, { finalizers: [3] }],
    [500, 'expected a []interface {}, but received a int64', { containers: [x] }, { '$setElementOrder/containers': 3 }],
    [
      500,
      'expected a []interface {}, but received a %!s(<nil>)',
      { containers: [x] },
      { '$setElementOrder/containers': [], containers: null },
    ],
    [500, 'value for key 0 is not a map', { containers: [x] }, { '$setElementOrder/containers': ['x'] }],
    [500, 'unable to find api field in struct Thing for the json field "foo"', {}, { '$setElementOrder/foo': [] }],
    [
      500,
      'merging an object in json but data type is not struct, instead is: map',
      { labels: {} },
      { labels: { '$setElementOrder/a': [] } },
    ],
    [
      500,
      "The order in patch list:\n[map[name:y]]\n doesn't match $setElementOrder list:\n[map[name:x]]\n",
      { containers: [x] },
      { '$setElementOrder/containers': [{ name: 'x' }], containers: [{ name: 'y' }] },
    ],
    [400, 'invalid patch format of retainKeys', { strategy: {} }, { strategy: { $retainKeys: 3 } }],
    [400, 'invalid patch format of retainKeys', { strategy: {} }, { strategy: { $retainKeys: ['type'], rolling: 1 } }],
    [400, 'invalid patch format of setElementOrder list', {}, { $setElementOrder: [] }],
    [400, 'invalid patch format of primitive list', {}, { $deleteFromPrimitiveList: [] }],
    [400, 'json: cannot unmarshal array into Go value of type map[string]interface {}', {}, []],
    [400, 'json: cannot unmarshal number into Go value of type map[string]interface {}', {}, 1.5],
  ])('is refused with %i %j', (code, message, original, patch) => {
    const refused = () => strategicMergePatch(frozen(original), frozen(patch), thing);
    expect(refused).toThrow(StatusError);
    expect(refused).toThrow(expect.objectContaining({ status: expect.objectContaining({ code, message }) }));
  });
});

function frozen<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
