/** Longer than most files: every part of a definition, each with what is refused. */

import { describe, expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { customResource, s } from '../../src/index.js';
import { DefinitionError, OperatorError } from '../../src/kube/errors.js';
import { showProblem } from '../../src/schema/field-problem.js';
import type { StructuralSchema } from '../../src/schema/structural.js';
import { validate } from '../../src/schema/validate.js';

const input = {
  group: 'cache.example.com',
  version: 'v1alpha1',
  kind: 'Memcached',
  spec: s.object({
    size: s.int32({ minimum: 0, maximum: 10 }),
    image: s.string({ default: 'memcached:1' }),
    hosts: s.listMap(s.object({ name: s.string(), port: s.int32({ optional: true }) }), {
      keys: ['name'],
      optional: true,
    }),
    extra: s.preserved({ optional: true }),
    limits: s.map(s.quantity(), { optional: true }),
  }),
  status: s.object({
    ready: s.int32(),
    selector: s.string(),
    seen: s.string({ format: 'date-time' }),
    due: s.string({ format: 'date' }),
    up: s.boolean(),
  }),
};

interface Version {
  readonly subresources: unknown;
  readonly additionalPrinterColumns: readonly { readonly name: string }[];
  readonly schema: {
    readonly openAPIV3Schema: { readonly properties: { readonly status: object; readonly spec: object } };
  };
}

function versionOf(kind: { crd(): object }): Version {
  const { spec } = kind.crd() as { spec: { versions: readonly [Version] } };
  return spec.versions[0];
}

/** The message of what is thrown, and the hint behind it. */
function refusal(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    if (error instanceof DefinitionError) return `${error.message} (${error.hint})`;
    throw error;
  }
  return 'nothing was refused';
}

