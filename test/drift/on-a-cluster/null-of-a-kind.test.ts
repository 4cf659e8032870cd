import { beforeAll, expect, it } from '@jest/globals';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const lamp = { color: s.string({ nullable: true, default: 'white' }), watts: s.int32({ default: 5 }) };
/** Of what is preserved the API server looks at nothing. */
const extra = { note: null, more: [{ note: null }] };
const Lamp = customResource({
  group: 'lamps.example.com',
  version: 'v1',
  kind: 'Lamp',
  spec: s.object({
    ...lamp,
    extra: s.preserved<typeof extra>(),
    spare: s.listMap(s.object({ name: s.string(), ...lamp }), { keys: ['name'], optional: true }),
  }),
});
const lit = (watts: number) => ({ color: null, watts, extra, spare: [{ name: 'a', color: null, watts }] });
const House = customResource({
  group: 'houses.example.com',
  version: 'v1',
  kind: 'House',
  spec: s.object({ watts: s.int32() }),
});
const house = operator(House, {
  owns: [Lamp],
  compose(scope, { spec: { watts } }) {
    new Lamp(scope, 'lamp', { spec: lit(watts) });
  },
});

onEveryCluster('a null that the schema of a child takes', {}, (plane) => {
  const stage = new Stage(plane, [Lamp.crd(), House.crd()]);
  beforeAll(() => stage.start([house]), 60_000);
  const spec = async () => (await stage.get(Lamp, 'home-lamp')).spec;
  const isLit = (watts: number) => eventually(async () => expect(await spec()).toEqual(lit(watts)));

  it('is no default, as it is created, changed, taken and at rest', async () => {
    await stage.wish(House, 'home', { watts: 7 });
    await isLit(7);
    await stage.wish(House, 'home', { watts: 9 });
    await isLit(9);
    await stage.change(Lamp, 'home-lamp', { spec: { color: 'red' } });
    await isLit(9);
    // By a merge patch it is removed, and has its default.
    await stage.change(Lamp, 'home-lamp', { spec: { color: null } });
    await stage.quiet();
    await isLit(9);
    await stage.quiet();
    const { resourceVersion } = (await stage.get(Lamp, 'home-lamp')).metadata;
    await stage.stop();
    await stage.start([house]);
    await stage.quiet();
    expect((await stage.get(Lamp, 'home-lamp')).metadata.resourceVersion).toBe(resourceVersion);
  });
});
