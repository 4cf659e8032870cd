import { beforeAll, expect, it } from '@jest/globals';
import type { Manifest } from '../../../src/index.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage, withoutEvents } from '../../cluster/stage.js';
import { Household, sampleOperator } from './samples.js';

const text = { type: 'string' };
const keyed = (keys: readonly string[], properties: object, more: object = {}) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', properties, ...more },
});

/** A kind of somebody else, with what the API server takes and hardly anybody has. */
const oddities: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'oddities.elsewhere.example.com' },
  spec: {
    group: 'elsewhere.example.com',
    scope: 'Namespaced',
    names: { plural: 'oddities', singular: 'oddity', kind: 'Oddity', listKind: 'OddityList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  flags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'boolean' } },
                  defaulted: keyed(['port', 'protocol'], {
                    port: { type: 'integer', default: 80 },
                    protocol: { type: 'string', default: 'TCP' },
                    note: text,
                  }),
                  either: keyed(
                    ['key'],
                    { key: { 'x-kubernetes-int-or-string': true }, note: text },
                    { required: ['key'] },
                  ),
                  truths: keyed(['on'], { on: { type: 'boolean', default: false }, note: text }),
                  atomic: {
                    type: 'object',
                    'x-kubernetes-map-type': 'atomic',
                    properties: { a: text, b: { type: 'string', default: 'b' } },
                  },
                  atomicList: {
                    type: 'array',
                    items: { type: 'object', properties: { a: text, b: { type: 'string', default: 'b' } } },
                  },
                  embedded: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                  template: {
                    type: 'object',
                    'x-kubernetes-preserve-unknown-fields': true,
                    properties: { containers: keyed(['name'], { name: text, image: text }, { required: ['name'] }) },
                  },
                  free: { 'x-kubernetes-preserve-unknown-fields': true },
                  ratio: { type: 'number' },
                  quantity: { 'x-kubernetes-int-or-string': true },
                },
              },
            },
          },
        },
      },
    ],
  },
};
const Oddity = { apiVersion: 'elsewhere.example.com/v1', kind: 'Oddity', plural: 'oddities', namespaced: true };

const bodies: Readonly<Record<string, object>> = {
  flags: { flags: [true, false] },
  defaulted: { defaulted: [{ note: 'all by default' }, { protocol: 'UDP' }, { port: 81 }] },
  either: { either: [{ key: 1, note: 'a' }, { key: '1', note: 'b' }, { key: '50%' }] },
  truths: { truths: [{ note: 'a' }, { on: true, note: 'b' }] },
  atomic: { atomic: { a: 'x' }, atomicList: [{ a: 'x' }, {}, { a: 'x' }] },
  embedded: {
    embedded: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: { x: 'y' }, annotations: {}, creationTimestamp: null },
      spec: { containers: [{ name: 'a' }] },
    },
  },
  template: {
    template: { containers: [{ name: 'b', image: 'x' }, { name: 'a' }], other: [{ name: 'c' }], more: { x: {} } },
  },
  numbers: {
    ratio: 1e15,
    quantity: '1000m',
    free: { a: 1e15, b: 1.5e-9, c: 9007199254740991, d: [[[]]], e: [{}], f: {} },
  },
};

const sampler = sampleOperator({
  name: 'sampler',
  owns: [Oddity],
  samples: (title) => ({ resource: Oddity, body: { spec: bodies[title] } }),
});

onEveryCluster('children of an odd kind', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Household.crd(), oddities]);
  beforeAll(() => stage.start([sampler]), 60_000);
  const titles = Object.keys(bodies);

  it('are written once, and not again when the controller starts anew', async () => {
    const first = await stage.writesDuring(async () => {
      await stage.create(Household, { metadata: { name: 'home', namespace: 'default' }, spec: { titles } });
      expect(await stage.settled(Household, { namespace: 'default', name: 'home' })).toBeUndefined();
      await stage.quiet();
    });
    expect(ofChildren(first)).toEqual(titles.map((title) => `create home-${title}`).sort());
    const again = await stage.writesDuring(async () => {
      await stage.stop();
      await stage.start([sampler]);
      await stage.quiet();
    });
    expect(ofChildren(again)).toEqual([]);
  });

  const ofChildren = (writes: Parameters<typeof withoutEvents>[0]) =>
    withoutEvents(writes)
      .filter(({ objectRef }) => objectRef?.resource === 'oddities')
      .map(({ verb, objectRef }) => `${verb} ${objectRef?.name}`)
      .sort();
});
