import type { Json } from '../../../../src/kube/manifest.js';
import { field, type KindGrammar, under } from './kind-grammar.js';

const group = '{ns}.example.com';

const spec = under('spec', [
  field('size', [1, 3, 4, 7], ['x', 1.5, null]),
  field('mode', ['A', 'B'], ['Odd', 5, null]),
  field('tags', [['a'], ['a', 'b'], []], [['a', 'a'], [1], 'x']),
  field(
    'ports',
    [
      [{ port: 80 }],
      [
        { port: 80, protocol: 'UDP' },
        { port: 81, protocol: 'TCP', name: 'web' },
      ],
      [],
    ],
    [[{ port: 80 }, { port: 80 }], [{}], 'x'],
  ),
  field('ports.0.name', ['web', 'api']),
  field('inner', [{ a: 'x' }, { a: 'y', c: 'z' }, {}], ['x', { a: 1 }]),
  field('inner.b', ['1', '2']),
  field('extra', ['x', 'y'], [1]),
]);

const bases: KindGrammar['bases'] = [
  { spec: { size: 1, mode: 'A', tags: ['a'], ports: [{ port: 80 }], inner: { a: 'x' }, extra: 'x' } },
  { spec: { size: 3, tags: ['a', 'b'], inner: { a: 'x', c: 'y' } } },
  { spec: {} },
];

function part(version: string, weight: number): KindGrammar {
  return {
    resource: `${group}/${version}/parts`,
    kind: 'Part',
    namespaced: true,
    names: ['a', 'b'],
    weight,
    scale: true,
    bases,
    fields: spec,
    status: [field('status.size', [0, 2], ['x']), field('status.phase', ['Up', 'Down'], [1])],
  };
}

/** Custom resources whose definition belongs to the trace, and changes in the middle of it. */
export const parts: readonly KindGrammar[] = [part('v1', 3), part('v2', 2)];

export const partsDefinition = {
  resource: 'apiextensions.k8s.io/v1/customresourcedefinitions',
  name: `parts.${group}`,
  group,
  names: { kind: 'Part', plural: 'parts', singular: 'part', listKind: 'PartList' } as Json,
};
