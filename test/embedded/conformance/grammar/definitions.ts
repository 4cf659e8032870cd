import { field, type KindGrammar } from './kind-grammar.js';

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
};

/** Definitions of custom resources as objects of their own. Names of groups are the trace's own. */
export const definitions: readonly KindGrammar[] = [
  {
    resource: 'apiextensions.k8s.io/v1/customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    weight: 0.5,
    settles: true,
    names: ['things.{ns}.example.com', 'others.{ns}.example.com'],
    bases: [
      {
        spec: {
          group: '{ns}.example.com',
          scope: 'Namespaced',
          names: { kind: 'Thing', plural: 'things' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
    ],
    fields: [
      field('spec.scope', ['Cluster'], ['Odd', '', 1]),
      field('spec.group', [], ['other.example.com', 'Bad Group', '']),
      field('spec.names.plural', [], ['others', 'BAD', '']),
      field('spec.names.kind', ['Thing'], ['bad kind', '']),
      field('spec.names.shortNames', [['th'], []], [['BAD'], 'x']),
      field('spec.names.categories', [['all']], [['Bad Cat']]),
      field(
        'spec.versions.0.schema',
        [],
        [
          {},
          { openAPIV3Schema: {} },
          { openAPIV3Schema: { type: 'string' } },
          { openAPIV3Schema: { type: 'object', properties: { spec: {} } } },
          { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'odd' } } } },
          { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'array' } } } },
          {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } },
            },
          },
          { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'string', pattern: '(' } } } },
          {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nope' }] } },
            },
          },
          {
            openAPIV3Schema: {
              type: 'object',
              properties: { l: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' } },
            },
          },
          { openAPIV3Schema: { type: 'object', additionalProperties: { type: 'string' }, properties: {} } },
          {
            openAPIV3Schema: {
              type: 'object',
              properties: { a: { type: 'array', uniqueItems: true, items: { type: 'string' } } },
            },
          },
        ],
      ),
      field('spec.versions.0.served', [false, true], ['x']),
      field('spec.versions.0.storage', [], [false, 'x']),
      field('spec.versions.0.name', [], ['V1', '', 'v1.0']),
      field(
        'spec.versions.0.subresources',
        [{ status: {} }, { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }, status: {} }],
        [{ scale: {} }, { scale: { specReplicasPath: 'spec', statusReplicasPath: '.status.x' } }],
      ),
      field(
        'spec.versions.0.additionalPrinterColumns',
        [[{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]],
        [
          [{ name: 'Size', type: 'odd', jsonPath: '.spec.size' }],
          [{ name: 'Size' }],
          [{ name: 'S', type: 'string', jsonPath: 'x[' }],
        ],
      ),
      field(
        'spec.versions',
        [
          [
            { name: 'v1', served: true, storage: true, schema },
            { name: 'v2', served: true, storage: false, schema },
          ],
        ],
        [
          [],
          [
            { name: 'v1', served: true, storage: true, schema },
            { name: 'v1', served: true, storage: false, schema },
          ],
          [
            { name: 'v1', served: true, storage: true, schema },
            { name: 'v2', served: true, storage: true, schema },
          ],
          [{ name: 'v1', served: true, storage: true }],
          'x',
        ],
      ),
      field('spec.preserveUnknownFields', [false], [true, 'x']),
      field('spec.conversion', [{ strategy: 'None' }], [{ strategy: 'Webhook' }, { strategy: 'Odd' }]),
    ],
  },
];
