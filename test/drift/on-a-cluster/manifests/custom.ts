import { customResource, type Manifest, s } from '../../../../src/index.js';
import { casesOf, type ManifestCase } from './manifest-case.js';

/** A custom kind with all that a schema can say of lists, maps and defaults. */
export const Widget = customResource({
  group: 'samples.example.com',
  version: 'v1',
  kind: 'Widget',
  spec: s.object({
    size: s.int32({ default: 1 }),
    note: s.string({ optional: true }),
    port: s.intOrString({ optional: true }),
    storage: s.quantity({ optional: true }),
    ratio: s.number({ optional: true }),
    on: s.boolean({ optional: true }),
    tags: s.set(s.string(), { optional: true }),
    numbers: s.set(s.number(), { optional: true }),
    args: s.array(s.string(), { optional: true }),
    labels: s.map(s.string(), { optional: true }),
    listeners: s.listMap(
      s.object({
        port: s.int32(),
        protocol: s.string({ default: 'TCP' }),
        name: s.string({ optional: true }),
        routes: s.listMap(s.object({ path: s.string(), weight: s.int32({ default: 1 }) }), {
          keys: ['path'],
          optional: true,
        }),
      }),
      { keys: ['port', 'protocol'], optional: true },
    ),
    parts: s.listMap(s.object({ name: s.string(), image: s.string({ default: 'none' }) }), {
      keys: ['name'],
      optional: true,
    }),
    anything: s.preserved({ optional: true }),
    nothing: s.string({ optional: true, nullable: true }),
    nested: s.object(
      { deep: s.object({ flag: s.boolean({ default: false }) }, { optional: true }) },
      { optional: true },
    ),
  }),
  status: s.object({ phase: s.string({ optional: true }) }),
});

/** A kind of somebody else, served in two versions, whose older one is stored. */
export const gadgets = (storage: 'v1alpha1' | 'v1'): Manifest => {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer' },
            mode: { type: 'string', default: 'auto' },
            items: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, value: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.elsewhere.example.com' },
    spec: {
      group: 'elsewhere.example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: ['v1alpha1', 'v1'].map((name) => ({ name, served: true, storage: name === storage, schema })),
    },
  };
};

export const gadgetOf = (version: 'v1alpha1' | 'v1') => ({
  apiVersion: `elsewhere.example.com/${version}`,
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: true,
});

export const gadgetCases = (version: 'v1alpha1' | 'v1'): ManifestCase[] =>
  casesOf(gadgetOf(version), {
    'with a size': { spec: { size: 1 } },
    'with items': { spec: { mode: '', items: [{ name: 'b', value: '' }, { name: 'a' }] } },
    'with nothing': {},
    'with an empty spec': { spec: {} },
    'with nulls': { spec: { size: null, items: null } },
  });

export const custom: readonly ManifestCase[] = [
  ...casesOf(Widget, {
    'with nothing but defaults': { spec: {} },
    'with zeros, false and empty text': { spec: { size: 0, note: '', on: false, ratio: 0, port: 0, storage: '0' } },
    'with nulls': { spec: { note: null, tags: null, nothing: null, size: null, listeners: null, anything: null } },
    'with empty lists and maps': {
      spec: { tags: [], numbers: [], args: [], labels: {}, listeners: [], parts: [], anything: {}, nested: {} },
    },
    'with a set of odd text': {
      spec: { tags: ['b', 'a', '', 'a<b>&c', 'grüße', '☃', '𝔘', '\u2028', '"quoted"', 'tab\t', '1', 'true', '\\'] },
    },
    'with a set of numbers': { spec: { numbers: [3, 1, 0, 1.5, -1, 1e15, 1e-7, 100, 0.1] } },
    'with quantities in every spelling': { spec: { storage: '1000m', port: '25%', size: 3 } },
    'with a quantity as a number': { spec: { storage: 1, port: 8080 } },
    'with a quantity of an exponent': { spec: { storage: '1e3', ratio: 1.0 } },
    'with listeners that leave their protocol out': {
      spec: {
        listeners: [
          { port: 90, name: '' },
          { port: 80, protocol: 'UDP' },
          { port: 80, routes: [{ path: '/b' }, { path: '/a', weight: 0 }, { path: '' }] },
        ],
      },
    },
    'with parts in any order': {
      spec: { parts: [{ name: 'z' }, { name: 'a<b', image: '' }, { name: 'ü' }, { name: '' }] },
    },
    'with anything': {
      spec: {
        anything: {
          list: [1, 'a', null, { x: [] }, []],
          map: { a: null, b: {}, c: '', d: 0, e: false, 'f:g': 1, '.': 'dot', 'k:{"x":1}': 'y', '': 'empty' },
          deep: { er: { still: { 'a/b': [{}] } } },
          number: 1e3,
        },
      },
    },
    'with odd keys': {
      spec: { labels: { '': 'empty', '.': 'dot', 'a.b/c': 'x', 'f:x': 'y', ünïcode: '☃', constructor: 'z' } },
    },
    'with a list that has one owner': { spec: { args: ['b', 'a', 'b', ''] } },
    'with an object of defaults': { spec: { nested: { deep: {} } } },
    'with a long name': { metadata: { name: `w${'x'.repeat(252)}` }, spec: { size: 2 } },
    'with metadata that is empty': { metadata: { labels: {}, annotations: {}, finalizers: [] }, spec: { size: 1 } },
    'with a finalizer': { metadata: { finalizers: ['samples.example.com/b', 'samples.example.com/a'] }, spec: {} },
  }),
];
