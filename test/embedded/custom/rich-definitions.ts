import type { Json } from '../../../src/kube/manifest.js';
import type { Definition } from './twin.js';

type JsonMap = { readonly [key: string]: Json };

export const group = 'rich.kilter.dev';

function defined(plural: string, kind: string, versions: readonly JsonMap[], scope = 'Namespaced'): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind }, versions },
  } as unknown as Definition;
}

function version(name: string, properties: JsonMap, more: JsonMap = {}): JsonMap {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return { name, served: true, storage: true, schema, ...more };
}

const text = { type: 'string' };
const whole = { type: 'integer' };

/** With all that a schema can have. */
export const rich = defined('riches', 'Rich', [
  version(
    'v1',
    {
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 12 } } },
      spec: {
        type: 'object',
        properties: {
          replicas: { type: 'integer', default: 1 },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
          pruned: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object', properties: { a: text } } },
          },
          anything: { 'x-kubernetes-preserve-unknown-fields': true },
          kept: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'object', properties: { a: text } } },
          },
          keptList: {
            type: 'array',
            'x-kubernetes-preserve-unknown-fields': true,
            items: { type: 'object', properties: { a: text } },
          },
          open: { type: 'object', additionalProperties: true },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], maxLength: 5 },
          plainPort: { 'x-kubernetes-int-or-string': true },
          eitherPort: { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 1 }, { minLength: 1 }] },
          one: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
          any: {
            type: 'object',
            properties: { kind: text, size: whole },
            anyOf: [
              { properties: { kind: { enum: ['big'] }, size: { minimum: 10 } } },
              { properties: { kind: { enum: ['small'] } }, required: ['size'] },
            ],
          },
          all: { type: 'string', allOf: [{ minLength: 2 }, { pattern: '^a' }] },
          not: { type: 'integer', not: { enum: [13] } },
          defaulted: {
            type: 'object',
            default: {},
            properties: {
              inner: { type: 'string', default: 'x' },
              list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 3 } } } },
            },
          },
          nullable: { type: 'string', nullable: true, default: 'n' },
          set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          conditions: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: {
              type: 'object',
              required: ['type'],
              properties: { type: text, value: { type: 'string', maxLength: 3 } },
            },
          },
          labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
          loose: { type: 'array', items: { type: 'string', maxLength: 3 } },
        },
        'x-kubernetes-validations': [{ rule: 'self.replicas != 7', message: 'seven is taken', fieldPath: '.replicas' }],
      },
      status: {
        type: 'object',
        properties: {
          replicas: { type: 'integer', maximum: 5 },
          selector: text,
          phase: { type: 'string', enum: ['Up', 'Down'] },
        },
        'x-kubernetes-validations': [{ rule: "!has(self.phase) || self.phase != 'Down' || self.replicas == 0" }],
      },
    },
    {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      selectableFields: [{ jsonPath: '.spec.all' }],
      additionalPrinterColumns: [
        { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'How many' },
        { name: 'Text', type: 'string', jsonPath: '.spec.replicas' },
        { name: 'Inner', type: 'string', jsonPath: '.spec.defaulted' },
        { name: 'Set', type: 'string', jsonPath: '.spec.set' },
        { name: 'First', type: 'string', jsonPath: '.spec.set[0]' },
        { name: 'Ready', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].value' },
        { name: 'Missing', type: 'string', jsonPath: '.spec.missing.deeper' },
        { name: 'All', type: 'string', jsonPath: '.spec.conditions[*].type' },
        { name: 'Wrong', type: 'integer', jsonPath: '.spec.all' },
        { name: 'Ratio', type: 'number', jsonPath: '.spec.replicas' },
        { name: 'Flag', type: 'boolean', jsonPath: '.spec.anything.flag' },
        { name: 'Since', type: 'date', jsonPath: '.spec.anything.since' },
        { name: 'Null', type: 'string', jsonPath: '.spec.anything.nothing' },
        { name: 'Float', type: 'string', jsonPath: '.spec.anything.float' },
        { name: 'Label', type: 'string', jsonPath: ".metadata.labels['app\\.kubernetes\\.io/name']", priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ),
]);

/** Without a status of its own, and cluster-wide. */
export const plain = defined(
  'plains',
  'Plain',
  [
    version('v1', {
      spec: { type: 'object', properties: { size: whole } },
      status: { type: 'object', properties: { up: { type: 'boolean' } } },
    }),
  ],
  'Cluster',
);

/** With a status that is there before anybody writes it. */
export const awaited = defined('awaiteds', 'Awaited', [
  version(
    'v1',
    {
      spec: { type: 'object', properties: { a: text } },
      status: {
        type: 'object',
        default: { phase: 'Unknown' },
        properties: { phase: text, reason: { type: 'string', default: 'NotSeen' } },
      },
    },
    { subresources: { status: {} } },
  ),
]);

/** In three versions, of which the second is stored. */
export const several = defined('severals', 'Several', [
  version(
    'v1alpha1',
    { spec: { type: 'object', properties: { old: text, both: text } } },
    { storage: false, deprecated: true },
  ),
  version('v1', { spec: { type: 'object', properties: { both: text, fresh: { type: 'string', default: 'new' } } } }),
  version(
    'v2',
    { spec: { type: 'object', properties: { both: text, later: { type: 'integer', default: 2 } } } },
    { storage: false },
  ),
]);
