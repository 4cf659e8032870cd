// Longer than most files: one table of bodies, and one of writes, over one rich definition.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableOf } from '../../../src/embedded/http/table.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { awaited, group, plain, rich, several } from './rich-definitions.js';
import { type Definition, Twin, type Write, withoutOwners } from './twin.js';

type JsonMap = { readonly [key: string]: Json };

function body(kind: string, name: string, more: JsonMap, version = 'v1'): Json {
  const { metadata = {}, ...rest } = more;
  return { apiVersion: `${group}/${version}`, kind, metadata: { name, ...(metadata as JsonMap) }, ...rest };
}

/** Fields of `spec` of a Rich, by what is telling about them. */
const specs: Readonly<Record<string, Json>> = {
  nothing: {},
  'no spec at all but null': null,
  'a spec that is a text': 'x',
  'characters that Go escapes': {
    set: ['a<b', 'c&d', '\u2028'],
    conditions: [{ type: 'a<b>' }],
    labels: { 'a<b': 'x' },
    anything: { 'a<b': ['c&d'] },
  },
  'an embedded resource': {
    template: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: { a: 'b' } },
      spec: { any: [1, { b: null }] },
    },
  },
  'an embedded resource without a kind': { template: { metadata: {} } },
  'an embedded resource of a numeric kind': { template: { apiVersion: 'v1', kind: 3 } },
  'an embedded resource with a bad kind': { template: { apiVersion: 'a/b/c', kind: 'a_b' } },
  'an embedded resource with empty names': { template: { apiVersion: '', kind: '' } },
  'an embedded resource with unknown metadata': {
    template: { apiVersion: 'v1', kind: 'A', metadata: { nope: 1, labels: {} } },
  },
  'an embedded resource whose metadata is not valid': {
    template: {
      apiVersion: 'v1',
      kind: 'A',
      metadata: {
        name: 'a/b',
        generateName: '..',
        namespace: 'A_',
        labels: { 'a b': 'c' },
        annotations: { '-': 'x' },
        finalizers: ['a b'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'A' }],
        generation: -1,
      },
    },
  },
  'an embedded resource with a name that is none of a DNS': {
    template: { apiVersion: 'v1', kind: 'A', metadata: { name: 'A_', namespace: 'b', labels: { a: 'b' } } },
  },
  'an embedded resource with a label that is a number': {
    template: { apiVersion: 'v1', kind: 'A', metadata: { labels: { a: 1 } } },
  },
  'an embedded resource whose metadata is a text': { template: { apiVersion: 'v1', kind: 'A', metadata: 'x' } },
  'a pruned embedded resource': { pruned: { apiVersion: 'v1', kind: 'A', metadata: { name: 'x' }, spec: { a: 'y' } } },
  'a pruned embedded resource with more': { pruned: { apiVersion: 'v1', kind: 'A', more: 1, spec: { b: 'y' } } },
  anything: { anything: { a: [1, null, { b: null, c: {} }], d: '' } },
  'anything, even a number': { anything: 3 },
  'unknown fields that are kept': { kept: { unknown: { a: null }, known: { a: 'x' } } },
  'unknown fields beside those that are kept': { kept: { unknown: 1, known: { b: 'x' } } },
  'items of a list that keeps all': { keptList: [{ a: 'x', b: { c: 1 } }] },
  'an open map': { open: { a: 'x', b: 3, c: null } },
  'objects in an open map': { open: { a: { b: 1 }, l: [1, { c: 2 }] } },
  'a port as a number': { port: 80 },
  'a port as a text': { port: 'http' },
  'a port that is too long': { port: 'toolong' },
  'a port that is a list': { port: [80] },
  'one of two': { one: { a: 'x' } },
  'none of two': { one: {} },
  'both of two': { one: { a: 'x', b: 'y' } },
  'any, a big one': { any: { kind: 'big', size: 10 } },
  'any, too small for a big one': { any: { kind: 'big', size: 3 } },
  'any, of neither kind': { any: { kind: 'none' } },
  all: { all: 'ab' },
  'all but one': { all: 'xy' },
  'nothing of all': { all: 'x' },
  'a number that may not be': { not: 13 },
  'a number that may be': { not: 12 },
  'a null where a default is': { defaulted: null, nullable: null, replicas: null },
  'defaults in a list': { defaulted: { list: [{}, { n: null }, { n: 4 }] } },
  'a null where none may be': { one: null, set: null, labels: { a: null } },
  'a set with a repetition': { set: ['a', 'b', 'a'] },
  'a list map with a repetition': { conditions: [{ type: 'A' }, { type: 'B' }, { type: 'A' }] },
  'a rule that fails': { replicas: 7 },
  'a rule that nobody looks at': { replicas: 7, all: 3 },
  'a negative scale': { replicas: -1 },
  'a scale beyond 32 bits': { replicas: 3_000_000_000 },
  'a scale as a text': { replicas: 'three' },
  'a value of a map that is too long': { labels: { a: 'abcd', b: 'abc' } },
  'an item that is too long': { loose: ['abc', 'abcd'] },
  'several unknown fields': { z: 1, a: { b: 1 }, one: { a: 'x', c: 1 } },
};

