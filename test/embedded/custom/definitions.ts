// Longer than most files: one table of definitions, most of them wrong in one way each.
import type { Json } from '../../../src/kube/manifest.js';

type JsonMap = { readonly [key: string]: Json };

/** A CustomResourceDefinition that the API server may or may not take. */
export type DefinitionCase = readonly [title: string, definition: JsonMap];

const base = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.case.kilter.dev' },
} as const;

const names = { plural: 'things', kind: 'Thing' };

function version(more: JsonMap = {}): JsonMap {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...more };
}

/** A definition that is good but for what `spec` says. */
function spec(more: JsonMap, metadata: JsonMap = {}): JsonMap {
  const good = { group: 'case.kilter.dev', scope: 'Namespaced', names, versions: [version()] };
  return { ...base, metadata: { ...base.metadata, ...metadata }, spec: { ...good, ...more } };
}

function versions(...more: readonly JsonMap[]): JsonMap {
  return spec({ versions: more.map((each) => version(each)) });
}

function root(openAPIV3Schema: JsonMap, more: JsonMap = {}): JsonMap {
  return versions({ schema: { openAPIV3Schema }, ...more });
}

/** A definition whose `spec.field` has a schema. */
function field(schema: JsonMap): JsonMap {
  return root({ type: 'object', properties: { spec: { type: 'object', properties: { field: schema } } } });
}

function withStatus(openAPIV3Schema: JsonMap): JsonMap {
  return root(openAPIV3Schema, { subresources: { status: {} } });
}

function column(more: JsonMap): JsonMap {
  return versions({ additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', ...more }] });
}

function scale(more: JsonMap): JsonMap {
  const good = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  return versions({ subresources: { scale: { ...good, ...more } } });
}

function selectable(...paths: readonly Json[]): JsonMap {
  const text = { type: 'string' };
  const properties = {
    spec: {
      type: 'object',
      properties: {
        ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, text])),
        list: { type: 'array', items: text },
        map: { type: 'object', additionalProperties: text },
      },
    },
  };
  return versions({
    schema: { openAPIV3Schema: { type: 'object', properties } },
    selectableFields: paths.map((jsonPath) => ({ jsonPath })),
  });
}

function webhook(more: JsonMap, config: JsonMap = { url: 'https://example.com/convert' }): JsonMap {
  return spec({
    conversion: { strategy: 'Webhook', webhook: { clientConfig: config, conversionReviewVersions: ['v1'], ...more } },
  });
}

const text = { type: 'string' };
const named = { type: 'object', required: ['name'], properties: { name: text } };
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };

