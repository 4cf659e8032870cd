import { beforeAll, expect, it } from '@jest/globals';
import { customResource, type Manifest, operator, s } from '../../src/index.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

const names = { group: 'scopes.example.com', version: 'v1' } as const;
const color = s.string();
const Room = customResource({ ...names, kind: 'Room', spec: s.object({ color }) });
const Lamp = customResource({ ...names, kind: 'Lamp', spec: s.object({ color }) });
const Hall = customResource({ ...names, kind: 'Hall', namespaced: false, spec: s.object({ color }) });
const Dome = customResource({ ...names, kind: 'Dome', namespaced: false, spec: s.object({ color }) });

const room = operator(Room, {
  owns: [Lamp],
  compose: (scope, { spec }) => void new Lamp(scope, 'lamp', { spec }),
});
const hall = operator(Hall, {
  owns: [Dome],
  compose: (scope, { spec }) => void new Dome(scope, 'dome', { spec }),
});

/** The definition as somebody else has installed it. */
function inScope(scope: 'Cluster' | 'Namespaced', definition: Manifest): Manifest {
  return { ...definition, spec: { ...(definition as Manifest & { spec: object }).spec, scope } } as Manifest;
}

onEveryCluster('a child of a kind whose definition has another scope', {}, (plane) => {
  const definitions = [Room.crd(), Hall.crd(), inScope('Cluster', Lamp.crd()), inScope('Namespaced', Dome.crd())];
  const stage = new Stage(plane, definitions);
  beforeAll(() => stage.start([room, hall]), 60_000);

  it.each([
    ['in no namespace', Room, 'Lamp/default/a-lamp', Lamp],
    ['in namespaces', Hall, 'Dome/a-dome', Dome],
  ])('is not made where its kind is %s by now, and that is said', async (_, kind, child, of) => {
    await stage.wish(kind, 'a', { color: 'red' });
    await stage.says(kind, 'a', 'ApplyFailed', `${child} create failed`);
    expect((await stage.condition(kind, 'a'))?.message).toContain('its definition has another scope');
    expect((await stage.admin.list(of)).items).toEqual([]);
  });
});
