import { describe, expect, it } from '@jest/globals';
import { jsonPatch } from '../../src/embedded/patch/json-patch.js';
import type { Json } from '../../src/kube/manifest.js';
import { patchBetween } from '../../src/webhooks/patch-between.js';

describe('a patch between two specs', () => {
  it.each<[Json | undefined, Json]>([
    [undefined, { a: 1 }],
    [{}, { a: 1 }],
    [{ a: 1 }, {}],
    [{ a: { b: 1, c: [1] } }, { a: { c: [1, 2], d: null } }],
    [{ a: null }, { a: {} }],
    [{ a: {} }, { a: [] }],
    [
      { 'a/b~c': 1, '': 2 },
      { 'a/b~c': 2, '': 3, '~1': 4 },
    ],
    [JSON.parse('{"__proto__": 1, "constructor": 2}'), JSON.parse('{"__proto__": 2, "toString": 3}')],
  ])('makes the one of the other: %j, %j', (from, to) => {
    const object = from === undefined ? {} : { spec: from };
    expect(jsonPatch(object, patchBetween(from, to, '/spec'))).toEqual({ spec: to });
  });

  it('says nothing of what is equal, as of a number that cannot be held here', () => {
    const from = JSON.parse('{"ids": [12345678901234567890], "tier": "small"}') as { readonly ids: readonly number[] };
    expect(patchBetween(from, { ...from, tier: 'large' }, '/spec')).toEqual([
      { op: 'add', path: '/spec/tier', value: 'large' },
    ]);
    expect(patchBetween(from, { tier: 'small', ids: from.ids }, '/spec')).toEqual([]);
  });
});