export const definitionCases: readonly DefinitionCase[] = [
  ['nothing wrong', spec({})],
  ['a cluster-wide kind', spec({ scope: 'Cluster' })],
  [
    'all names',
    spec({ names: { ...names, singular: 'one', listKind: 'Many', shortNames: ['th'], categories: ['all'] } }),
  ],
  ['another name than plural and group', spec({}, { name: 'others.case.kilter.dev' })],
  ['a name that is no name', spec({}, { name: 'Things.case.kilter.dev' })],
  ['a generated name', { ...base, metadata: { generateName: 'things-' }, spec: spec({})['spec'] as Json }],
  ['no group', spec({ group: '' })],
  ['a group without a dot', spec({ group: 'case' })],
  ['a group with capitals', spec({ group: 'Case.dev' })],
  ['no scope', spec({ scope: '' })],
  ['an unknown scope', spec({ scope: 'Everywhere' })],
  ['no names', spec({ names: {} })],
  ['no plural', spec({ names: { kind: 'Thing' } })],
  ['a plural with capitals', spec({ names: { plural: 'Things', kind: 'Thing' } })],
  ['a kind with a dash at its end', spec({ names: { plural: 'things', kind: 'Thing-' } })],
  ['a kind like its list', spec({ names: { ...names, listKind: 'Thing' } })],
  ['a bad short name', spec({ names: { ...names, shortNames: ['ok', 'not ok'] } })],
  ['a bad category', spec({ names: { ...names, categories: ['All'] } })],
  ['a bad singular and a bad list kind', spec({ names: { ...names, singular: '1', listKind: 'a_b' } })],
  ['no versions', spec({ versions: [] })],
  ['two stored versions', versions({}, { name: 'v2' })],
  ['no stored version', versions({ storage: false })],
  ['no version that is served', versions({ served: false })],
  ['a version twice', versions({}, { storage: false })],
  ['a version with a bad name', versions({ name: 'V1' })],
  ['a second version with a bad name', versions({}, { name: '2', storage: false })],
  [
    'two versions with schemas of their own',
    versions({}, { name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'object', description: 'x' } } }),
  ],
  ['no schema', versions({ schema: {} })],
  ['no schema in one of two versions', versions({}, { name: 'v2', storage: false, schema: {} })],
  ['a deprecated version', versions({ deprecated: true, deprecationWarning: 'use another' })],
  ['a deprecation warning without a deprecation', versions({ deprecationWarning: 'use another' })],
  ['an empty deprecation warning', versions({ deprecated: true, deprecationWarning: '' })],
  ['a long deprecation warning', versions({ deprecated: true, deprecationWarning: 'x'.repeat(257) })],
  ['a deprecation warning with a line break', versions({ deprecated: true, deprecationWarning: 'a\nb' })],
  ['unknown fields to be preserved', spec({ preserveUnknownFields: true })],
  ['unknown fields not to be preserved', spec({ preserveUnknownFields: false })],
  ['a group of Kubernetes', spec({ group: 'x.k8s.io' }, { name: 'things.x.k8s.io' })],
  [
    'a group of Kubernetes that is not approved, and says so',
    spec(
      { group: 'x.k8s.io' },
      { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } },
    ),
  ],
  [
    'a group of Kubernetes with an approval',
    spec(
      { group: 'x.k8s.io' },
      { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://github.com/x/pull/1' } },
    ),
  ],
  [
    'a group of Kubernetes with a strange approval',
    spec({ group: 'x.k8s.io' }, { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'yes' } }),
  ],

  ['an unknown conversion', spec({ conversion: { strategy: 'Magic' } })],
  ['no strategy of conversion', spec({ conversion: {} })],
  ['a webhook without a webhook', spec({ conversion: { strategy: 'Webhook' } })],
  [
    'a webhook that nobody asked for',
    spec({
      conversion: {
        strategy: 'None',
        webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
      },
    }),
  ],
  ['a webhook without an address', webhook({}, {})],
  ['a webhook with two addresses', webhook({}, { url: 'https://x', service: { name: 'a', namespace: 'b' } })],
  ['a webhook without TLS', webhook({}, { url: 'http://example.com' })],
  ['a webhook with a user, a query and a fragment', webhook({}, { url: 'https://me@example.com/?a=b#c' })],
  ['a webhook without a host', webhook({}, { url: 'https:///path' })],
  ['a webhook of a service without names', webhook({}, { service: { name: '', namespace: '' } })],
  ['a webhook of a service without a name', webhook({}, { service: { name: '', namespace: 'b' } })],
  ['a webhook of a service at a bad port', webhook({}, { service: { name: 'a', namespace: 'b', port: 70000 } })],
  ['a webhook of a service at a bad path', webhook({}, { service: { name: 'a', namespace: 'b', path: 'a//B/' } })],
  ['a webhook of no versions', webhook({ conversionReviewVersions: [] })],
  ['a webhook of unknown versions', webhook({ conversionReviewVersions: ['v2', 'V3', 'v2'] })],

  ['a column', column({})],
  ['a column without a name', column({ name: '' })],
  ['a column without a type', column({ type: '' })],
  ['a column of an unknown type', column({ type: 'money' })],
  ['a column of an unknown format', column({ format: 'int16' })],
  ['a column without a path', column({ jsonPath: '' })],
  ['a column with a bad path', column({ jsonPath: 'spec.size' })],
  [
    'a bad column in the second of two versions',
    versions({}, { name: 'v2', storage: false, additionalPrinterColumns: [{ name: 'x', type: 'x', jsonPath: 'x' }] }),
  ],
  ['a scale', scale({ labelSelectorPath: '.status.selector' })],
  ['a scale without paths', scale({ specReplicasPath: '', statusReplicasPath: '' })],
  ['a scale with bad paths', scale({ specReplicasPath: 'spec.x', statusReplicasPath: 'x', labelSelectorPath: 'y' })],
  [
    'a scale with exchanged paths',
    scale({ specReplicasPath: '.status.x', statusReplicasPath: '.spec.x', labelSelectorPath: '.metadata.x' }),
  ],
  ['selectable fields', selectable('.spec.f0', '.spec.f1')],
  ['a selectable field without a path', selectable('')],
  ['a selectable field that is not there', selectable('.spec.nope')],
  ['a selectable field below a text', selectable('.spec.f0.more')],
  ['a selectable field without a dot', selectable('spec.f0')],
  ['a selectable field of an array', selectable('.spec.list[0]')],
  ['a selectable list', selectable('.spec.list')],
  ['a selectable object', selectable('.spec')],
  ['a selectable value of a map', selectable('.spec.map.x')],
  ['a selectable part of metadata', selectable('.metadata.name')],
  ['a selectable field twice', selectable('.spec.f0', '.spec.f0')],
  ['too many selectable fields', selectable(...Array.from({ length: 9 }, (_, i) => `.spec.f${i}`))],
  ['a path that ends too early', selectable('.spec.')],

  ['a root that is a list', root({ type: 'array', items: text })],
  ['a root without a type', root({ properties: { spec: named } })],
  ['a root that may be null', root({ type: 'object', nullable: true })],
  ['a root with values of a map', root({ type: 'object', additionalProperties: text })],
  [
    'a root that restricts names',
    root({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } } },
    }),
  ],
  [
    'a root that restricts labels',
    root({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
  ],
  [
    'a root with a default in metadata',
    root({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
    }),
  ],
  [
    'a root with a numeric kind',
    root({ type: 'object', properties: { kind: { type: 'integer' }, apiVersion: { type: 'boolean' } } }),
  ],
  ['a root with a status and a title', withStatus({ type: 'object', title: 'x', properties: { status: named } })],
  ['a root with a status and a limit of properties', withStatus({ type: 'object', maxProperties: 3 })],
  [
    'a root with a status and an enum',
    withStatus({ type: 'object', enum: [{ a: '<b>' }], properties: { spec: { ...named, description: 'x' } } }),
  ],
  ['a root with a status that is a text', withStatus({ type: 'string' })],

  ['a field without a type', field({})],
  ['a field of type null', field({ type: 'null' })],
  ['a field of an unknown type', field({ type: 'money' })],
  ['a list without items', field({ type: 'array' })],
  ['a list of items without a type', field({ type: 'array', items: {} })],
  ['a list of several schemas', field({ type: 'array', items: [text, text] })],
  ['properties beside values of a map', field({ type: 'object', properties: { a: text }, additionalProperties: text })],
  ['properties beside any other', field({ type: 'object', properties: { a: text }, additionalProperties: true })],
  ['properties beside no other', field({ type: 'object', properties: { a: text }, additionalProperties: false })],
  ['unique items', field({ type: 'array', items: text, uniqueItems: true })],
  ['an id', field({ ...text, id: 'x' })],
  ['a schema of schemas', field({ ...text, $schema: 'x' })],
  ['a reference', field({ ...text, $ref: '#/x' })],
  ['definitions', field({ ...text, definitions: { a: text } })],
  ['dependencies', field({ type: 'object', dependencies: { a: ['b'], c: { required: ['d'] } } })],
  ['additional items', field({ type: 'array', items: text, additionalItems: false })],
  ['properties by pattern', field({ type: 'object', patternProperties: { '^a': text } })],
  ['a pattern that is none', field({ ...text, pattern: '[a' })],
  ['no unknown fields to be preserved', field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false })],
  [
    'unknown fields of an int-or-string',
    field({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
  ],
  ['an embedded int-or-string', field({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true })],
  [
    'an int-or-string in long',
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  ],
  [
    'an int-or-string in very long',
    field({
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { minimum: 1 }],
    }),
  ],
  [
    'an int-or-string the wrong way round',
    field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] }),
  ],
  ['an embedded resource without anything', field(embedded)],
  [
    'an embedded resource without a type',
    field({ 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
  ],
  [
    'an embedded resource of the wrong type',
    field({
      type: 'array',
      items: text,
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  ],
  ['an embedded resource of anything', field({ ...embedded, 'x-kubernetes-preserve-unknown-fields': true })],
  ['an embedded resource with values of a map', field({ ...embedded, additionalProperties: text })],
  [
    'an embedded resource with a numeric kind',
    field({ ...embedded, properties: { kind: { type: 'integer' }, metadata: text } }),
  ],
  [
    'an embedded resource in metadata',
    field({ ...embedded, properties: { metadata: { ...embedded, properties: { a: text } } } }),
  ],
  [
    'a default that is no object of its own',
    field({ ...embedded, 'x-kubernetes-preserve-unknown-fields': true, default: { kind: 'x y' } }),
  ],

  [
    'a default with an object of its own',
    field({
      type: 'object',
      properties: { a: { ...embedded, properties: { b: text } } },
      default: { a: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, b: 'x' } },
    }),
  ],
  [
    'a default with an object whose metadata is not valid',
    field({
      ...embedded,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { apiVersion: 'v1', kind: 'A', metadata: { labels: { 'a b': 'c' } } },
    }),
  ],
  [
    'a default with an object whose metadata is no metadata',
    field({
      ...embedded,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { apiVersion: 'v1', kind: 'A', metadata: { labels: { a: 1 } } },
    }),
  ],

  [
    'a restriction of nothing',
    field({ type: 'object', properties: { a: text }, anyOf: [{ properties: { b: { minLength: 1 } } }] }),
  ],
  ['a restriction of items of nothing', field({ ...text, allOf: [{ items: { minLength: 1 } }] })],
  [
    'a restriction that declares',
    field({
      type: 'object',
      properties: { a: text },
      oneOf: [
        { type: 'object', description: 'x', title: 'y', nullable: true, default: {} },
        {
          'x-kubernetes-preserve-unknown-fields': true,
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-int-or-string': true,
          'x-kubernetes-list-map-keys': ['a'],
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-map-type': 'atomic',
          'x-kubernetes-validations': [{ rule: 'true' }],
          additionalProperties: { minLength: 3 },
        },
      ],
    }),
  ],
  ['a restriction of metadata', root({ type: 'object', not: { properties: { metadata: { required: ['labels'] } } } })],
  ['a restriction with a bad pattern', field({ ...text, not: { pattern: '(' } })],
  [
    'a good restriction',
    field({ type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],

  ['a list type of a text', field({ ...text, 'x-kubernetes-list-type': 'set' })],
  ['a list type of nothing', field({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'set' })],
  ['an unknown list type', field({ type: 'array', items: text, 'x-kubernetes-list-type': 'bag' })],
  ['an unknown map type', field({ type: 'object', 'x-kubernetes-map-type': 'deep' })],
  ['a map type of a text', field({ ...text, 'x-kubernetes-map-type': 'atomic' })],
  ['keys of no list type', field({ type: 'array', items: named, 'x-kubernetes-list-map-keys': ['name'] })],
  [
    'keys of a set',
    field({ type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['name'] }),
  ],
  ['no keys', field({ type: 'array', items: named, 'x-kubernetes-list-type': 'map' })],
  [
    'keys that are no properties',
    field({
      type: 'array',
      items: named,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'other'],
    }),
  ],
  [
    'keys twice',
    field({
      type: 'array',
      items: named,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'name'],
    }),
  ],
  [
    'keys of texts',
    field({ type: 'array', items: text, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
  ],
  [
    'a key that may be absent',
    field({
      type: 'array',
      items: { ...named, required: [] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
  ],
  [
    'a key that may be null',
    field({
      type: 'array',
      items: { ...named, properties: { name: { ...text, nullable: true } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
  ],
  [
    'a key that is a list',
    field({
      type: 'array',
      items: { ...named, properties: { name: { type: 'array', items: text } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
  ],
  [
    'a set of what may be null',
    field({ type: 'array', items: { ...text, nullable: true }, 'x-kubernetes-list-type': 'set' }),
  ],
  [
    'a set of sets',
    field({
      type: 'array',
      items: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      'x-kubernetes-list-type': 'set',
    }),
  ],
  ['a set of objects', field({ type: 'array', items: named, 'x-kubernetes-list-type': 'set' })],

  ['a rule without text', field({ ...text, 'x-kubernetes-validations': [{ rule: ' ' }] })],
  ['a rule with an empty message', field({ ...text, 'x-kubernetes-validations': [{ rule: 'true', message: ' ' }] })],
  [
    'a rule with a message of two lines',
    field({ ...text, 'x-kubernetes-validations': [{ rule: 'true', message: 'a\nb' }] }),
  ],
  ['a rule of two lines', field({ ...text, 'x-kubernetes-validations': [{ rule: 'true\n|| false' }] })],
  [
    'a rule of an unknown reason',
    field({ ...text, 'x-kubernetes-validations': [{ rule: 'true', reason: 'Because' }] }),
  ],
  [
    'a rule with an empty expression',
    field({ ...text, 'x-kubernetes-validations': [{ rule: 'true', messageExpression: ' ' }] }),
  ],
  ['a rule with a bad path', field({ ...named, 'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.nope' }] })],
  ['a rule with an empty path', field({ ...named, 'x-kubernetes-validations': [{ rule: 'true', fieldPath: ' ' }] })],
  [
    'a rule about the past in a list',
    field({
      type: 'array',
      maxItems: 3,
      items: { ...text, maxLength: 3, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    }),
  ],
  [
    'a rule with a past that it does not use',
    field({ ...text, 'x-kubernetes-validations': [{ rule: 'true', optionalOldSelf: true }] }),
  ],
  ['a rule that is no boolean', field({ ...text, 'x-kubernetes-validations': [{ rule: 'self' }] })],
  [
    'a message that is no text',
    field({ ...text, 'x-kubernetes-validations': [{ rule: 'true', messageExpression: '3' }] }),
  ],
  [
    'a rule on what nobody sees',
    field({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'true' }] }),
  ],
  [
    'a rule that costs too much',
    field({ type: 'array', items: text, 'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a != b))' }] }),
  ],
  ['an unknown format', field({ ...text, format: 'postcode' })],
];