describe('the definition of a custom resource', () => {
  const Memcached = customResource({ ...input, shortNames: ['mc'], categories: ['caches'] });

  it('is named and scoped as it is served', () => {
    expect(Memcached.crd()).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'memcacheds.cache.example.com' },
      spec: {
        group: 'cache.example.com',
        scope: 'Namespaced',
        names: {
          kind: 'Memcached',
          listKind: 'MemcachedList',
          plural: 'memcacheds',
          singular: 'memcached',
          shortNames: ['mc'],
          categories: ['caches'],
        },
        versions: [{ name: 'v1alpha1', served: true, storage: true }],
      },
    });
    expect({ ...Memcached, name: Memcached.name }).toMatchObject({
      group: 'cache.example.com',
      version: 'v1alpha1',
      apiVersion: 'cache.example.com/v1alpha1',
      kind: 'Memcached',
      name: 'Memcached',
      plural: 'memcacheds',
      singular: 'memcached',
      namespaced: true,
      spec: input.spec,
      status: input.status,
    });
  });

  it('has no field that the server fills in or that is long gone', () => {
    expect(Object.keys(Memcached.crd())).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(JSON.stringify(Memcached.crd())).not.toMatch(/creationTimestamp": *null|preserveUnknownFields|caBundle/);
    expect(Memcached.crd().metadata).toEqual({ name: 'memcacheds.cache.example.com' });
  });

  it('is the same each time, and nobody else can change it', () => {
    const text = JSON.stringify(Memcached.crd());
    (Memcached.crd().metadata as { name: string }).name = 'changed';
    expect(JSON.stringify(Memcached.crd())).toBe(text);
    expect(JSON.stringify(customResource({ ...input, shortNames: ['mc'], categories: ['caches'] }).crd())).toBe(text);
  });

  it('keeps what the schema says to server-side apply', () => {
    const { spec } = versionOf(Memcached).schema.openAPIV3Schema.properties;
    expect(spec).toMatchObject({
      type: 'object',
      description: 'What is wanted.',
      required: ['size'],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 0, maximum: 10 },
        image: { type: 'string', default: 'memcached:1' },
        hosts: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
        extra: { 'x-kubernetes-preserve-unknown-fields': true },
        limits: { additionalProperties: { 'x-kubernetes-int-or-string': true } },
      },
    });
  });

  it("has a status of the author's fields, all optional, and those of every kind", () => {
    expect(versionOf(Memcached).schema.openAPIV3Schema.properties.status).toMatchObject({
      type: 'object',
      description: 'What was last observed.',
      properties: {
        ready: { type: 'integer' },
        observedGeneration: { type: 'integer', format: 'int64' },
        lastHandledReconcileAt: { type: 'string' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
            properties: {
              type: { maxLength: 316 },
              status: { enum: ['True', 'False', 'Unknown'] },
              reason: { minLength: 1, maxLength: 1024 },
              message: { maxLength: 32768 },
              observedGeneration: { format: 'int64', minimum: 0 },
              lastTransitionTime: { format: 'date-time' },
            },
          },
        },
      },
    });
    expect(versionOf(Memcached).schema.openAPIV3Schema.properties.status).not.toHaveProperty('required');
    const plain = customResource({ ...input, status: undefined as never });
    expect(versionOf(plain).schema.openAPIV3Schema.properties.status).toHaveProperty('properties.conditions');
  });

  it('takes a status without its fields, as of what cannot be composed', () => {
    const rules = [{ rule: '!has(self.ready) || self.ready >= 0' }];
    const status = s.object(
      { ready: s.int32(), of: s.object({ a: s.int32() }, { minProperties: 1 }) },
      { minProperties: 3, rules },
    );
    expect(JSON.stringify(versionOf(customResource({ ...input, status })))).not.toContain('minProperties');
  });

  it('has room in its status for the fields of every kind, however few the author allows', () => {
    const status = s.object({ ready: s.int32(), failed: s.int32() }, { maxProperties: 2 });
    const { openAPIV3Schema } = versionOf(customResource({ ...input, status })).schema;
    const full = {
      ready: 1,
      failed: 0,
      conditions: [],
      observedGeneration: 1,
      lastHandledReconcileAt: 'now',
      inventory: {},
    };
    const { properties } = openAPIV3Schema as StructuralSchema;
    expect(validate(properties!['status']!, full, { path: 'status' })).toEqual([]);
  });

  it('asks for spec unless it has a default', () => {
    const required = (kind: { crd(): object }) =>
      (versionOf(kind).schema.openAPIV3Schema as { required?: readonly string[] }).required;
    const fields = { mode: s.string({ default: 'on' }) };
    expect(required(Memcached)).toEqual(['spec']);
    expect(required(customResource({ ...input, spec: s.object(fields, { default: {} }) }))).toBeUndefined();
  });

  it('has a status subresource always, and one for scale where declared', () => {
    expect(versionOf(Memcached).subresources).toEqual({ status: {} });
    const scale = { replicas: '.spec.size', statusReplicas: '.status.ready', selector: '.status.selector' };
    const { selector, ...withoutSelector } = scale;
    expect(versionOf(customResource({ ...input, scale })).subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.ready',
        labelSelectorPath: selector,
      },
    });
    expect(versionOf(customResource({ ...input, scale: withoutSelector })).subresources).not.toHaveProperty(
      'scale.labelSelectorPath',
    );
  });

  it.each([
    [-1, ['.spec.size: Invalid value: -1: should be a non-negative integer']],
    [2 ** 31, ['.spec.size: Invalid value: 2147483648: should be less than or equal to 2147483647']],
    [null, ['.spec.size: Invalid value: 0: .spec.size accessor error: <nil> is of the type <nil>, expected int64']],
    [0, []],
    [undefined, []],
  ])('holds what is scaled to what the server takes for a number of replicas: %s', (size, words) => {
    const kind = customResource({
      ...input,
      spec: s.object({ size: s.int64({ nullable: true, optional: true }) }),
      scale: { replicas: '.spec.size', statusReplicas: '.status.ready' },
    });
    const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'cache' }, spec: { size } };
    expect(kind.validate(object).map(showProblem)).toEqual(words);
  });

  it("shows the author's columns with the types of their fields, then READY, STATUS, AGE and, when asked, REVISION and MESSAGE", () => {
    const columns = {
      Size: '.spec.size',
      Image: '.spec.image',
      Port: '.spec.hosts[0].port',
      Of: '.spec.hosts[?(@.name=="a")].port',
      Free: '.spec.extra.any.thing',
      Memory: '.spec.limits.memory',
      Gpus: ".spec.limits['example\\.com/gpu']",
      App: ".metadata.labels['app\\.kubernetes\\.io/name']",
      Cpus: '.spec.limits.example\\.com/cpu',
      Last: '.spec.hosts[-1:].port',
      Seen: '.status.seen',
      Due: '.status.due',
      Up: '.status.up',
      Since: '.metadata.deletionTimestamp',
      Team: '.metadata.labels.team',
      Stalled: '.status.conditions[?(@.type=="Stalled")].status',
    };
    const { additionalPrinterColumns } = versionOf(customResource({ ...input, columns }));
    expect(additionalPrinterColumns).toEqual([
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Image', type: 'string', jsonPath: '.spec.image' },
      { name: 'Port', type: 'integer', jsonPath: '.spec.hosts[0].port' },
      { name: 'Of', type: 'integer', jsonPath: '.spec.hosts[?(@.name=="a")].port' },
      { name: 'Free', type: 'string', jsonPath: '.spec.extra.any.thing' },
      { name: 'Memory', type: 'string', jsonPath: '.spec.limits.memory' },
      { name: 'Gpus', type: 'string', jsonPath: ".spec.limits['example\\.com/gpu']" },
      { name: 'App', type: 'string', jsonPath: ".metadata.labels['app\\.kubernetes\\.io/name']" },
      { name: 'Cpus', type: 'string', jsonPath: '.spec.limits.example\\.com/cpu' },
      { name: 'Last', type: 'integer', jsonPath: '.spec.hosts[-1:].port' },
      { name: 'Seen', type: 'date', jsonPath: '.status.seen' },
      // A day without a time is no date to the server, which would show <invalid>.
      { name: 'Due', type: 'string', jsonPath: '.status.due' },
      { name: 'Up', type: 'boolean', jsonPath: '.status.up' },
      { name: 'Since', type: 'date', jsonPath: '.metadata.deletionTimestamp' },
      { name: 'Team', type: 'string', jsonPath: '.metadata.labels.team' },
      { name: 'Stalled', type: 'string', jsonPath: '.status.conditions[?(@.type=="Stalled")].status' },
      { name: 'READY', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'STATUS', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
      { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'REVISION', type: 'integer', jsonPath: '.status.observedGeneration', priority: 1 },
      { name: 'MESSAGE', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].message', priority: 1 },
    ]);
  });

  it('has a column of the namespace that something in no namespace is about', () => {
    const columns = { Namespace: '.spec.image' };
    const { additionalPrinterColumns } = versionOf(customResource({ ...input, namespaced: false, columns }));
    expect(additionalPrinterColumns).toContainEqual({ name: 'Namespace', type: 'string', jsonPath: '.spec.image' });
  });

  it("has an author's column of a name that ours gives way to", () => {
    const { additionalPrinterColumns } = versionOf(
      customResource({
        group: 'a.example.com',
        version: 'v1',
        kind: 'Thing',
        spec: s.object({ revision: s.string() }),
        columns: { Revision: '.spec.revision' },
      }),
    );
    const named = (additionalPrinterColumns as readonly { name: string }[]).map(({ name }) => name);
    expect(named).toEqual(['Revision', 'READY', 'STATUS', 'AGE', 'MESSAGE']);
  });

  it.each([
    ['Cache', 'caches'],
    ['Proxy', 'proxies'],
    ['Gateway', 'gateways'],
    ['Ingress', 'ingresses'],
    ['Box', 'boxes'],
    ['Batch', 'batches'],
  ])('calls several of %s %s', (kind, plural) => {
    expect(customResource({ ...input, kind }).plural).toBe(plural);
  });

  it('says of a group of the Kubernetes project that nobody approved it, without which the server refuses it', () => {
    const annotations = (group: string) => customResource({ ...input, group }).crd().metadata.annotations;
    expect(annotations('samplecontroller.k8s.io')).toHaveProperty(
      ['api-approved.kubernetes.io'],
      expect.stringMatching(/^unapproved/),
    );
    expect(annotations('x-k8s.io')).toBeUndefined();
  });
});

