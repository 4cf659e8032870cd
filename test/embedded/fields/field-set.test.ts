import { describe, expect, it } from '@jest/globals';
import { FieldSet } from '../../../src/embedded/fields/field-set.js';
import type { Json } from '../../../src/kube/manifest.js';

describe('fieldsV1', () => {
  it.each<[string, Json]>([
    ['a list', []],
    ['text', 'x'],
    ['null', null],
    ['a segment without a type', { spec: {} }],
    ['a key that is no JSON', { 'f:list': { 'k:{': {} } }],
    ['a key that is no map', { 'f:list': { 'k:1': {} } }],
    ['a value that is no JSON', { 'f:list': { 'v:x': {} } }],
    ['an index that is no number', { 'f:list': { 'i:x': {} } }],
    ['something else below', { 'f:spec': { 'f:a': 1 } }],
  ])('is not %s', (_, fields) => {
    expect(FieldSet.parse(fields)).toBeUndefined();
  });

  it('may have segments of a form that is still to come, which are dropped', () => {
    expect(FieldSet.parse({ 'f:spec': { 'z:new': {}, 'f:a': {} }, 'z:other': {} })?.toFieldsV1()).toEqual({
      'f:spec': { 'f:a': {} },
    });
  });
});
