import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Json } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { untilSeen } from '../until-seen.js';
import { type Definition, Twin, type Write } from './twin.js';

const name = 'one';
const group = 'ratchet.kilter.dev';

function definition(spec: Json, status: Json): Definition {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `ratchets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'ratchets', kind: 'Ratchet' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  } as unknown as Definition;
}

const text = { type: 'string' };
const item = { type: 'object', required: ['name'], properties: { name: text, value: text } };
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const loose = definition(
  {
    type: 'object',
    properties: {
      plain: text,
      list: { type: 'array', items: text },
      map: { type: 'array', ...byName, items: item },
      set: { type: 'array', items: text },
      values: { type: 'object', additionalProperties: text },
      ruled: text,
      ruledList: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 20 } },
      free: { type: 'integer' },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      bare: { type: 'array', items: { type: 'object', properties: { name: text } } },
      needed: text,
    },
  },
  { type: 'object', properties: { phase: text, note: text } },
);

/** The same with limits that what is stored does not keep. */
const short = { type: 'string', maxLength: 3 };
const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] });
const strict = definition(
  {
    type: 'object',
    required: ['needed'],
    properties: {
      plain: { type: 'string', enum: ['a'] },
      list: { type: 'array', items: short },
      map: { type: 'array', ...byName, items: { ...item, properties: { name: text, value: short } } },
      set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      values: { type: 'object', additionalProperties: short },
      ruled: { type: 'string', ...rule("self.startsWith('x')") },
      ruledList: {
        type: 'array',
        maxItems: 5,
        items: { type: 'string', maxLength: 20, ...rule("self.startsWith('x')") },
      },
      free: { type: 'integer' },
      open: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        required: ['known'],
        properties: { known: text },
      },
      bare: { type: 'array', ...byName, items: { type: 'object', required: ['name'], properties: { name: text } } },
      needed: text,
      added: { type: 'string', default: 'late' },
    },
  },
  { type: 'object', properties: { phase: { type: 'string', enum: ['Up'] }, note: short } },
);

const stored: Json = {
  plain: 'not a',
  list: ['too long', 'ok'],
  map: [
    { name: 'a', value: 'too long' },
    { name: 'b', value: 'ok' },
  ],
  set: ['a', 'a'],
  values: { a: 'too long' },
  ruled: 'no x',
  ruledList: ['no x', 'x'],
};

/** What the server never takes for what it was before. */
const never = {
  open: { needed: 'x', open: { any: 'thing' } },
  bare: { needed: 'x', bare: [{}] },
};

onRealCluster('what an update leaves as it was', {}, (plane) => {
  let twin: Twin;
  beforeAll(async () => {
    twin = new Twin(plane());
    await twin.define(loose);
    await twin.served(loose);
    for (const [called, spec] of Object.entries({ [name]: stored, ...never })) {
      const body = { apiVersion: `${group}/v1`, kind: 'Ratchet', metadata: { name: called }, spec } as Json;
      await twin.write(loose, { verb: 'create', body });
    }
    await twin.write(loose, { verb: 'merge', name, subresource: 'status', body: { status: { phase: 'Sideways' } } });
    await twin.redefine(strict);
    // The real server takes the new schema when it gets to it.
    const probe = { apiVersion: `${group}/v1`, kind: 'Ratchet', metadata: { name: 'probe' }, spec: { added: 'x' } };
    const path = `/apis/${group}/v1/namespaces/default/ratchets?dryRun=All&fieldValidation=Strict`;
    await untilSeen(async () => (await twin.send('POST', path, probe)).code === 422);
  });
  afterAll(() => twin.close());

  it.each<[string, Json]>([
    ['a label', { metadata: { labels: { a: 'b' } } }],
    ['another field, with all that is bad', { spec: { free: 1 } }],
    ['another field, and what is needed', { spec: { free: 2, needed: 'x' } }],
    ['a bad value to another bad value', { spec: { plain: 'still not a' } }],
    ['a bad value to a good one', { spec: { plain: 'a' } }],
    ['an item beside a bad one', { spec: { list: ['too long', 'ok', 'ok'] } }],
    [
      'an item of a list map beside a bad one',
      {
        spec: {
          map: [
            { name: 'b', value: 'new' },
            { name: 'a', value: 'too long' },
          ],
        },
      },
    ],
    ['a bad item of a list map', { spec: { map: [{ name: 'a', value: 'longer' }] } }],
    ['a value of a map beside a bad one', { spec: { values: { b: 'ok' } } }],
    ['a set with a repetition to another with one', { spec: { set: ['a', 'a', 'b', 'b'] } }],
    ['a field whose rule is new', { spec: { ruled: 'still no x' } }],
    ['a list whose rule is new', { spec: { ruledList: ['no x', 'x', 'x'] } }],
    ['nothing', {}],
  ])('is forgiven, when it changes %s', async (_, body) => {
    const write: Write = { verb: 'merge', name, body };
    const { server, ours } = await twin.write(strict, write);
    expect(ours).toEqual(server);
  });

  it.each([
    ['what a map keeps without knowing it', 'open'],
    ['an item of a list map without its key', 'bare'],
  ])('is not forgiven where it is %s', async (_, name) => {
    const body = { metadata: { labels: { a: 'b' } } };
    const { server, ours } = await twin.write(strict, { verb: 'merge', name, body });
    expect(server.code).toBe(422);
    expect(ours).toEqual(server);
  });

  it.each<[string, Json]>([
    ['a note', { status: { note: 'ok' } }],
    ['a note that is too long', { status: { note: 'too long' } }],
    ['the phase', { status: { phase: 'Down' } }],
  ])('is forgiven in the status, when it changes %s', async (_, body) => {
    const { server, ours } = await twin.write(strict, { verb: 'merge', name, subresource: 'status', body });
    expect(ours).toEqual(server);
  });
});
