import { describe, expect, it } from '@jest/globals';
import type { FieldType } from '../../../src/embedded/fields/field-type.js';
import { apply, ClashError, type Managers, update } from '../../../src/embedded/fields/ownership.js';
import { onlyVersion } from '../../../src/embedded/fields/versions.js';
import type { FieldsV1, Json } from '../../../src/kube/manifest.js';

const leaf: FieldType = { type: 'atomic' };
const struct = (fields: Record<string, FieldType>): FieldType => ({
  type: 'struct',
  fields: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, () => type])),
});
const map: FieldType = { type: 'deduced' };

const pod = struct({
  labels: map,
  replicas: leaf,
  args: { type: 'atomic' },
  finalizers: { type: 'set' },
  containers: {
    type: 'listMap',
    keys: [{ name: 'name' }],
    item: () =>
      struct({ name: leaf, image: leaf, env: { type: 'listMap', keys: [{ name: 'name' }], item: () => map } }),
  },
});

interface World {
  readonly object: Json;
  readonly managers: Managers;
}
const nothing: World = { object: {}, managers: new Map() };
const applies = (world: World, manager: string, config: Json, force = false): World =>
  apply(world.object, config, onlyVersion(pod), world.managers, manager, force);
const writes = (world: World, manager: string, object: Json): World => ({
  object,
  managers: update(world.object, object, onlyVersion(pod), world.managers, manager),
});
const owners = (world: World): Record<string, FieldsV1> =>
  Object.fromEntries([...world.managers].map(([name, { fields }]) => [name, fields.toFieldsV1()]));

describe('an apply', () => {
  it('owns what it says, and leaves what others said', () => {
    const first = applies(nothing, 'ours', { labels: { a: 'ours' } });
    const second = applies(first, 'other', { labels: { b: 'other' } });

    expect(second.object).toEqual({ labels: { a: 'ours', b: 'other' } });
    expect(owners(second)).toEqual({ ours: { 'f:labels': { 'f:a': {} } }, other: { 'f:labels': { 'f:b': {} } } });
  });

  it('removes what it no longer says and nobody else owns', () => {
    const first = applies(nothing, 'ours', { labels: { a: 'ours', b: 'ours' }, replicas: 1 });
    const shared = applies(first, 'other', { labels: { b: 'ours' } });
    const less = applies(shared, 'ours', { replicas: 1 });

    expect(less.object).toEqual({ labels: { b: 'ours' }, replicas: 1 });
  });

  it('removes a list item, but not the item that another manager put beside it', () => {
    const ours = applies(nothing, 'ours', {
      containers: [
        { name: 'web', image: 'v1' },
        { name: 'log', image: 'v1' },
      ],
    });
    const both = applies(ours, 'other', { containers: [{ name: 'mesh', image: 'other' }] });
    const less = applies(both, 'ours', { containers: [{ name: 'web', image: 'v1' }] });

    expect(less.object).toEqual({
      containers: [
        { name: 'web', image: 'v1' },
        { name: 'mesh', image: 'other' },
      ],
    });
  });

  it('keeps a list item alive as long as somebody owns a field of it', () => {
    const ours = applies(nothing, 'ours', { containers: [{ name: 'web', image: 'v1' }] });
    const both = applies(ours, 'other', { containers: [{ name: 'web', env: [{ name: 'A', value: 'other' }] }] });
    const less = applies(both, 'ours', { containers: [] });

    expect(less.object).toEqual({ containers: [{ name: 'web', env: [{ name: 'A', value: 'other' }] }] });
  });

  it('is refused where another manager owns another value', () => {
    const other = applies(nothing, 'other', { replicas: 9 });

    expect(() => applies(other, 'ours', { replicas: 3 })).toThrow(ClashError);
    expect(owners(applies(other, 'ours', { replicas: 9 }))).toEqual({
      ours: { 'f:replicas': {} },
      other: { 'f:replicas': {} },
    });
  });

  it('takes the field over with force', () => {
    const taken = applies(applies(nothing, 'other', { replicas: 9 }), 'ours', { replicas: 3 }, true);

    expect(taken.object).toEqual({ replicas: 3 });
    expect(owners(taken)).toEqual({ ours: { 'f:replicas': {} } });
  });

  it('that says the same again changes nothing', () => {
    const first = applies(nothing, 'ours', { labels: { a: 'ours' }, args: ['x', 'y'], finalizers: ['f'] });
    const again = applies(first, 'ours', { labels: { a: 'ours' }, args: ['x', 'y'], finalizers: ['f'] });

    expect(again.object).toBe(first.object);
    expect(owners(again)).toEqual({
      ours: { 'f:labels': { 'f:a': {} }, 'f:args': {}, 'f:finalizers': { 'v:"f"': {} } },
    });
  });

  it('puts its own items after those of others, and keeps its own order', () => {
    const live = writes(nothing, 'other', { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    const merged = applies(live, 'ours', { containers: [{ name: 'new' }, { name: 'c' }, { name: 'b' }] });

    expect((merged.object as { containers: { name: string }[] }).containers.map(({ name }) => name)).toEqual([
      'a',
      'new',
      'c',
      'b',
    ]);
  });
});

describe('an update', () => {
  it('owns what it changed, with the parents that it made', () => {
    const made = writes(nothing, 'kubectl', { labels: { a: 'x' }, containers: [{ name: 'web', image: 'v1' }] });

    expect(owners(made)).toEqual({
      kubectl: {
        'f:labels': { '.': {}, 'f:a': {} },
        'f:containers': { '.': {}, 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } },
      },
    });
  });

  it('takes from an applier what it changed or removed, and no more', () => {
    const ours = applies(nothing, 'ours', { labels: { a: 'ours', b: 'ours' }, replicas: 3 });
    const drifted = writes(ours, 'kubectl', { labels: { a: 'ours' }, replicas: 9 });

    expect(owners(drifted)).toEqual({ ours: { 'f:labels': { 'f:a': {} } }, kubectl: { 'f:replicas': {} } });
  });

  it('that writes the same value takes nothing', () => {
    const ours = applies(nothing, 'ours', { replicas: 3 });
    expect(owners(writes(ours, 'kubectl', { replicas: 3 }))).toEqual({ ours: { 'f:replicas': {} } });
  });

  it('keeps a key named __proto__ as data', () => {
    const hostile = JSON.parse('{"labels":{"__proto__":"x"}}') as Json;
    const ours = applies(nothing, 'ours', hostile);

    expect(JSON.stringify(ours.object)).toBe('{"labels":{"__proto__":"x"}}');
    expect(JSON.stringify(owners(ours)['ours'])).toBe('{"f:labels":{"f:__proto__":{}}}');
  });
});