const heads: Readonly<Record<string, Json>> = {
  'a name that is too long for the schema': body('Rich', 'a-name-that-is-too-long', {}),
  'a bad name': body('Rich', 'Bad_Name', {}),
  'another kind': body('Other', 'x', {}),
  'no kind': { apiVersion: `${group}/v1`, metadata: { name: 'x' } },
  'no apiVersion': { kind: 'Rich', metadata: { name: 'x' } },
  'a numeric apiVersion': { apiVersion: 1, kind: 'Rich', metadata: { name: 'x' } },
  'another version': body('Rich', 'x', {}, 'v9'),
  'a numeric name': { apiVersion: `${group}/v1`, kind: 'Rich', metadata: { name: 3 } },
  'labels that are a list': body('Rich', 'x', { metadata: { labels: ['a'] } }),
  'an annotation that is a number': body('Rich', 'x', { metadata: { annotations: { a: 1 } } }),
  'a bad label': body('Rich', 'x', { metadata: { labels: { 'a b': 'c' } } }),
  'an owner without a uid': body('Rich', 'x', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a' }] },
  }),
  'an owner with a numeric name': body('Rich', 'x', { metadata: { ownerReferences: [{ name: 1 }] } }),
  'an owner that is a text': body('Rich', 'x', { metadata: { ownerReferences: ['x'] } }),
  'a time that is none': body('Rich', 'x', { metadata: { creationTimestamp: 'yesterday' } }),
  'finalizers that are a text': body('Rich', 'x', { metadata: { finalizers: 'x' } }),
  'a generation that is a fraction': body('Rich', 'x', { metadata: { generation: 1.5 } }),
  'unknown metadata': body('Rich', 'x', {
    metadata: { nope: 1, ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', more: 1 }] },
    extra: 1,
  }),
  'empty metadata': body('Rich', 'empty', { metadata: { labels: {}, annotations: null, finalizers: [] } }),
  'a status': body('Rich', 'statused', { status: { phase: 'Up', replicas: 2 } }),
  'a bad status, which is dropped': body('Rich', 'badstatus', { status: { phase: 'Sideways' } }),
};

