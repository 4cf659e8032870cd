import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { AskServer, type Question } from '../ask-server.js';
import { untilSeen } from '../until-seen.js';

type Method = Parameters<AskServer['ask']>[0];

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.large.example.com' },
  spec: {
    group: 'large.example.com',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes', singular: 'box', listKind: 'BoxList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};
const boxes = '/apis/large.example.com/v1/namespaces/default/boxes';
const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

const mebibyte = 1024 * 1024;
const box = (name: string, text = '', more: object = {}) => ({
  apiVersion: 'large.example.com/v1',
  kind: 'Box',
  metadata: { name },
  spec: { text },
  ...more,
});
const text = (mebibytes: number, character = 'x') => character.repeat(Math.round(mebibytes * mebibyte));
const json = 'application/json-patch+json';
/** A text of which so many copies are made, each in the place of the one before. */
const copies = (count: number, value: string) => [
  { op: 'add', path: '/spec/from', value },
  ...Array(count).fill({ op: 'copy', from: '/spec/from', path: '/spec/to' }),
  { op: 'remove', path: '/spec/from' },
];
/** Of as many bytes, with the quotes. */
const quoted = (mebibytes: number) => text(mebibytes).slice(2);
/** Of which nearly as much is told who owns it. */
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field-${String(index).padStart(20, '0')}`, 1]));
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const deployment = (argument: string) => ({
  metadata: { name: 'large' },
  spec: {
    selector: { matchLabels: { app: 'large' } },
    template: {
      metadata: { labels: { app: 'large' } },
      spec: { containers: [{ name: 'a', image: 'b', args: [argument] }] },
    },
  },
});

const beyondEtcd = { code: 500, message: 'etcdserver: request is too large' };
const beyondClient = {
  code: 500,
  message: expect.stringMatching(
    /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(\d+ vs\. 2097152\)$/,
  ),
};
const tooLarge = (because: string) => ({
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: ${because}`,
});

const beyondCopies = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
};

const refused: readonly (readonly [string, object, Method, string, () => Question])[] = [
  ['a create', beyondEtcd, 'POST', boxes, () => ({ body: box('a', text(1.6)) })],
  ['a create that is longer in JSON', beyondEtcd, 'POST', boxes, () => ({ body: box('a', text(0.3, '<')) })],
  ['a create of what no client sends to etcd', beyondClient, 'POST', boxes, () => ({ body: box('a', text(2.2)) })],
  ['an update', beyondEtcd, 'PUT', `${boxes}/old`, () => ({ body: box('old', text(1.6)) })],
  ['a patch', beyondEtcd, 'PATCH', `${boxes}/old`, () => ({ body: box('old', text(1.6)), contentType: merge })],
  [
    'an apply',
    beyondEtcd,
    'PATCH',
    `${boxes}/old?fieldManager=t&force=true`,
    () => ({ body: box('old', text(1.6)), contentType: apply }),
  ],
  [
    'an apply that would fit if nobody owned anything',
    beyondEtcd,
    'PATCH',
    `${boxes}/new?fieldManager=t`,
    () => ({ body: box('new', '', { spec: fields(25_000) }), contentType: apply }),
  ],
  [
    'a status',
    beyondEtcd,
    'PUT',
    `${boxes}/old/status`,
    () => ({ body: { ...box('old'), status: { text: text(1.6) } } }),
  ],
  [
    'a status that is applied, and not that by which it is too large together with the spec',
    beyondEtcd,
    'PATCH',
    `${boxes}/half/status?fieldManager=t`,
    () => ({ body: { ...box('half'), spec: undefined, status: { text: text(0.9) } }, contentType: apply }),
  ],
  ['a Deployment', beyondEtcd, 'POST', deployments, () => ({ body: deployment(text(1.6)) })],
  ['a body', tooLarge('limit is 3145728'), 'POST', boxes, () => ({ body: box('a', text(3)) })],
  [
    'a body of a patch',
    tooLarge('limit is 3145728'),
    'PATCH',
    `${boxes}/old`,
    () => ({ body: box('old', text(3)), contentType: merge }),
  ],
  [
    'a patch of more operations than any',
    tooLarge('The allowed maximum operations in a JSON patch is 10000, got 10001'),
    'PATCH',
    `${boxes}/old`,
    () => ({
      body: Array(10_001).fill({ op: 'test', path: '/kind', value: 'Box' }),
      contentType: json,
    }),
  ],
  [
    'a patch whose copies are, together,',
    beyondCopies,
    'PATCH',
    `${boxes}/old`,
    () => ({ body: [...copies(6, quoted(0.5)), { op: 'copy', from: '/kind', path: '/spec/a' }], contentType: json }),
  ],
  [
    'a patch whose copies are that as the server writes them',
    beyondCopies,
    'PATCH',
    `${boxes}/old`,
    () => ({ body: copies(9, text(0.06, '<')), contentType: json }),
  ],
];

