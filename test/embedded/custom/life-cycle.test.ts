import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { untilSeen } from '../until-seen.js';
import { type Answer, answerOf, Twin } from './twin.js';

type Names = { readonly [name: string]: Json };
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const mostAttempts = 20_000;

function definition(plural: string, kind: string, more: Names = {}, spec: Names = {}): Json {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.life.kilter.dev` },
    spec: {
      group: 'life.kilter.dev',
      scope: 'Namespaced',
      names: { plural, kind, ...more },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      ...spec,
    },
  };
}

function object(kind: string, name: string, more: Names = {}): Json {
  return {
    apiVersion: 'life.kilter.dev/v1',
    kind,
    metadata: { name, namespace: 'default', ...more },
    spec: { size: 1 },
  };
}

onRealCluster('the life of a definition', {}, (plane) => {
  let twin: Twin;
  let embedded: EmbeddedServer;
  beforeAll(() => {
    twin = new Twin(plane());
    embedded = new EmbeddedServer({ controllers: false });
  });
  afterAll(async () => {
    embedded.stop();
    await twin.close();
  });

  /** What a definition says of itself, without times. */
  function stateOf(body: unknown): unknown {
    const { status, metadata } = body as { status?: Record<string, unknown>; metadata: Record<string, unknown> };
    const conditions = (status?.['conditions'] ?? []) as readonly Record<string, unknown>[];
    return {
      ...status,
      // The controllers of the real server race for the order.
      conditions: conditions
        .map(({ lastTransitionTime: _, ...rest }) => rest)
        .sort((a, b) => (String(a['type']) < String(b['type']) ? -1 : 1)),
      finalizers: metadata['finalizers'],
      isDeleted: metadata['deletionTimestamp'] !== undefined,
      generation: metadata['generation'],
    };
  }

  function ask(method: Method, path: string, body?: Json): Promise<Answer & { readonly body: unknown }> {
    const [, group, version, namespaced, rest = ''] =
      /^\/apis\/([^/]+)\/([^/]+)(\/namespaces\/default)?\/([^?]*)/.exec(path) ?? [];
    const [plural = '', name, subresource] = rest.split('/');
    const request = {
      caller: admin,
      fieldManager: 'tester',
      fieldValidation: 'Strict',
      ...(subresource ? { subresource: subresource as 'status' } : {}),
    } as const;
    const kind = embedded.kinds.resource(group ?? '', version ?? '', plural);
    const address = { name: name ?? '', ...(namespaced ? { namespace: 'default' } : {}) };
    const answer = (): Answer & { body: unknown } => {
      if (!kind) return { code: 404, body: undefined };
      try {
        switch (method) {
          case 'GET': {
            const found = embedded.verbs.get(kind, address, { caller: admin });
            return { ...answerOf(200, found as never), body: found };
          }
          case 'POST': {
            const made = embedded.verbs.create(kind, address.namespace, body as Json, request).object;
            return { ...answerOf(201, made as never), body: made };
          }
          case 'DELETE': {
            const { object: last } = embedded.verbs.delete(kind, address, {}, { caller: admin });
            return { code: 200, body: last };
          }
          default: {
            const patch = { type: 'merge', body: body as Json } as const;
            const made = embedded.verbs.patch(kind, address, patch, request).object;
            return { ...answerOf(200, made as never), body: made };
          }
        }
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return { ...answerOf(error.status.code, error.status as never), body: error.status };
      }
    };
    return Promise.resolve(answer());
  }

  /** The same request to both. */
  async function both(method: Method, path: string, body?: Json) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const query = method === 'GET' || method === 'DELETE' ? '' : '?fieldManager=tester&fieldValidation=Strict';
    const real = await twin.send(method, `${path}${query}`, body, type);
    const ours = await ask(method, path, body);
    return { server: { ...answerOf(real.code, real.body), body: real.body as unknown }, ours };
  }

  /** The state of a definition once the real server has nothing more to do about it. */
  async function settled(name: string) {
    const ours = (await ask('GET', `${definitions}/${name}`)).body;
    for (let attempt = 0; ; attempt++) {
      const { body } = await twin.send('GET', `${definitions}/${name}`);
      const server = stateOf(body);
      if (JSON.stringify(server) === JSON.stringify(stateOf(ours)) || attempt === mostAttempts) {
        return { server, ours: stateOf(ours) };
      }
    }
  }

  /** Resolves once the real server has removed something: it looks for what is left every five seconds. */
  async function goneFor(path: string): Promise<void> {
    for (let attempt = 0; (await twin.send('GET', path)).code !== 404; attempt++) {
      if (attempt === mostAttempts) throw new Error(`${path} is still there`);
    }
  }

  async function expectSettled(name: string): Promise<void> {
    const { server, ours } = await settled(name);
    expect(ours).toEqual(server);
  }

  it('begins with names and a place in discovery', async () => {
    const { server, ours } = await both('POST', definitions, definition('firsts', 'First', { shortNames: ['fi'] }));
    expect(stateOf(ours.body)).toEqual(stateOf(server.body));
    await expectSettled('firsts.life.kilter.dev');
    expect(embedded.kinds.resource('life.kilter.dev', 'v1', 'firsts')?.kind).toBe('First');
  });

  it('tells who writes its status', async () => {
    const { server, ours } = await both('GET', `${definitions}/firsts.life.kilter.dev`);
    // In whichever order: that is by the second in which each wrote, and one may pass on one server alone.
    const managers = ({ body }: { body: unknown }) =>
      (body as KubeObject).metadata.managedFields
        ?.map(({ manager, subresource, operation, fieldsV1 }) => ({
          manager,
          subresource,
          operation,
          fields: subresource === 'status' ? fieldsV1 : undefined,
        }))
        .sort((a, b) => (`${a.manager} ${a.subresource}` < `${b.manager} ${b.subresource}` ? -1 : 1));
    expect(managers(ours)).toEqual(managers(server));
  });

  it('goes on when its spec changes', async () => {
    const path = `${definitions}/firsts.life.kilter.dev`;
    const patch = { spec: { names: { categories: ['all'], shortNames: ['fi', 'fst'] } } };
    const { server, ours } = await both('PATCH', path, patch);
    expect(stateOf(ours.body)).toEqual(stateOf(server.body));
    await expectSettled('firsts.life.kilter.dev');
    expect(embedded.kinds.resource('life.kilter.dev', 'v1', 'firsts')?.shortNames).toEqual(['fi', 'fst']);
  });

  it.each<[string, Json]>([
    ['its scope', { spec: { scope: 'Cluster' } }],
    ['its group', { spec: { group: 'other.dev' } }],
    ['its plural', { spec: { names: { plural: 'others' } } }],
    ['its kind', { spec: { names: { kind: 'Other' } } }],
    ['its schema, to one that is none', { spec: { versions: [{ name: 'v1', served: true, storage: true }] } }],
    [
      'its stored version, forgetting the old one',
      {
        spec: {
          versions: [{ name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
    ],
  ])('does not let anybody change %s', async (_, patch) => {
    const { server, ours } = await both('PATCH', `${definitions}/firsts.life.kilter.dev`, patch);
    expect({ ...ours, body: undefined }).toEqual({ ...server, body: undefined });
    expect(ours.code).toBe(422);
  });

  it('does not get names that another has', async () => {
    const names = { shortNames: ['fst', 'new', 'fi'], listKind: 'FirstList' };
    await both('POST', definitions, definition('seconds', 'First', names));
    await expectSettled('seconds.life.kilter.dev');
    expect(embedded.kinds.resource('life.kilter.dev', 'v1', 'seconds')).toBeUndefined();
  });

  it('takes objects until it ends, and none after', async () => {
    const base = '/apis/life.kilter.dev/v1/namespaces/default/firsts';
    await twin.served(definition('firsts', 'First') as never);
    for (const [name, more] of Object.entries({ free: {}, held: { finalizers: ['kilter.dev/held'] } })) {
      const { server, ours } = await both('POST', base, object('First', name, more));
      expect({ ...ours, body: undefined }).toEqual({ ...server, body: undefined });
    }
    const { server, ours } = await both('DELETE', `${definitions}/firsts.life.kilter.dev`);
    expect(stateOf(ours.body)).toEqual(stateOf(server.body));
    await expectSettled('firsts.life.kilter.dev');

    // Whoever takes objects of the kind hears by a watch what the definition says by now.
    await untilSeen(async () => (await twin.send('POST', `${base}?dryRun=All`, object('First', 'late'))).code === 403);
    const late = await both('POST', base, object('First', 'late'));
    expect({ ...late.ours, body: undefined }).toEqual({ ...late.server, body: undefined });
    expect(late.ours.code).toBe(403);
    expect((await ask('GET', `${base}/free`)).code).toBe(404);
    await goneFor(`${base}/free`);
    const held = await both('PATCH', `${base}/held`, { metadata: { finalizers: null } });
    expect(held.ours.code).toBe(held.server.code);
  });

  it('is gone once its objects are, and its names are free', async () => {
    await Promise.resolve();
    expect((await ask('GET', `${definitions}/firsts.life.kilter.dev`)).code).toBe(404);
    expect(embedded.kinds.resource('life.kilter.dev', 'v1', 'firsts')).toBeUndefined();
    expect(embedded.store.list('firsts.life.kilter.dev')).toEqual([]);
    await goneFor(`${definitions}/firsts.life.kilter.dev`);
    await expectSettled('seconds.life.kilter.dev');
    expect(embedded.kinds.resource('life.kilter.dev', 'v1', 'seconds')?.kind).toBe('First');
  });

  it('ends at once when it never had its names', async () => {
    await both('POST', definitions, definition('thirds', 'First'));
    await both('DELETE', `${definitions}/thirds.life.kilter.dev`);
    await Promise.resolve();
    expect((await ask('GET', `${definitions}/thirds.life.kilter.dev`)).code).toBe(404);
  });

  it('tells whether Kubernetes approved of it', async () => {
    const made = definition('approved', 'Approved', {}, { group: 'life.k8s.io' }) as { readonly metadata: object };
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
    await both('POST', definitions, { ...made, metadata: { name: 'approved.life.k8s.io', annotations } } as Json);
    await expectSettled('approved.life.k8s.io');
  });
});
