import { describe, expect, it } from '@jest/globals';
import { UntypedError } from '../../../src/embedded/fields/compare.js';
import { FieldSet } from '../../../src/embedded/fields/field-set.js';
import type { FieldType } from '../../../src/embedded/fields/field-type.js';
import { type Managers, update } from '../../../src/embedded/fields/ownership.js';
import type { Versions } from '../../../src/embedded/fields/versions.js';
import type { Json } from '../../../src/kube/manifest.js';

const text: FieldType = { type: 'atomic', scalar: 'string' };
const struct = (...names: readonly string[]): FieldType => ({
  type: 'struct',
  fields: Object.fromEntries(['apiVersion', ...names].map((name) => [name, () => text])),
});
/** v1 calls `new` what v0 calls `old`. */
const views: Readonly<Record<string, { readonly type: FieldType; readonly name: string }>> = {
  v1: { type: struct('new'), name: 'new' },
  v0: { type: struct('old'), name: 'old' },
};
const versions: Versions = {
  current: 'v1',
  view(version) {
    const view = views[version];
    return (
      view && {
        type: view.type,
        ignored: FieldSet.empty,
        convert(object) {
          const { apiVersion: _, ...rest } = object as { readonly [field: string]: Json };
          return { apiVersion: version, ...Object.fromEntries(Object.values(rest).map((value) => [view.name, value])) };
        },
      }
    );
  },
};
const owned = (version: string, field: string): Managers =>
  new Map([['other', { fields: FieldSet.of([`f:${field}`]), applied: true, version }]]);
const owners = (managers: Managers) =>
  Object.fromEntries([...managers].map(([name, { fields }]) => [name, fields.toFieldsV1()]));

describe('a manager that wrote another version', () => {
  const before = { apiVersion: 'v1', new: 'a' };

  it('keeps what it owns there while it does not change', () => {
    expect(owners(update(before, before, versions, owned('v0', 'old'), 'me'))).toEqual({ other: { 'f:old': {} } });
  });

  it('loses it when the other version changes', () => {
    const after = { apiVersion: 'v1', new: 'b' };
    expect(owners(update(before, after, versions, owned('v0', 'old'), 'me'))).toEqual({ me: { 'f:new': {} } });
  });

  it('is forgotten when nobody serves that version', () => {
    expect(owners(update(before, before, versions, owned('v9', 'x'), 'me'))).toEqual({});
  });

  it('cannot be told what it owns when its version cannot have the object', () => {
    const after = { apiVersion: 'v1', new: 5 };
    expect(() => update(before, after, versions, owned('v0', 'old'), 'me')).toThrow(UntypedError);
  });
});