const taken: readonly (readonly [string, number, Method, string, () => Question])[] = [
  [
    'as many copies as there may be, of which nulls are none',
    200,
    'PATCH',
    `${boxes}/old`,
    () => ({
      body: [...copies(6, quoted(0.5)), { op: 'copy', from: '/spec/none', path: '/spec/a' }],
      contentType: json,
    }),
  ],
  ['what fits', 201, 'POST', `${boxes}`, () => ({ body: box('fits', text(1.49)) })],
  ['what does not fit, and is not stored', 201, 'POST', `${boxes}?dryRun=All`, () => ({ body: box('dry', text(1.6)) })],
  ['a Deployment that fits', 201, 'POST', deployments, () => ({ body: deployment(text(1.49, '"')) })],
  [
    'a ConfigMap as full as any',
    201,
    'POST',
    maps,
    () => ({ body: { metadata: { name: 'full' }, data: { a: text(1, '\n').slice(1) } } }),
  ],
];

onEveryCluster('what is done with a large object', {}, (plane) => {
  let server: AskServer;
  const ask: AskServer['ask'] = (...question) => server.ask(...question);
  /** As it is by now: what says no version is refused for that. */
  const replaced = async (path: string, { body }: Question) => {
    const { metadata } = (await ask('GET', path)).body as unknown as ReturnType<typeof box>;
    return ask('PUT', path, { body: { ...(body as object), metadata } });
  };

  beforeAll(async () => {
    server = new AskServer(plane());
    await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
    await untilSeen(async () => (await ask('GET', boxes)).code === 200);
    for (const body of [box('old'), box('half', text(0.9))]) {
      const { code } = await ask('POST', boxes, { body });
      expect(code).toBe(201);
    }
  });

  afterAll(() => server.close());

  it.each(refused)('refuses %s that is too large', async (_, words, method, path, question) => {
    const { code, body } = await (method === 'PUT' ? replaced(path, question()) : ask(method, path, question()));
    const { reason, message } = body;
    expect({ code, message, ...(reason === undefined ? {} : { reason }) }).toEqual(words);
  });

  it.each(taken)('takes %s', async (_, expected, method, path, question) => {
    const { code, body } = await ask(method, path, question());
    expect([code, body['message']]).toEqual([expected, undefined]);
  });

  it('forgets who owns what rather than to refuse it', async () => {
    const { code, body } = await ask('POST', boxes, { body: box('many', '', { spec: fields(25_000) }) });
    expect(code).toBe(201);
    expect(body['metadata']).not.toHaveProperty('managedFields');
    const stored = await ask('GET', `${boxes}/many`);
    expect(stored.body['metadata']).not.toHaveProperty('managedFields');
  });

  it('counts to the byte', async () => {
    const path = `${boxes}/exact?fieldManager=t`;
    const applied = (length: number) =>
      ask('PATCH', path, { body: box('exact', 'x'.repeat(length)), contentType: apply });
    const { body } = await applied(0);
    const { resourceVersion: _, ...metadata } = body['metadata'] as { readonly resourceVersion: string };
    const bytes = Buffer.byteLength(JSON.stringify({ ...body, metadata })) + 1;
    // Beside it etcd is told three times of its key, and what stands around them takes some tens of bytes.
    const most = 1.5 * mebibyte - bytes - 3 * '/registry/large.example.com/boxes/default/exact'.length;
    expect((await applied(most - 60)).code).toBe(200);
    expect((await applied(most - 30)).body['message']).toBe(beyondEtcd.message);
  });
});