describe('a definition is refused', () => {
  it.each<[string, object, string]>([
    ['with a group without a dot', { group: 'cache' }, 'group "cache" is not a name that the API server accepts'],
    ['with a group in capitals', { group: 'Cache.example.com' }, 'group "Cache.example.com" is not a name'],
    ['with a version that is no label', { version: 'V1' }, 'version "V1" is not a name'],
    ['with a kind in lower case', { kind: 'memcached' }, 'kind "memcached" is not a name'],
    ['with a kind with a dash', { kind: 'Mem-Cached' }, 'kind "Mem-Cached" is not a name'],
    [
      'with a kind that is too long for its lists',
      { kind: `M${'e'.repeat(59)}` },
      'eList, of over 63 characters (give it a name of at most 59 characters)',
    ],
    ['with a plural in capitals', { plural: 'Memcacheds' }, 'plural "Memcacheds" is not a name'],
    ['with a short name that is no label', { shortNames: ['m.c'] }, 'shortNames "m.c" is not a name'],
    ['with a category that is no label', { categories: ['all caches'] }, 'categories "all caches" is not a name'],
    [
      'with a spec that may not be there',
      { spec: s.object({}, { optional: true }) },
      'Memcached cannot be defined: spec is optional, so that compose may not have it (leave optional out, or write default: {})',
    ],
    ['with a spec that is no object', { spec: s.string() }, 'Memcached cannot be defined: spec is no object'],
    [
      'with a status that is a map',
      { status: s.map(s.string()) },
      'Memcached cannot be defined: status is a map, which cannot have fields beside (write status: s.object({ values: s.map(…) }))',
    ],
    [
      'with a status that is refused as long as its fields are unknown',
      { status: s.object({ ready: s.int32() }, { rules: [{ rule: 'self.ready >= 0' }] }), columns: {} },
      'no such key: ready evaluating rule: self.ready >= 0 (guard it: !has(self.ready) || …)',
    ],
    ['with a status that is no object', { status: s.string() }, 'Memcached cannot be defined: status is no object'],
    [
      'with a field of status that every kind has',
      { status: s.object({ conditions: s.array(s.string()) }) },
      'Memcached cannot be defined: status.conditions is there already',
    ],
    [
      'with a column to nowhere',
      { columns: { Size: '.spec.sise' } },
      'Memcached column "Size" cannot be defined: .spec.sise is not in its schema',
    ],
    ['with a column into a number', { columns: { Size: '.spec.size.of' } }, '.spec.size.of is not in its schema'],
    ['with a column past a list', { columns: { Host: '.spec.hosts.name' } }, '.spec.hosts.name is not in its schema'],
    [
      'with a column into metadata that is not there',
      { columns: { App: '.metadata.lables.app' } },
      'is not in metadata',
    ],
    ['with a column whose bracket is open', { columns: { App: '.metadata.labels[app' } }, 'is not in its schema'],
    ['with a column that picks an item by a word', { columns: { Host: '.spec.hosts[a]' } }, 'is not in its schema'],
    [
      'with a column without a name',
      { columns: { '': '.spec.size' } },
      'Memcached column cannot be defined: it has no name',
    ],
    [
      'with a group that leaves its definition too long a name',
      { group: `${'a'.repeat(240)}.com` },
      'in over 253 characters (give it a shorter group or plural)',
    ],
    ['with a column that is no path', { columns: { Size: 'spec.size' } }, 'spec.size is not in its schema'],
    ['with a column of a name that is there', { columns: { Ready: '.status.ready' } }, 'there is one of that name'],
    [
      'with a column of a name that kubectl shows itself',
      { columns: { Namespace: '.spec.image' } },
      'there is one of that name (a kind has the columns NAME, NAMESPACE, READY, STATUS, AGE, REVISION, MESSAGE: give yours another name)',
    ],
    [
      'with two columns of a name',
      { columns: { size: '.spec.size', Size: '.spec.size' } },
      'there is one of that name (kubectl shows names in capitals: give yours one that differs in more)',
    ],
    [
      'with a scale to nowhere',
      { scale: { replicas: '.spec.replicas', statusReplicas: '.status.ready' } },
      'Memcached cannot be defined: scale.replicas .spec.replicas is not in its schema',
    ],
    [
      'with a scale to a field with a dot, which the server takes for two',
      {
        spec: s.object({ 'a.b': s.int32() }),
        scale: { replicas: '.spec.a\\.b', statusReplicas: '.status.ready' },
      },
      'scale.replicas .spec.a\\.b has more in it than names and dots between them',
    ],
    [
      'with a scale to a string',
      { scale: { replicas: '.spec.image', statusReplicas: '.status.ready' } },
      'scale.replicas .spec.image is of type string',
    ],
    [
      'with a scale whose halves are swapped',
      { scale: { replicas: '.status.ready', statusReplicas: '.spec.size' } },
      'scale.replicas .status.ready',
    ],
    [
      'with a selector that is a number',
      { scale: { replicas: '.spec.size', statusReplicas: '.status.ready', selector: '.status.ready' } },
      'scale.selector .status.ready is of type integer',
    ],
  ])('%s', (_, change, words) => {
    expect(refusal(() => customResource({ ...input, ...change }))).toContain(words);
    expect(refusal(() => customResource({ ...input, ...change }))).not.toContain('(undefined)');
  });
});