onRealCluster('custom resources with all that a schema can have', {}, (plane) => {
  let twin: Twin;
  beforeAll(async () => {
    twin = new Twin(plane());
    for (const definition of [rich, plain, several, awaited]) await twin.define(definition);
    for (const definition of [rich, plain, several, awaited]) await twin.served(definition);
  });
  afterAll(() => twin.close());

  async function same(definition: Definition, write: Write): Promise<number> {
    const { server, ours } = await twin.write(definition, write);
    expect(ours).toEqual(server);
    return ours.code;
  }

  describe.each(['Strict', 'Ignore'] as const)('under validation %s', (validation) => {
    let count = 0;

    it.each(Object.entries(specs))('are created alike with %s', async (_, spec) => {
      count += 1;
      const name = `${validation.toLowerCase()}-${count}`;
      await same(rich, { verb: 'create', body: body('Rich', name, { spec }), validation });
    });
  });

  it.each(Object.entries(heads))('are created alike with %s', async (_, object) => {
    await same(rich, { verb: 'create', body: object });
  });

  it('count their generations alike, with a status of its own', async () => {
    await same(rich, { verb: 'create', body: body('Rich', 'counted', { spec: { replicas: 1 } }) });
    const name = 'counted';
    const head = { metadata: { resourceVersion: '{{version}}' } };
    const writes: readonly Write[] = [
      { verb: 'update', name, body: body('Rich', name, { ...head, spec: { replicas: 2 } }) },
      { verb: 'update', name, body: body('Rich', name, { ...head, spec: { replicas: 2 } }) },
      {
        verb: 'update',
        name,
        body: body('Rich', name, { metadata: { ...head.metadata, labels: { a: 'b' } }, spec: { replicas: 2 } }),
      },
      { verb: 'update', name, body: body('Rich', name, { ...head, spec: { replicas: 2 }, status: { phase: 'Up' } }) },
      {
        verb: 'update',
        name,
        subresource: 'status',
        body: body('Rich', name, {
          metadata: { ...head.metadata, labels: { c: 'd' } },
          spec: { replicas: 4 },
          status: { phase: 'Up', replicas: 3 },
        }),
      },
      { verb: 'merge', name, subresource: 'status', body: { spec: { replicas: 5 }, status: { selector: 'a=b' } } },
      { verb: 'merge', name, body: { spec: { replicas: 5 }, status: { selector: 'c=d' } } },
      { verb: 'json', name, body: [{ op: 'replace', path: '/spec/replicas', value: 3 }] },
      { verb: 'apply', name, manager: 'applier', body: body('Rich', name, { spec: { set: ['a'] } }) },
      {
        verb: 'apply',
        name,
        manager: 'applier',
        body: body('Rich', name, { spec: { set: ['b'], conditions: [{ type: 'A' }] } }),
      },
      { verb: 'apply', name, manager: 'applier', body: body('Rich', name, { spec: { replicas: 9 } }) },
      {
        verb: 'apply',
        name,
        manager: 'applier',
        subresource: 'status',
        body: body('Rich', name, { status: { phase: 'Down', replicas: 0 } }),
      },
      {
        verb: 'apply',
        name: 'applied',
        manager: 'applier',
        body: body('Rich', 'applied', { spec: { replicas: 2, labels: { a: 'b' } } }),
      },
    ];
    for (const write of writes) await same(rich, write);
  });

  it.each<[string, Write['verb'], Json]>([
    ['a number beyond its limit', 'merge', { status: { replicas: 6 } }],
    ['a bad enum', 'merge', { status: { phase: 'Sideways' } }],
    ['a rule that fails', 'merge', { status: { phase: 'Down', replicas: 2 } }],
    ['a status that is a text', 'merge', { status: 'x' }],
    ['no status', 'merge', { status: null }],
    ['an unknown field', 'merge', { status: { nope: 1 } }],
    ['a selector that is a number', 'merge', { status: { selector: 3 } }],
    ['a strategic patch', 'strategic', { status: { replicas: 1 } }],
  ])('have their status written alike with %s', async (title, verb, patch) => {
    const name = `s-${title.length}-${verb}`.slice(0, 12);
    await twin.write(rich, { verb: 'create', body: body('Rich', name, {}) });
    await same(rich, { verb, name, subresource: 'status', body: patch });
  });

  it.each<[string, Write]>([
    ['no resourceVersion', { verb: 'update', name: 'up', body: body('Rich', 'up', {}) }],
    [
      'an old resourceVersion',
      { verb: 'update', name: 'up', body: body('Rich', 'up', { metadata: { resourceVersion: '1' } }) },
    ],
    ['another name', { verb: 'update', name: 'up', body: body('Rich', 'down', {}) }],
    ['nothing that is there', { verb: 'update', name: 'nope', body: body('Rich', 'nope', {}) }],
    ['a strategic patch', { verb: 'strategic', name: 'up', body: { spec: { replicas: 3 } } }],
    ['a patch to a bad value', { verb: 'merge', name: 'up', body: { spec: { all: 3 } } }],
    ['a patch to an unknown field', { verb: 'merge', name: 'up', body: { spec: { nope: 3 } } }],
    ['a patch of the kind', { verb: 'merge', name: 'up', body: { kind: 'Other' } }],
    ['an apply of an unknown field', { verb: 'apply', name: 'up', body: body('Rich', 'up', { spec: { nope: 1 } }) }],
    [
      'an apply of a list where a map belongs',
      { verb: 'apply', name: 'up', body: body('Rich', 'up', { spec: { one: [] } }) },
    ],
  ])('are updated alike with %s', async (_, write) => {
    await twin.write(rich, { verb: 'create', body: body('Rich', 'up', { spec: { set: ['a'] } }) });
    await same(rich, write);
  });

  it('have owners by whatever names the items of lists have', async () => {
    const name = 'escaped';
    const spec = (value: string, item: string) => ({ conditions: [{ type: 'a<b', value }], set: [item, '<>&'] });
    const fieldsV1 = { 'f:spec': { 'f:conditions': { 'k:{ "type": "a<b" }': { '.': {}, 'f:type': {} } } } };
    const manager = { apiVersion: `${group}/v1`, fieldsType: 'FieldsV1', time: '2026-01-01T00:00:00Z' };
    const managedFields = [{ ...manager, manager: 'told', operation: 'Apply', fieldsV1 }];
    const writes: readonly Write[] = [
      { verb: 'apply', name, manager: 'one', body: body('Rich', name, { spec: spec('x', 'a&b') }) },
      { verb: 'apply', name, manager: 'two', body: body('Rich', name, { spec: spec('y', 'c&d') }) },
      { verb: 'merge', name, body: { metadata: { managedFields } } },
      { verb: 'apply', name, manager: 'told', body: body('Rich', name, { spec: { set: ['<>&'] } }) },
      { verb: 'merge', name, manager: 'one', body: { spec: { set: ['e>f'] } } },
    ];
    for (const write of writes) await same(rich, write);
  });

  it('have the status that is there by default from the first, though who creates one cannot write it', async () => {
    const name = 'awaited';
    const writes: readonly Write[] = [
      { verb: 'create', body: body('Awaited', name, { spec: { a: 'x' }, status: { phase: 'Up' } }) },
      { verb: 'merge', name, body: {} },
      { verb: 'merge', name, body: { spec: { a: 'y' }, status: { phase: 'Up' } } },
      { verb: 'merge', name, subresource: 'status', body: { status: { phase: 'Up' } } },
      { verb: 'merge', name, subresource: 'status', body: { status: null } },
      { verb: 'apply', name: 'applied', manager: 'applier', body: body('Awaited', 'applied', { spec: { a: 'x' } }) },
    ];
    for (const write of writes) await same(awaited, write);
    expect(twin.live(awaited, 'applied')).toMatchObject({ status: { phase: 'Unknown', reason: 'NotSeen' } });
  });

  it.each<[string, Json | undefined]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['a list', [{ b: null }]],
    ['a map', { b: 1 }],
  ])('are merged alike with a list that has nulls, in place of %s', async (_, anything) => {
    const name = 'merged';
    const spec: JsonMap = anything === undefined ? {} : { anything };
    await twin.write(rich, { verb: 'create', body: body('Rich', name, { spec }) });
    await same(rich, { verb: 'merge', name, body: { spec: { anything: [null, { b: null, c: [{ d: null }] }] } } });
  });

  it('count their generations alike, without a status of its own', async () => {
    const name = 'plain';
    const head = { metadata: { resourceVersion: '{{version}}' } };
    await same(plain, { verb: 'create', body: body('Plain', name, { status: { up: true } }) });
    await same(plain, { verb: 'update', name, body: body('Plain', name, { ...head, status: { up: false } }) });
    await same(plain, { verb: 'merge', name, body: { metadata: { labels: { a: 'b' } } } });
    await same(plain, { verb: 'merge', name, body: { spec: { size: 3 } } });
  });

  it('are the same in all versions but for what a version does not have', async () => {
    const name = 'several';
    // Between versions whose schemas differ the real server loses track of who owns what.
    const alike = async (definition: Definition, write: Write) => {
      const { server, ours } = await twin.write(definition, write);
      expect(withoutOwners(ours)).toEqual(withoutOwners(server));
    };
    await alike(several, {
      verb: 'create',
      version: 'v1alpha1',
      body: body('Several', name, { spec: { old: 'lost', both: 'a' } }, 'v1alpha1'),
    });
    for (const version of ['v1', 'v2', 'v1alpha1']) {
      await alike(several, { verb: 'merge', name, version, body: { metadata: { labels: { [version]: 'seen' } } } });
    }
    await alike(several, { verb: 'merge', name, version: 'v2', body: { spec: { later: 5, both: 'b' } } });
    await alike(several, { verb: 'merge', name, version: 'v1', body: { spec: { both: 'c' } } });
  });

  it('show the same columns', async () => {
    const anything = { flag: true, since: '2020-01-01T00:00:00Z', nothing: null, float: 1234567.5 };
    const spec = { set: ['b', 'a'], conditions: [{ type: 'X' }, { type: 'Ready', value: 'yes' }], all: 'ab', anything };
    const labels = { 'app.kubernetes.io/name': 'web' };
    await same(rich, { verb: 'create', body: body('Rich', 'columns', { metadata: { labels }, spec }) });
    await same(rich, { verb: 'create', body: body('Rich', 'bare', {}) });
    for (const name of ['columns', 'bare']) {
      const path = `/apis/${group}/v1/namespaces/default/riches/${name}`;
      const { body: server } = await twin.send('GET', path, undefined, 'application/json', tables);
      const ours = tableOf(
        twin.kind(rich),
        [twin.live(rich, name) as KubeObject],
        {},
        { version: 'v1', contents: 'None', now: Date.now() },
      );
      const shown = (table: unknown) => {
        const { columnDefinitions, rows } = table as { columnDefinitions: JsonMap[]; rows: { cells: Json[] }[] };
        // Neither is of the definition, and the age may have grown by a second.
        return { columns: columnDefinitions.slice(1), cells: rows[0]?.cells.slice(0, -1) };
      };
      expect(shown(ours)).toEqual(shown(server));
    }
  });
});

const tables = 'application/json;as=Table;g=meta.k8s.io;v=v1';
