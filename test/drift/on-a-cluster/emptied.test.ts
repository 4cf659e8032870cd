import { beforeAll, expect, it } from '@jest/globals';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Rack = customResource({
  group: 'racks.example.com',
  version: 'v1',
  kind: 'Rack',
  spec: s.object({
    needed: s.map(s.string()),
    map: s.map(s.string(), { optional: true }),
    maps: s.map(s.object({ a: s.string({ optional: true }) }), { optional: true }),
    set: s.set(s.string(), { optional: true }),
    list: s.listMap(
      s.object({
        name: s.string(),
        sub: s.object({ a: s.string({ optional: true }), b: s.string({ default: 'b' }) }, { optional: true }),
      }),
      { keys: ['name'], optional: true },
    ),
    free: s.preserved({ optional: true }),
    ruled: s.object(
      { isFull: s.boolean(), map: s.map(s.string(), { maxProperties: 9, optional: true }) },
      {
        optional: true,
        rules: [{ rule: 'self.isFull == (has(self.map) && size(self.map) > 0)', message: 'is full or empty' }],
      },
    ),
  }),
});

const Hall = customResource({
  group: 'racks.example.com',
  version: 'v1',
  kind: 'Hall',
  // As text, or the custom resource itself would be told of maps that are to be empty.
  spec: s.object({ rack: s.string() }),
});

const hall = operator(Hall, {
  owns: [Rack],
  compose(scope, { spec }) {
    new Rack(scope, 'default', { spec: JSON.parse(spec.rack) as never });
  },
});

onEveryCluster('a map or a list of a child of a custom kind that is to be empty', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Hall.crd(), Rack.crd()]);
  beforeAll(() => stage.start([hall]), 60_000);

  const specOf = async (name: string) =>
    ((await stage.admin.get(Rack, { namespace: 'default', name })) as KubeObject & { readonly spec: object }).spec;

  it.each([
    ['needed', { needed: { a: '1' } }, { needed: {} }],
    ['map', { map: { a: '1' } }, { map: {} }],
    ['maps', { maps: { 'a/b~c': { a: '1' } } }, { maps: { 'a/b~c': {} } }],
    ['all-maps', { maps: { a: { a: '1' } } }, { maps: {} }],
    ['set', { set: ['a'] }, { set: [] }],
    ['list', { list: [{ name: 'a' }] }, { list: [] }],
    [
      'default',
      { map: { a: '1' }, list: [{ name: 'a', sub: {} }] },
      { map: { a: '2' }, list: [{ name: 'a', sub: {} }] },
      { map: { a: '2' }, list: [{ name: 'a', sub: { b: 'b' } }] },
      { map: { a: '1' }, list: [{ name: 'a', sub: { b: 'b' } }] },
    ],
    ['ruled', { ruled: { isFull: true, map: { a: '1' } } }, { ruled: { isFull: false, map: {} } }],
    ['free', { free: { a: { b: 1 } } }, { free: { a: {} } }],
    [
      'sub',
      { list: [{ name: 'x' }, { name: 'a', sub: { a: '1', b: '2' } }] },
      { list: [{ name: 'a', sub: {} }] },
      { list: [{ name: 'a', sub: { b: 'b' } }] },
    ],
  ] as const)(
    '%s: is emptied, again and again',
    async (name, full, empty, stored: object = empty, filled: object = full) => {
      const becomes = async (rack: object, shown: object) => {
        await stage.wish(Hall, name, { rack: JSON.stringify({ needed: {}, ...rack }) });
        await eventually(async () => expect(await specOf(name)).toEqual({ needed: {}, ...shown }));
        await stage.settled(Hall, name);
      };
      await becomes(full, filled);
      await becomes(empty, stored);
      await becomes(full, filled);
      await becomes(empty, stored);
    },
  );

  it('is left alone when its controller starts anew', async () => {
    await stage.quiet();
    const writes = await stage.writesDuring(async () => {
      await stage.stop();
      await stage.start([hall]);
    });
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'racks')).toEqual([]);
  });
});
