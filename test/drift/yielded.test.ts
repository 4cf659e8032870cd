import { describe, expect, it } from '@jest/globals';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import { appliedHash, hashOf, withAppliedHash } from '../../src/drift/hash.js';
import { plan } from '../../src/drift/plan.js';
import { remember } from '../../src/drift/remembered.js';
import { yieldFields } from '../../src/drift/yielded.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { entry, owner, ownerReferences, stored } from './an-object.js';

const Deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const containers = 'f:spec f:template f:spec f:containers';
const web = `${containers} k:{"name":"web"}`;
const field = 'spec.template.spec.containers[*]';
type Item = Readonly<Record<string, unknown>>;

const deployment = (env: readonly Item[], ports: readonly Item[] = []): Manifest => ({
  ...Deployment,
  metadata: { name: 'a', ownerReferences },
  spec: { template: { spec: { containers: [{ name: 'web', env, ...(ports.length > 0 ? { ports } : {}) }] } } },
});
const variable = (name: string) => ({ name, value: name.toLowerCase() });
const owned = (name: string) => [
  `${web} f:env k:{"name":"${name}"} f:name`,
  `${web} f:env k:{"name":"${name}"} f:value`,
];
const port = (number: number, protocol: string) => [
  `${web} f:ports k:{"containerPort":${number},"protocol":"${protocol}"} f:containerPort`,
  `${web} f:ports k:{"containerPort":${number},"protocol":"${protocol}"} f:protocol`,
];
const rest = [
  `${web} f:name`,
  'f:metadata f:ownerReferences k:{"uid":"owner-1"}',
  `f:metadata f:annotations f:${appliedHash}`,
];
const left = (manifest: Manifest) =>
  (manifest as unknown as ReturnType<typeof stored> & { spec: { template: { spec: { containers: Item[] } } } }).spec
    .template.spec.containers[0]!;
const full = deployment(['A', 'B', 'C'].map(variable));