describe('a custom resource', () => {
  const Memcached = customResource(input);
  const chart = () => new Chart(new App(), 'samples', { namespace: 'prod' });

  it('is rendered as it is written, without defaults, which are the business of the server', () => {
    const scope = chart();
    new Memcached(scope, 'cache', {
      metadata: { name: 'cache', labels: { team: 'blue' } },
      spec: { size: 3, extra: { any: [{ thing: null }] } },
    });
    expect(scope.toJson()).toEqual([
      {
        apiVersion: 'cache.example.com/v1alpha1',
        kind: 'Memcached',
        metadata: { name: 'cache', namespace: 'prod', labels: { team: 'blue' } },
        spec: { size: 3, extra: { any: [{ thing: null }] } },
      },
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a value that is too large',
      { size: 11 },
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    ['a required field missing', {}, 'spec.size: Required value'],
    ['a key with wrong capitals', { Size: 1, size: 1 }, 'unknown field "spec.Size"'],
    [
      'a wrong type',
      { size: 'three' },
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
    ],
    [
      'a duplicate in a list map',
      { size: 1, hosts: [{ name: 'a' }, { name: 'a' }] },
      'spec.hosts[1]: Duplicate value: {"name":"a"}',
    ],
  ])("with %s is refused where it is constructed, in the server's words", (_, spec, words) => {
    try {
      new Memcached(chart(), 'cache', { spec: spec as { readonly size: number } });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      expect(error.message).toMatch(/^Memcached\/prod\/samples-cache-[a-z0-9]+ is invalid: /);
      expect(error.message).toContain(words);
      expect(error.hint).toBe('change it where the construct samples/cache is created');
      return;
    }
    throw new Error('it was accepted');
  });

  it('has the defaults of its schema once the server has stored it', () => {
    expect(Memcached.withDefaults({ metadata: { name: 'cache' }, spec: { size: 1 } })).toEqual({
      apiVersion: 'cache.example.com/v1alpha1',
      kind: 'Memcached',
      metadata: { name: 'cache' },
      spec: { size: 1, image: 'memcached:1' },
    });
  });

  it('that is cluster-scoped takes no namespace from its chart', () => {
    const Fleet = customResource({ ...input, kind: 'Fleet', namespaced: false });
    const fleet = new Fleet(chart(), 'all', { metadata: { name: 'all' }, spec: { size: 1 } });
    expect(fleet.manifest.metadata).toEqual({ name: 'all' });
    expect(Fleet.crd()).toHaveProperty('spec.scope', 'Cluster');
  });
});
