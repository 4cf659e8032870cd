import { describe, expect, it } from '@jest/globals';
import { judgedAdditions, removableAdditions } from '../../src/drift/additions.js';
import { DriftPolicy, type DriftPolicyInput } from '../../src/drift/drift-policy.js';
import type { ManagedFieldsEntry, Manifest } from '../../src/kube/manifest.js';
import { entry, stored } from './an-object.js';

const desired: Manifest = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', labels: { ours: 'x' } },
  spec: {
    replicas: 3,
    empty: {},
    template: { spec: { containers: [{ name: 'web', ports: [{ containerPort: 80 }] }] } },
    atomic: ['x'],
  },
};
const containers = 'f:spec f:template f:spec f:containers';
const web = `${containers} k:{"name":"web"}`;
const ours = entry('us', 'Apply', [
  'f:metadata f:labels f:ours',
  'f:spec f:replicas',
  'f:spec f:empty',
  'f:spec f:atomic',
  `${web} .`,
  `${web} f:name`,
  `${web} f:ports k:{"containerPort":80,"protocol":"TCP"} f:containerPort`,
]);
const observed = {
  ...desired,
  metadata: { name: 'a', labels: { ours: 'x', 'their.org/l': 'y' }, annotations: { note: 'n' } },
  spec: {
    replicas: 3,
    paused: true,
    empty: { k: 'v' },
    atomic: ['x'],
    template: {
      metadata: { annotations: { restartedAt: 'now' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'i',
            ports: [
              { containerPort: 80, protocol: 'TCP' },
              { containerPort: 81, protocol: 'TCP' },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
          { name: 'extra' },
        ],
      },
    },
  },
  status: { replicas: 1 },
};
const judge = (entries: readonly ManagedFieldsEntry[], input: DriftPolicyInput = {}) => {
  const { claimed, reported } = judgedAdditions(
    desired,
    stored(observed, [ours, ...entries]),
    'us',
    DriftPolicy.of(input),
  );
  const paths = (fields: typeof claimed) => fields.map(({ path }) => path);
  return { claimed: paths(claimed), reported: paths(reported) };
};
const theirs = (fields: readonly string[], rest: ManagedFieldsEntry = {}, manager = 'them') =>
  entry(manager, 'Update', fields, { apiVersion: 'apps/v1', ...rest });

describe('what others added', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a field', ['f:spec f:paused'], ['spec.paused']],
    ['a label', ['f:metadata f:labels .', 'f:metadata f:labels f:their.org/l'], ['metadata.labels["their.org/l"]']],
    [
      'an item of a list, once, whatever is in it',
      [`${containers} k:{"name":"extra"} .`, `${containers} k:{"name":"extra"} f:name`],
      ['spec.template.spec.containers[name=extra]'],
    ],
    [
      'an item of a list in an item of ours, whose key has its default',
      [`${web} f:ports k:{"containerPort":81,"protocol":"TCP"} f:containerPort`],
      ['spec.template.spec.containers[name=web].ports[containerPort=81,protocol=TCP]'],
    ],
    [
      'an item of a list that differs from ours in a key alone which we left to its default',
      [
        `${web} f:ports k:{"containerPort":80,"protocol":"UDP"} .`,
        `${web} f:ports k:{"containerPort":80,"protocol":"UDP"} f:protocol`,
      ],
      ['spec.template.spec.containers[name=web].ports[containerPort=80,protocol=UDP]'],
    ],
    ['a field of an item of ours', [`${web} f:image`], ['spec.template.spec.containers[name=web].image']],
    ['a part that we have nothing of', ['f:spec f:template f:metadata f:labels f:x'], []],
    ['what we own too', ['f:spec f:replicas', `${web} f:name`], []],
    ['what we declare, and they took', [`${web} f:ports k:{"containerPort":80,"protocol":"TCP"} f:containerPort`], []],
    ['what is in a map that is declared empty', ['f:spec f:empty f:k'], []],
    ['what is in a list that we own as one', ['f:spec f:atomic'], []],
    [
      'annotations',
      ['f:metadata f:annotations f:note', 'f:spec f:template f:metadata f:annotations f:restartedAt'],
      [],
    ],
    ['status', ['f:status f:replicas'], []],
    ['what is not there any more', ['f:spec f:gone'], []],
  ])('shows %s', (_, fields, paths) => {
    expect(judge([theirs(fields)])).toEqual({ claimed: [], reported: paths });
    expect(judge([theirs(fields)], { strict: true })).toEqual({ claimed: paths, reported: [] });
    expect(
      judge([theirs(fields)], {
        rules: [
          { field: 'spec', mode: 'ignore' },
          { field: 'metadata', mode: 'ignore' },
        ],
      }),
    ).toEqual({
      claimed: [],
      reported: [],
    });
  });

  it.each<[string, ManagedFieldsEntry]>([
    ['through a subresource', theirs(['f:spec f:paused'], { subresource: 'scale' })],
    ["by a cluster's own controller", theirs(['f:spec f:paused'], {}, 'kube-controller-manager')],
    ['by a cluster of one program', theirs(['f:spec f:paused'], {}, 'k3s')],
    ['before anybody kept track', theirs(['f:spec f:paused'], {}, 'before-first-apply')],
    ['by those whom the server has forgotten', theirs(['f:spec f:paused'], {}, 'ancient-changes')],
    ['in another version', theirs(['f:spec f:paused'], { apiVersion: 'apps/v1beta1' })],
  ])('is not looked for when it was written %s', (_, by) => {
    expect(judge([by], { strict: true })).toEqual({ claimed: [], reported: [] });
  });

  it.each([
    ['them', true],
    ['before-first-apply', true],
    ['ancient-changes', true],
    ['kube-controller-manager', false],
  ])('written by %s may be removed where it is in the way: %s', (manager, is) => {
    const found = stored(observed, [ours, theirs(['f:spec f:paused'], {}, manager)]);
    const removable = removableAdditions(desired, found, 'us', DriftPolicy.enforcing);
    expect(removable.map(({ path }) => path)).toEqual(is ? ['spec.paused'] : []);
  });

  it('is no item that is declared, where ours is another one that is declared beside it', () => {
    const ports = [{ port: 443 }, { port: 443, protocol: 'UDP' }];
    const service = (spec: object): Manifest => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec });
    const portOf = (protocol: string) =>
      ['port', 'protocol'].map((name) => `f:spec f:ports k:{"port":443,"protocol":"${protocol}"} f:${name}`);
    const found = stored(service({ ports: [{ port: 443, protocol: 'TCP' }, ports[1]] }), [
      entry('us', 'Apply', portOf('UDP'), { apiVersion: 'v1' }),
      entry('them', 'Update', portOf('TCP'), { apiVersion: 'v1' }),
    ]);
    const { claimed, reported } = judgedAdditions(service({ ports }), found, 'us', DriftPolicy.of({ strict: true }));
    expect({ claimed, reported }).toEqual({ claimed: [], reported: [] });
  });

  it('is removed in the part that a rule is strict about', () => {
    const entries = [theirs(['f:spec f:paused', `${containers} k:{"name":"extra"} f:name`])];
    const strict = { rules: [{ field: 'spec.template.spec.containers', strict: true }] };
    expect(judge(entries, strict)).toEqual({
      claimed: ['spec.template.spec.containers[name=extra]'],
      reported: ['spec.paused'],
    });
    expect(judge(entries, { strict: true, rules: [{ field: 'spec.paused', mode: 'report' }] })).toEqual({
      claimed: ['spec.template.spec.containers[name=extra]'],
      reported: ['spec.paused'],
    });
  });

  it('finds annotations where a rule leads to them', () => {
    const entries = [theirs(['f:metadata f:annotations f:note'])];
    expect(judge(entries, { rules: [{ field: 'metadata', strict: true }] }).claimed).toEqual([]);
    expect(judge(entries, { rules: [{ field: 'metadata.annotations', strict: true }] }).claimed).toEqual([
      'metadata.annotations',
    ]);
  });
});
