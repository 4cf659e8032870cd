// Longer than most files: a definition and a schema are data, and a kind is easier to read in one piece.
import type { Json } from '../../../../src/kube/manifest.js';
import type { JsonMap } from '../operation.js';
import { field, type KindGrammar } from './kind-grammar.js';

const group = 'conformance.example.com';
const text = { type: 'string' };
const integer = { type: 'integer', format: 'int32' };

function definition(kind: string, plural: string, scope: string, versions: readonly Json[]): JsonMap {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` }, versions },
  };
}

const widgetSpec: Json = {
  type: 'object',
  required: ['size'],
  'x-kubernetes-validations': [
    { rule: '!has(self.limit) || self.size <= self.limit', message: 'size must not exceed limit' },
    {
      rule: '!has(oldSelf.zone) || (has(self.zone) && self.zone == oldSelf.zone)',
      message: 'zone is immutable',
      fieldPath: '.zone',
      reason: 'FieldValueForbidden',
    },
  ],
  properties: {
    size: { ...integer, minimum: 0, maximum: 10 },
    limit: integer,
    zone: { ...text, maxLength: 20 },
    mode: { ...text, enum: ['Fast', 'Slow'], default: 'Slow' },
    replicas: { ...integer, minimum: 0, default: 1 },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set', maxItems: 4 },
    args: { type: 'array', items: text },
    env: { type: 'object', additionalProperties: { ...text, pattern: '^[a-z0-9]*$' } },
    inner: { type: 'object', properties: { a: text, b: { ...text, default: 'bee' } }, default: {} },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: integer, protocol: { ...text, default: 'TCP' }, name: { ...text, maxLength: 8 } },
      },
    },
    target: { 'x-kubernetes-int-or-string': true },
    maybe: { ...text, nullable: true },
    when: { ...text, format: 'date-time' },
    amount: { type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    flag: { type: 'boolean' },
  },
};

const widgetStatus: Json = {
  type: 'object',
  properties: {
    replicas: integer,
    selector: text,
    phase: { ...text, enum: ['Up', 'Down'] },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { type: 'object', required: ['type', 'status'], properties: { type: text, status: text, reason: text } },
    },
  },
};

const gadgetSchema = (extra: JsonMap): Json => ({
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      oneOf: [{ required: ['left'] }, { required: ['right'] }],
      properties: {
        left: text,
        right: text,
        count: { type: 'integer', format: 'int64' },
        list: { type: 'array', items: { type: 'object', properties: { n: integer } }, minItems: 1, uniqueItems: false },
        ...extra,
      },
    },
    status: { type: 'object', properties: { note: text } },
  },
});

/** The definitions that these kinds need, installed before the first trace. */
export const customDefinitions: readonly JsonMap[] = [
  definition('Widget', 'widgets', 'Namespaced', [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: widgetSpec, status: widgetStatus } } },
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      selectableFields: [{ jsonPath: '.spec.mode' }],
    },
  ]),
  definition('Gadget', 'gadgets', 'Cluster', [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: gadgetSchema({}) } },
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      schema: { openAPIV3Schema: gadgetSchema({ old: text }) },
    },
  ]),
  definition('Blob', 'blobs', 'Namespaced', [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ]),
];

export const custom: readonly KindGrammar[] = [
  {
    resource: `${group}/v1/widgets`,
    kind: 'Widget',
    namespaced: true,
    weight: 4,
    scale: true,
    fieldSelectors: ['spec.mode=Slow', 'spec.mode!=Fast'],
    bases: [
      { spec: { size: 1 } },
      {
        spec: {
          size: 2,
          limit: 5,
          mode: 'Fast',
          tags: ['red'],
          ports: [{ port: 80 }, { port: 53, protocol: 'UDP', name: 'dns' }],
          env: { a: '1' },
        },
      },
      {
        spec: {
          size: 3,
          zone: 'north',
          inner: { a: 'x' },
          whole: { a: '1', b: '2' },
          free: { deep: { list: [1, 2] } },
          target: 'web',
          args: ['x', 'y'],
        },
      },
    ],
    fields: [
      field('spec.size', [0, 1, 4], [-1, 11, 'x', null, 1.5]),
      field('spec.limit', [4, 9], [0, 'x']),
      field('spec.zone', ['north'], ['south', '', 'a-zone-whose-name-is-much-too-long', 4]),
      field('spec.mode', ['Fast', 'Slow'], ['Odd', null, 1]),
      field('spec.replicas', [0, 2], [-1, 'x']),
      field(
        'spec.tags',
        [['red', 'blue'], [], ['red'], ['blue']],
        [['red', 'red'], 'x', [1], ['a', 'b', 'c', 'd', 'e'], null],
      ),
      field('spec.args', [['x'], ['x', 'x'], []], [[null], {}, [1]]),
      field('spec.env', [{ a: '1', b: '2' }, {}, { a: '2' }], [{ a: 'UPPER' }, { a: 1 }, 'x', { a: null }]),
      field('spec.env.b', ['1', '2'], [1]),
      field('spec.inner', [{}, { a: 'y' }, { b: 'c' }], ['x', null, { a: 1 }]),
      field('spec.whole', [{ a: '1' }, { b: '3' }, {}], [[], { a: 2 }]),
      field(
        'spec.ports',
        [[{ port: 80, name: 'web' }], [{ port: 80, protocol: 'UDP' }, { port: 81 }], []],
        [
          [{ port: 80 }, { port: 80, protocol: 'TCP' }],
          [{}],
          [{ port: 'x' }],
          [{ port: 80, name: 'a-long-name' }],
          'x',
          [null],
        ],
      ),
      field('spec.ports.0.name', ['web', 'api'], [5]),
      field('spec.target', [80, 'web'], [true, 1.5, null]),
      field('spec.maybe', [null, 'x'], [5]),
      field('spec.when', ['2020-01-01T00:00:00Z'], ['yesterday', 5]),
      field('spec.amount', [0.5, 2], [0, 0.3, 'x']),
      field('spec.free', [{ x: 1 }, { deep: { list: [] } }, {}], ['x', []]),
      field('spec.free.deep.y', [1, null, 'text', [{ a: 1 }]]),
      field('spec.flag', [true, false], ['true', 0]),
      field('spec.unknown', [], [1]),
      field('spec', [], [null, {}, [], 'x']),
    ],
    status: [
      field('status.replicas', [0, 2], ['x']),
      field('status.selector', ['app=a', ''], [1]),
      field('status.phase', ['Up', 'Down'], ['Odd']),
      field(
        'status.conditions',
        [
          [{ type: 'Ready', status: 'True' }],
          [
            { type: 'Ready', status: 'False', reason: 'R' },
            { type: 'Other', status: 'True' },
          ],
          [],
        ],
        [
          [{ type: 'Ready' }],
          [
            { type: 'A', status: 'B' },
            { type: 'A', status: 'C' },
          ],
          'x',
        ],
      ),
    ],
  },
  {
    resource: `${group}/v1/gadgets`,
    kind: 'Gadget',
    namespaced: false,
    weight: 2,
    bases: [{ spec: { left: 'a' } }, { spec: { right: 'b', count: 5, list: [{ n: 1 }] }, status: { note: 'main' } }],
    fields: [
      field('spec.left', ['a', 'b'], [1, null]),
      field('spec.right', ['b', 'c'], [{}]),
      field('spec.count', [1, 9007199254740991, 0], ['1', 1.5]),
      field('spec.list', [[{ n: 1 }, { n: 2 }], [{ n: 1 }]], [[], [{ n: 'x' }], 'x']),
      field('status.note', ['x', 'y'], [1]),
      field('spec', [], [null, {}]),
    ],
  },
  {
    resource: `${group}/v1beta1/gadgets`,
    kind: 'Gadget',
    namespaced: false,
    bases: [{ spec: { left: 'a', old: 'x' } }],
    fields: [field('spec.old', ['x', 'y'], [1]), field('spec.left', ['c'], [2]), field('status.note', ['z'], [false])],
  },
  {
    resource: `${group}/v1alpha1/blobs`,
    kind: 'Blob',
    namespaced: true,
    bases: [{ anything: { goes: [1, 'two', { three: 3 }] } }, {}],
    fields: [
      field('anything', [{ goes: [] }, { goes: ['x'], more: { a: 1 } }, 'text', 5, null]),
      field('anything.more.b', [1, { c: true }]),
      field('spec.x', [1, [1, 2], { y: 1.5 }]),
      field('spec', [{}, { x: null }]),
    ],
    status: [field('status.ok', [true, 'yes', { deep: 1 }]), field('status', [{}, { list: [1] }], ['x'])],
  },
];