describe.each(['ignore', 'report'] as const)(
  'of a list of which somebody removed an item, with a rule to %s',
  (mode) => {
    const without = (...names: readonly string[]) =>
      stored(withAppliedHash(deployment(names.map(variable)), hashOf(full)), [
        entry('us', 'Apply', [...rest, ...names.flatMap(owned)]),
      ]);

    it.each([
      ['the list', `${field}.env`],
      ['any item', `${field}.env[*]`],
      ['that item', `${field}.env[name=B]`],
    ])('%s, that item alone is left out', (_, path) => {
      const policy = DriftPolicy.of({ rules: [{ kind: Deployment, field: path, mode }] });
      const observed = without('A', 'C');
      const { manifest, fields } = yieldFields(full, observed, 'us', policy.fieldsOf(Deployment));
      expect(fields.map(({ trail }) => trail.at(-1))).toEqual(['k:{"name":"B"}']);
      expect(left(manifest)['env']).toEqual(['A', 'C'].map(variable));

      const steps = plan({
        owner,
        manager: 'us',
        desired: [full],
        observe: () => observed,
        controlled: [observed],
        remembered: new Map(),
        policy,
      });
      expect(steps).toEqual([
        expect.objectContaining({
          type: 'keep',
          reported:
            mode === 'ignore'
              ? []
              : [
                  expect.objectContaining({
                    path: 'spec.template.spec.containers[0].env[1]',
                    desired: variable('B'),
                    observed: undefined,
                    by: undefined,
                  }),
                ],
        }),
      ]);
    });

    it.each<[string, Item]>([
      ['the port first', { containerPort: 90, protocol: 'UDP' }],
      ['the protocol first', { protocol: 'UDP', containerPort: 90 }],
    ])('a port that another has is left out alone, and not ours of the default protocol: %s', (_, theirs) => {
      const ours = { containerPort: 90 };
      const observed = stored(deployment([], [{ ...ours, protocol: 'TCP' }, theirs]), [
        entry('us', 'Apply', [...rest, ...port(90, 'TCP')]),
        entry('them', 'Update', port(90, 'UDP')),
      ]);
      const policy = DriftPolicy.of({ rules: [{ kind: Deployment, field: `${field}.ports[*]`, mode }] });
      const { manifest } = yieldFields(deployment([], [ours, theirs]), observed, 'us', policy.fieldsOf(Deployment));
      expect(left(manifest)['ports']).toEqual([ours]);
    });

    it('another item, it is put back', () => {
      const policy = DriftPolicy.of({ rules: [{ kind: Deployment, field: `${field}.env[name=A]`, mode }] });
      const { manifest } = yieldFields(full, without('A', 'C'), 'us', policy.fieldsOf(Deployment));
      expect(manifest).toBe(full);
    });

    const modes = (path: string) =>
      DriftPolicy.of({ rules: [{ kind: Deployment, field: path, mode }] }).fieldsOf(Deployment);

    it('any item, which leaves a key to its default, the one that has another value there stays', () => {
      const udp = { containerPort: 90, protocol: 'UDP' };
      const desired = deployment([], [udp, { containerPort: 90 }]);
      const observed = stored(deployment([], [udp]), [entry('us', 'Apply', [...rest, ...port(90, 'UDP')])]);
      const { manifest, fields } = yieldFields(desired, observed, 'us', modes(`${field}.ports[*]`));
      expect(fields.map(({ trail }) => trail.at(-1))).toEqual(['k:{"containerPort":90}']);
      expect(left(manifest)['ports']).toEqual([udp]);
    });

    it("any item, and it is another's by now, nothing is left of it", () => {
      const observed = stored(full, [
        entry('us', 'Apply', [...rest, ...owned('A'), ...owned('C')]),
        entry('them', 'Update', owned('B')),
      ]);
      const { manifest } = yieldFields(full, observed, 'us', modes(`${field}.env[*]`));
      expect(left(manifest)['env']).toEqual(['A', 'C'].map(variable));
    });

    it('the list, of which none is left but of others, the list is left out', () => {
      const desired = deployment([variable('A')]);
      const observed = stored(deployment([variable('X')]), [
        entry('us', 'Apply', rest),
        entry('them', 'Update', owned('X')),
      ]);
      const { manifest } = yieldFields(desired, observed, 'us', modes(`${field}.env`));
      expect(left(manifest)).toEqual({ name: 'web' });
    });

    it('a set, that value alone is left out', () => {
      const set = (finalizers: readonly string[]): Manifest => ({
        ...Deployment,
        metadata: { name: 'a', finalizers: [...finalizers] } as Manifest['metadata'],
      });
      const held = (name: string) => `f:metadata f:finalizers v:"${name}"`;
      const observed = stored(set(['a/b']), [
        entry('us', 'Apply', [held('a/b')]),
        entry('them', 'Update', ['f:metadata f:finalizers v:"a\\u003cb"']),
      ]);
      const { manifest, fields } = yieldFields(
        set(['a/b', 'a/c', 'a<b']),
        observed,
        'us',
        modes('metadata.finalizers'),
      );
      expect(fields.map(({ trail }) => trail.at(-1))).toEqual(['v:"a/c"', 'v:"a\\u003cb"']);
      expect(manifest.metadata).toEqual({ name: 'a', finalizers: ['a/b'] });
    });
  },
);

it('sees that a second item of a list is removed, where the first stays away', () => {
  const observe = (...names: readonly string[]) =>
    stored(withAppliedHash(deployment(names.map(variable)), hashOf(full)), [
      entry('us', 'Apply', [...rest, ...names.flatMap(owned)]),
    ]);
  const [before, after] = [observe('A', 'C'), observe('A')];
  const remembered = new Map([[before.metadata.uid, remember(withAppliedHash(full, hashOf(full)), before, 'us')]]);
  const planFor = (observed: typeof before) =>
    plan({ owner, manager: 'us', desired: [full], observe: () => observed, controlled: [observed], remembered });
  expect(planFor(before)).toEqual([expect.objectContaining({ type: 'keep' })]);
  expect(planFor(after)).toEqual([
    expect.objectContaining({
      type: 'apply',
      drift: [expect.objectContaining({ path: 'spec.template.spec.containers[0].env[2]', by: undefined })],
    }),
  ]);
});
