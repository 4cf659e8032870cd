import { expect, it } from '@jest/globals';
import { FieldSet } from '../../../src/embedded/fields/field-set.js';
import type { FieldType } from '../../../src/embedded/fields/field-type.js';
import { reconciled } from '../../../src/embedded/fields/reconcile.js';

const leaf: FieldType = { type: 'atomic', scalar: 'string' };
const type: FieldType = {
  type: 'struct',
  fields: {
    whole: () => ({ type: 'atomic', holds: () => ({ type: 'struct', fields: { a: () => leaf } }) }),
    parts: () => ({ type: 'struct', fields: { a: () => leaf } }),
    free: () => ({ type: 'deduced' }),
  },
};

it('lets who owned a part of what is owned as one now own the whole', () => {
  const before = FieldSet.of(['f:whole', 'f:a'], ['f:parts', 'f:a']);
  expect(reconciled(before, type).toFieldsV1()).toEqual({ 'f:whole': {}, 'f:parts': { 'f:a': {} } });
});

it('leaves what nobody has a schema of, and what is right', () => {
  const before = FieldSet.of(['f:free', 'f:a', 'f:b'], ['f:unknown', 'f:a'], ['f:whole']);
  expect(reconciled(before, type)).toBe(before);
});
