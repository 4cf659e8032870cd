import { expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import type { Manifest } from '../../src/kube/manifest.js';

const extra = () => s.preserved<{ list: string[] }>({ optional: true });
type Old = { size: number; extra?: { list: string[] } };
type New = Old & { color?: string };

/** Its author changes what he is handed, and gives that back. */
const Lamp = customResource({
  group: 'lamps.example.com',
  version: 'v1',
  kind: 'Lamp',
  spec: s.object({ size: s.int32(), color: s.string({ optional: true }), extra: extra() }),
  versions: {
    v1beta1: {
      spec: s.object({ size: s.int32(), extra: extra() }),
      upgrade(spec) {
        const given = spec as Old;
        given.extra?.list.pop();
        return given;
      },
      downgrade(spec) {
        const given = spec as New;
        delete given.color;
        given.extra?.list.push('older');
        return given;
      },
    },
  },
});
const apiVersion = (version: string) => `${Lamp.group}/${version}`;

it.each([
  ['what the older version has no word for', { size: 1, color: 'red' }, { size: 1 }],
  ['what is in a preserved field', { size: 1, extra: { list: ['a'] } }, { size: 1, extra: { list: ['a', 'older'] } }],
])('a conversion that changes what it is handed loses nothing of %s', (_, stored, shown) => {
  const lamp: Manifest = { apiVersion: apiVersion('v1'), kind: 'Lamp', metadata: { name: 'a' }, spec: stored };

  const read = Lamp.convert(lamp, apiVersion('v1beta1'));
  expect(read['spec']).toEqual(shown);
  expect(Lamp.convert(read, apiVersion('v1'))['spec']).toEqual(stored);
});
