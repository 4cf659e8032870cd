import { describe, expect, it } from '@jest/globals';
import type { JsonPatchOperation } from '../../../src/client/cluster.js';
import { JsonPatchError, jsonPatch } from '../../../src/embedded/patch/json-patch.js';
import { mergePatch } from '../../../src/embedded/patch/merge-patch.js';
import type { Json } from '../../../src/kube/manifest.js';

describe('a JSON patch', () => {
  it.each<[string, Json, JsonPatchOperation[], Json]>([
    ['adds a field', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['adds over a field', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['adds into a list', ['a', 'c'], [{ op: 'add', path: '/1', value: 'b' }], ['a', 'b', 'c']],
    ['adds to the end of a list', ['a'], [{ op: 'add', path: '/-', value: 'b' }], ['a', 'b']],
    ['replaces an item', ['a', 'b'], [{ op: 'replace', path: '/0', value: 'z' }], ['z', 'b']],
    ['removes a field', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['moves a value', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
    ['copies a value', { a: [1] }, [{ op: 'copy', from: '/a/0', path: '/a/-' }], { a: [1, 1] }],
    ['reads ~1 and ~0 as slash and tilde', {}, [{ op: 'add', path: '/a~1b~0c', value: 1 }], { 'a/b~c': 1 }],
    ['replaces the document', { a: 1 }, [{ op: 'replace', path: '', value: [2] }], [2]],
    [
      'goes on after a test that holds',
      { a: 1 },
      [
        { op: 'test', path: '/a', value: 1 },
        { op: 'remove', path: '/a' },
      ],
      {},
    ],
    [
      "as the server's library does, replaces a field that is not there",
      { a: 1 },
      [{ op: 'replace', path: '/b', value: 2 }],
      { a: 1, b: 2 },
    ],
    ['and takes null where there is no value', {}, [{ op: 'add', path: '/a' }], { a: null }],
    [
      'takes __proto__ for a field',
      {},
      [{ op: 'add', path: '/__proto__', value: 1 }],
      JSON.parse('{"__proto__":1}') as Json,
    ],
  ])('%s', (_, before, operations, after) => {
    const untouched = JSON.stringify(before);
    expect(JSON.stringify(jsonPatch(before, operations))).toBe(JSON.stringify(after));
    expect(JSON.stringify(before)).toBe(untouched);
  });

  it.each<[string, Json, JsonPatchOperation]>([
    ['a path that does not exist', { a: 1 }, { op: 'remove', path: '/b' }],
    ['an item that does not exist', ['a'], { op: 'replace', path: '/1', value: 1 }],
    ['a parent that does not exist', {}, { op: 'add', path: '/a/b', value: 1 }],
    ['an index beyond the end', ['a'], { op: 'add', path: '/2', value: 1 }],
    ['an index that is no number', ['a'], { op: 'add', path: '/x', value: 1 }],
    ['a path without a slash', {}, { op: 'add', path: 'a', value: 1 }],
    ['a field of something inherited', {}, { op: 'remove', path: '/constructor' }],
  ])('refuses %s', (_, before, operation) => {
    expect(() => jsonPatch(before, [operation])).toThrow(JsonPatchError);
  });

  it('tells a test that does not hold from an operation that does not fit', () => {
    const failed = () => jsonPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 2 }]);
    expect(failed).toThrow(expect.objectContaining({ isTest: true }));
  });
});

describe('a merge patch', () => {
  it.each<[string, Json, Json, Json]>([
    ['sets and keeps', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['goes into maps', { a: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: { b: 2, c: 1 } }],
    ['removes what is null', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['leaves no null in what it adds', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    [
      'leaves none in the maps of a list',
      { a: 'x' },
      { a: [null, { b: null, c: [{ d: null }] }] },
      { a: [null, { c: [{}] }] },
    ],
    ['nor in those that take the place of a list', { a: [{ b: null }] }, { a: [{ b: null }] }, { a: [{}] }],
    ['leaves them in a list in place of a map', { a: { b: 1 } }, { a: [{ c: null }] }, { a: [{ c: null }] }],
    ['replaces a list whole', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['replaces a value of another shape', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['may be no map at all', { a: 1 }, [1], [1]],
  ])('%s', (_, before, patch, after) => {
    expect(mergePatch(before, patch)).toEqual(after);
  });
});
