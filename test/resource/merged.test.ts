import { describe, expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { merged } from '../../src/resource/merged.js';

const schemaOf = {
  map: s.listMap(s.object({ name: s.string(), secret: s.string({ optional: true }) }), { keys: ['name'] }).structural(),
  set: s.set(s.string()).structural(),
  list: s.array(s.preserved()).structural(),
};
const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, secret: `of ${name}` })) as [object, object, object];
const [A, B, C] = ['a', 'b', 'c'].map((name) => ({ name })) as [object, object, object];

describe('a list that was written in a version that has not all of it', () => {
  it.each<[string, keyof typeof schemaOf, object[], object[], object[], object[]]>([
    //                                     stored     shown      written       is stored
    ['that is a list map: added to', 'map', [a, b], [A, B], [A, B, C], [a, b, C]],
    ['that is a list map: shortened', 'map', [a, b, c], [A, B, C], [B, C], [b, c]],
    ['that is a list map: put in order', 'map', [a, b], [A, B], [B, A], [b, a]],
    ['that is a list map: of which not all was shown', 'map', [a, b], [A], [C], [C, b]],
    ['that is a list map: changed in place', 'map', [a], [A], [{ ...A, secret: 'new' }], [{ ...a, secret: 'new' }]],
    ['added to', 'list', [a, b], [A, B], [A, B, C], [a, b, C]],
    ['shortened', 'list', [a, b, c], [A, B, C], [B, C], [b, c]],
    ['put in order', 'list', [a, b], [A, B], [B, A], [b, a]],
    ['changed in place', 'list', [a, b], [A, B], [A, C], [a, C]],
    ['with the same twice', 'list', [a, { ...a, secret: '2' }], [A, A], [A, A, C], [a, { ...a, secret: '2' }, C]],
    ['of which not all was shown', 'list', [a, b], [A], [C], [C]],
  ])('%s', (_, type, stored, before, after, wanted) => {
    expect(merged(schemaOf[type], stored, before, after)).toEqual(wanted);
  });

  it('that is a set keeps what was not shown', () => {
    expect(merged(schemaOf.set, ['a', 'b', 'c'], ['a', 'b'], ['b', 'd'])).toEqual(['b', 'd', 'c']);
  });

  // Minutes, in which nothing else is done, if each item were looked for among all others.
  describe('and is as long as a request may be', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `item-${index}`);
    const shown = names.map((name) => ({ name }));
    const stored = names.map((name) => ({ name, secret: `of ${name}` }));

    it.each(['map', 'list'] as const)('is put in order, as a %s', (type) => {
      expect(merged(schemaOf[type], stored, shown, shown.toReversed())).toEqual(stored.toReversed());
    });

    it('is a set of which nothing was shown', () => {
      expect(merged(schemaOf.set, names, ['a'], ['b'])).toEqual(['b', ...names]);
    });

    it('has the same again and again', () => {
      const same = names.map(() => A);
      expect(merged(schemaOf.list, [B, ...same.slice(1)], same, [C, ...same])).toHaveLength(20_001);
    });
  });

  it('loses nothing of the items that were not touched', () => {
    const Site = customResource({
      group: 'versions.kilter.dev',
      version: 'v1',
      kind: 'Site',
      spec: s.object({
        hosts: s.listMap(
          s.object({ name: s.string(), tls: s.boolean({ default: false }), secret: s.string({ optional: true }) }),
          { keys: ['name'] },
        ),
      }),
      versions: {
        v1beta1: {
          spec: s.object({ hosts: s.array(s.string()) }),
          upgrade: ({ hosts }) => ({ hosts: hosts.map((name) => ({ name })) }),
          downgrade: ({ hosts }) => ({ hosts: hosts.map(({ name }) => name) }),
        },
      },
    });
    const hosts = [
      { name: 'a', tls: true, secret: 'x' },
      { name: 'b', tls: false },
    ];
    const stored = { apiVersion: Site.apiVersion, kind: 'Site', metadata: { name: 's' }, spec: { hosts } };
    const read = Site.convert(stored as unknown as KubeObject, `${Site.group}/v1beta1`);
    const written = { ...read, spec: { hosts: ['a', 'b', 'c'] } } as unknown as KubeObject;
    expect(Site.convert(written, Site.apiVersion)['spec']).toEqual({ hosts: [...hosts, { name: 'c', tls: false }] });
  });
});
