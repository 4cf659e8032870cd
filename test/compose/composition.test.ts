/** Longer than most files: every rule of a composition, each with its message. */
import { describe, expect, it } from '@jest/globals';
import { ApiObject, Chart, JsonPatch, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterRole, ConfigMap, Deployment, Namespace, Secret, Service } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { OperatorError, TerminalError } from '../../src/kube/errors.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { aCache, Cache, composing } from './a-cache.js';

const observed: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  metadata: {
    name: 'cache',
    namespace: 'prod',
    uid: 'uid-1',
    resourceVersion: '7',
    labels: { 'app.kubernetes.io/instance': 'argo', team: 'blue' },
    annotations: {
      'argocd.argoproj.io/tracking-id': 'app:…',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    },
  },
  spec: { size: 3, image: 'cache:2' },
};

/** What a mistake says: its message, and what to do about it. */
function mistake(compose: Parameters<typeof composing>[0], owns?: Parameters<typeof composing>[1]) {
  try {
    composing(compose, owns).desired(aCache);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { message: error.message, hint: error.hint, isTerminal: error instanceof TerminalError };
  }
  throw new Error('nothing was thrown');
}

describe('a composition', () => {
  it('gives children with the names, namespace and labels of the custom resource', () => {
    const [child] = composing((scope) => void new ConfigMap(scope, 'settings', { data: { mode: 'on' } })).desired(
      aCache,
    );
    expect(child).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'cache-settings',
        namespace: 'prod',
        labels: {
          'app.kubernetes.io/name': 'cache',
          'app.kubernetes.io/component': 'settings',
          'app.kubernetes.io/part-of': 'cache',
          'app.kubernetes.io/managed-by': 'cache',
          'app.kubernetes.io/created-by': 'kilter',
        },
      },
      data: { mode: 'on' },
    });
  });

  it('fills in the defaults of the schema before it composes', () => {
    const [child] = composing(
      (scope, { spec }) => void new ConfigMap(scope, 'c', { data: { image: spec.image } }),
    ).desired(aCache);
    expect(child?.['data']).toEqual({ image: 'cache:1' });
  });

  it('refuses a custom resource that the API server would refuse, in its words', () => {
    const desired = () => composing(() => undefined).desired({ metadata: { name: 'cache' }, spec: { size: 11 } });
    expect(desired).toThrow(
      'Cache/cache is invalid: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    );
  });

  it('makes the custom resource the controller of each child, once it has a uid', () => {
    const { children } = composing((scope) => void new ConfigMap(scope, 'c')).composition(observed, {});
    expect(children.map(({ metadata }) => metadata.ownerReferences)).toEqual([
      [
        {
          apiVersion: 'example.com/v1',
          kind: 'Cache',
          name: 'cache',
          uid: 'uid-1',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    ]);
  });

  it('passes on no label and no annotation of the custom resource', () => {
    const { children } = composing((scope) => void new ConfigMap(scope, 'c')).composition(observed, {});
    expect(JSON.stringify(children)).not.toMatch(/argo|kubectl|blue/);
  });

  it('lets an author have the last word on labels', () => {
    const labels = { 'app.kubernetes.io/name': 'mine', 'app.kubernetes.io/component': 'front', tier: 'web' };
    const [child] = composing((scope) => void new ConfigMap(scope, 'c', { metadata: { labels } })).desired(aCache);
    expect(child?.metadata.labels).toMatchObject(labels);
  });

  it('is the same each time, to the order of keys', () => {
    const compose = composing((scope, { spec }) => {
      const server = new Deployment(scope, 'server', { spec: { replicas: spec.size, selector: {}, template: {} } });
      server.node.addDependency(
        new Service(new Construct(scope, 'net'), 'service', { spec: { ports: [{ port: 1 }] } }),
      );
      server.metadata.addAnnotation('b', '2');
      new ApiObject(scope, 'plain', { apiVersion: 'v1', kind: 'ConfigMap', data: { z: '1', a: '2' } });
    });
    const text = JSON.stringify(compose.desired(aCache));
    for (let round = 0; round < 20; round++) expect(JSON.stringify(compose.desired(aCache))).toBe(text);
  });

  it('stops a compose that changes what it was handed', () => {
    const changing = composing((_, { spec }) => {
      (spec as { size: number }).size = 1;
    });
    expect(() => changing.desired(aCache)).toThrow(TypeError);
    expect(aCache.spec.size).toBe(3);

    const found = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'on' } };
    const reading = operator(Cache, {
      owns: [],
      reads: { found: one(ConfigMap, () => ({ name: 'settings' })) },
      compose: (_, __, reads) => {
        (reads.found?.data as { mode: string }).mode = 'changed';
      },
    });
    expect(() => reading.desired(aCache, { found })).toThrow(TypeError);
    expect(found.data).toEqual({ mode: 'on' });
    found.data.mode = 'still mine';
  });

  it('takes what is undefined for not written, as JSON does', () => {
    const images: string[] = [];
    const seen = composing((_, { spec }) => void images.push(spec.image));
    seen.desired({ ...aCache, spec: { size: 3, image: undefined, other: undefined } as never });
    expect(images).toEqual(['cache:1']);
  });

  it('says which child each returned name stands for, also for a construct around it', () => {
    const made = operator(Cache, {
      owns: [Deployment, ConfigMap],
      compose(scope) {
        const around = new Construct(scope, 'around');
        new ConfigMap(around, 'Default');
        return { server: new Deployment(scope, 'server'), around, none: undefined };
      },
    });
    expect(made.composition(observed, {}).returned).toEqual({
      server: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'prod', name: 'cache-server' },
      around: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'prod', name: 'cache-around' },
    });
  });
});

describe('children', () => {
  const names = (compose: Parameters<typeof composing>[0]) =>
    composing(compose)
      .desired(aCache)
      .map(({ metadata }) => metadata.name);

  it('come in the order in which they were constructed', () => {
    expect(
      names((scope) => {
        for (const id of ['c', 'a', 'b']) new ConfigMap(scope, id);
      }),
    ).toEqual(['cache-c', 'cache-a', 'cache-b']);
  });

  it('come after what they depend on, and otherwise stay where they were', () => {
    expect(
      names((scope) => {
        const [first, , third] = ['1', '2', '3', '4'].map((id) => new ConfigMap(scope, id));
        first!.node.addDependency(third!);
      }),
    ).toEqual(['cache-3', 'cache-1', 'cache-2', 'cache-4']);
  });

  it('come after everything in a construct that they, or what they are in, depend on', () => {
    expect(
      names((scope) => {
        const web = new Construct(scope, 'web');
        new ConfigMap(web, 'page');
        const store = new Construct(scope, 'store');
        new ConfigMap(store, 'disk');
        new ConfigMap(store, 'log');
        web.node.addDependency(store);
      }),
    ).toEqual(['cache-store-disk', 'cache-store-log', 'cache-web-page']);
  });

  it('cannot depend on each other in a circle', () => {
    const circle = mistake((scope) => {
      const [a, b] = [new ConfigMap(scope, 'a'), new Secret(scope, 'b')];
      a.node.addDependency(b);
      b.node.addDependency(a);
    });
    expect(circle).toEqual({
      message:
        'children cannot be put in order: ConfigMap/cache-a depends on Secret/cache-b depends on ConfigMap/cache-a',
      hint: 'remove one of the calls of addDependency',
      isTerminal: true,
    });
  });

  it('are named by the ids that lead to them, of which default says nothing', () => {
    expect(
      names((scope) => {
        new ConfigMap(scope, 'default');
        const web = new Construct(scope, 'Web');
        new ConfigMap(web, 'default');
        new ConfigMap(web, 'page');
        new ConfigMap(scope, 'mine', { metadata: { name: 'explicit' } });
      }),
    ).toEqual(['cache', 'cache-web', 'cache-web-page', 'explicit']);
  });

  it('take what cdk8s adds: annotations, finalizers, patches and late values', () => {
    const [child] = composing((scope) => {
      const settings = new ConfigMap(scope, 'c', {
        metadata: { annotations: { a: 'first', b: 'kept' }, finalizers: ['x.io/a'] },
        data: { late: Lazy.any({ produce: () => 'now' }) as string },
      });
      settings.metadata.addAnnotation('a', 'last');
      settings.metadata.addFinalizers('x.io/b');
      settings.addJsonPatch(JsonPatch.add('/data/patched', 'yes'));
    }).desired(aCache);
    expect(child).toMatchObject({
      metadata: { annotations: { a: 'last', b: 'kept' }, finalizers: ['x.io/a', 'x.io/b'] },
      data: { late: 'now', patched: 'yes' },
    });
  });

  it.each([
    ['our class', (scope: Construct, data: Record<string, string>) => new ConfigMap(scope, 'c', { data })],
    [
      'an ApiObject',
      (scope: Construct, data: Record<string, string>) =>
        new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'ConfigMap', data }),
    ],
  ])('have any key as data, by %s', (_, create) => {
    const data = JSON.parse('{"constructor": "a", "__proto__": "b", "toString": "c"}') as Record<string, string>;
    const [child] = composing((scope) => void create(scope, data)).desired(aCache);
    expect(JSON.stringify(child?.['data'])).toBe('{"constructor":"a","__proto__":"b","toString":"c"}');
  });

  it('have labels and annotations of any name', () => {
    const labels = { constructor: 'a', b: 'c' } as unknown as Record<string, string>;
    const [child] = composing((scope) => void new ConfigMap(scope, 'c', { metadata: { labels } })).desired(aCache);
    expect(JSON.parse(JSON.stringify(child?.metadata.labels))).toMatchObject({ constructor: 'a', b: 'c' });
  });

  it('have quantities as the server stores them', () => {
    const [child] = composing((scope) => {
      const resources = { requests: { cpu: '1000m', memory: '2048Mi' }, limits: { cpu: 2 } };
      const containers = [{ name: 'a', resources }, { name: 'b' }];
      new Deployment(scope, 's', { spec: { selector: {}, template: { spec: { containers } } } });
    }).desired(aCache);
    expect(child?.['spec']).toEqual({
      selector: {},
      template: {
        spec: {
          containers: [
            { name: 'a', resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { cpu: '2' } } },
            { name: 'b' },
          ],
        },
      },
    });
  });

  it('have no empty metadata, no undefined and no null in maps, which the server would count as a change or a claim', () => {
    const [child] = composing((scope) => {
      new ConfigMap(scope, 'c', {
        metadata: { annotations: {}, finalizers: [] },
        data: { a: undefined, b: null, kept: '' } as unknown as Record<string, string>,
      });
    }).desired(aCache);
    expect(Object.keys(child!.metadata)).toEqual(['name', 'namespace', 'labels']);
    expect(child?.['data']).toEqual({ kept: '' });
  });

  it('have no empty metadata by a patch either', () => {
    const [child] = composing((scope) => {
      new ConfigMap(scope, 'c').addJsonPatch(JsonPatch.add('/metadata/annotations', {}));
    }).desired(aCache);
    expect(child?.metadata).not.toHaveProperty('annotations');
  });

  it.each<[string, unknown]>([
    ['a number', 4711],
    ['a list', [4711]],
  ])('refuse %s where the text of a Secret is to be, without showing it', (_, pin) => {
    const stringData = { pin } as Record<string, string>;
    expect(mistake((scope) => void new Secret(scope, 's', { stringData }))).toEqual({
      message: 'Secret/prod/cache-s: stringData["pin"] is no text',
      hint: 'make it one: String(value), or JSON.stringify(value)',
      isTerminal: true,
    });
  });

  it('have the text of Secrets as data, as the server stores it', () => {
    const [child] = composing((scope) => {
      new Secret(scope, 's', { data: { a: 'b2xk', c: 'a2VwdA==' }, stringData: { a: 'nëw' } });
    }).desired(aCache);
    expect(child).not.toHaveProperty('stringData');
    expect(child?.['data']).toEqual({ a: Buffer.from('nëw').toString('base64'), c: 'a2VwdA==' });
  });
});

describe('a mistake in compose names the child, and what to do:', () => {
  it('a kind that is not owned', () => {
    expect(mistake((scope) => new Service(scope, 'service'), [Deployment])).toEqual({
      message: 'Cache composes Service/cache-service, but does not own Service (v1)',
      hint: 'add it to owns',
      isTerminal: true,
    });
  });

  it('a kind that is owned in another version', () => {
    const beta = { apiVersion: 'apps/v1beta2', kind: 'Deployment', plural: 'deployments', namespaced: true };
    expect(mistake((scope) => new Deployment(scope, 'server'), [beta])).toMatchObject({
      message: 'Cache composes Deployment/cache-server, but does not own Deployment (apps/v1)',
      hint: 'owns has it as v1beta2: use one version for both',
    });
  });

  it('one name for two children', () => {
    const twice = mistake((scope) => {
      new ConfigMap(new Construct(scope, 'a-b'), 'c');
      new ConfigMap(new Construct(scope, 'a'), 'b-c');
    });
    expect(twice).toEqual({
      message: 'Cache composes ConfigMap/cache-a-b-c twice: by a-b/c and by a/b-c',
      hint: 'give one of the constructs another id, or another metadata.name',
      isTerminal: true,
    });
  });

  it('one id for two constructs', () => {
    const twice = (scope: Construct) => {
      new ConfigMap(scope, 'a');
      new ConfigMap(scope, 'a');
    };
    const expected = { message: 'Cache composes two constructs with the id "a" in one scope', isTerminal: true };
    expect(mistake(twice)).toMatchObject(expected);
    expect(mistake((scope) => twice(new Construct(scope, 'b')))).toMatchObject(expected);
    expect(mistake(twice)).toMatchObject({
      hint: 'give each an id of its own, such as the name of what it is made for',
    });
  });

  it('a chart, which would name and place its children by itself', () => {
    const compose = (scope: Construct) => void new ConfigMap(new Chart(new Construct(scope, 'web'), 'pages'), 'a');
    expect(mistake(compose)).toEqual({
      message: 'Cache composes a chart, web/pages',
      hint: 'make it a Construct: a chart gives what is in it names, labels and a namespace of its own',
      isTerminal: true,
    });
  });

  it('the namespace of somebody else', () => {
    expect(mistake((scope) => new ConfigMap(scope, 'c', { metadata: { namespace: 'theirs' } }))).toMatchObject({
      message: 'Cache composes ConfigMap/cache-c in namespace "theirs", but may only in its own, "prod"',
      hint: 'leave metadata.namespace out, or define the operator with reach: consent',
    });
  });

  it('a child that belongs to the whole cluster', () => {
    expect(mistake((scope) => new ClusterRole(scope, 'role'), [ClusterRole])).toMatchObject({
      message: 'Cache composes ClusterRole/cache-role, but ClusterRole is cluster-scoped and out of its reach',
    });
  });

  it.each([
    ['status', { status: { replicas: 1 } }],
    ['metadata.uid', { metadata: { uid: 'a' } }],
    ['metadata.ownerReferences', { metadata: { ownerReferences: [{ uid: 'a' }] } }],
    ['metadata.resourceVersion', { metadata: { resourceVersion: '1' } }],
    ['metadata.generateName', { metadata: { generateName: 'a-' } }],
    ['metadata.managedFields', { metadata: { managedFields: [{ manager: 'me' }] } }],
  ])("%s, which is not an author's to write", (field, props) => {
    const { message } = mistake((scope) => new Deployment(scope, 'server', props as object));
    expect(message).toBe(`Cache composes Deployment/cache-server with ${field}, which is not an author's to write`);
  });

  it('a child that is made after compose has returned, which nobody would see', async () => {
    const late: Promise<unknown>[] = [];
    composing((scope) => {
      const home = new Construct(scope, 'home');
      new ConfigMap(scope, 'in-time');
      late.push(...[scope, home].map(async (where) => new ConfigMap(await where, 'late')));
    }).desired(aCache);
    for (const each of late) {
      await expect(each).rejects.toMatchObject({
        message: 'Cache/prod/cache is composed already, and takes no more children',
        hint: 'make children in the scope that compose is handed, before it returns',
      });
    }
  });

  it('a scope that was kept from another composition', () => {
    let kept: Construct | undefined;
    const made = composing((scope) => {
      kept ??= scope;
      new ConfigMap(kept, kept === scope ? 'a' : 'b');
    });
    made.desired(aCache);
    const another = { ...aCache, metadata: { name: 'another', namespace: 'prod' } };
    expect(() => made.desired(another)).toThrow('Cache/prod/cache is composed already, and takes no more children');
  });

  it('a child that depends on what is composed elsewhere, which would be made a child, too', () => {
    let kept: ConfigMap | undefined;
    const made = composing((scope) => {
      kept ??= new ConfigMap(scope, 'shared');
      new ConfigMap(new Construct(scope, 'home'), 'own').node.addDependency(kept);
    });
    made.desired(aCache);
    const another = { ...aCache, metadata: { name: 'another', namespace: 'prod' } };
    expect(() => made.desired(another)).toThrow(
      'ConfigMap/another-home-own depends on prod:cache/shared, which is composed elsewhere',
    );
  });

  it('something returned that is no child', () => {
    const strange = (returned: object) => {
      const made = operator(Cache, { owns: [], compose: () => returned as Record<string, Construct> });
      return () => made.desired(aCache);
    };
    expect(strange({ server: { replicas: 3 } })).toThrow('Cache compose returned "server", which is no child');
    expect(strange({ server: new Construct(undefined as never, '') })).toThrow('which is no child');
    expect(strange(new Construct(undefined as never, ''))).toThrow('returned a construct without a name');
    expect(strange(Promise.resolve({}))).toThrow('Cache compose is asynchronous');
    // biome-ignore lint/suspicious/noThenProperty: the promise of a library of its own.
    expect(strange({ then: () => {} })).toThrow('Cache compose is asynchronous');
    const generator = (function* () {})();
    expect(strange(generator)).toThrow('Cache compose is a generator, which nobody runs');
  });

  it('what a construct itself finds wrong', () => {
    const { message } = mistake((scope) => {
      new ConfigMap(scope, 'c').node.addValidation({ validate: () => ['needs data'] });
    });
    expect(message).toBe('Cache composes what is not valid: c: needs data');
  });

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  let deep: unknown = 'bottom';
  for (let level = 0; level < 10_000; level++) deep = { deep };

  it.each<[string, unknown, string]>([
    ['a Date', new Date(0), 'data.x is an instance of Date'],
    ['an instance of a class', new (class Wish {})(), 'data.x is an instance of Wish'],
    ['a Map', new Map(), 'data.x is an instance of Map'],
    ['a function', () => 1, 'data.x is a function'],
    ['a symbol', Symbol('a'), 'data.x is a symbol'],
    ['a bigint', 1n, 'data.x is a bigint'],
    ['not a number', Number.NaN, 'data.x is NaN'],
    ['infinity', [1, { y: Number.POSITIVE_INFINITY }], 'data.x[1].y is Infinity'],
    [
      'an integer over 2^53',
      2 ** 53,
      'data.x is 9007199254740992, an integer beyond 2^53, where not every integer exists',
    ],
    ['a hole in a list', [1, undefined], 'data.x[1] is undefined'],
    ['a key with a dot', { 'a.b': new Date(0) }, 'data.x[a.b] is an instance of Date'],
    ['what contains itself', circle, 'is nested over 200 levels deep'],
    ['what is nested without end', deep, 'is nested over 200 levels deep'],
  ])('%s, which JSON cannot carry', (_, x, words) => {
    for (const create of [
      (scope: Construct) => new ConfigMap(scope, 'c', { data: { x } as Record<string, string> }),
      (scope: Construct) => new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'ConfigMap', data: { x } }),
    ]) {
      const { message, hint, isTerminal } = mistake(create);
      expect(message).toMatch(/^ConfigMap\/cache-c \(construct .*c\) cannot be rendered: /);
      expect(message).toContain(words);
      expect([typeof hint, isTerminal]).toEqual(['string', true]);
      expect(message.length).toBeLessThan(400);
    }
  });
});

describe('a cluster-scoped custom resource', () => {
  const Fleet = customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Fleet',
    namespaced: false,
    spec: s.object({}),
  });
  const composed = (compose: (scope: Construct) => void) =>
    operator(Fleet, { owns: [Namespace, ConfigMap], compose }).desired({ metadata: { name: 'all' }, spec: {} });

  it('has children of the whole cluster, and in namespaces that they name', () => {
    const children = composed((scope) => {
      new Namespace(scope, 'home');
      new ConfigMap(scope, 'settings', { metadata: { namespace: 'all-home' } });
    });
    expect(children.map(({ metadata: { namespace, name } }) => [namespace, name])).toEqual([
      [undefined, 'all-home'],
      ['all-home', 'all-settings'],
    ]);
  });

  it('has no namespace to pass on', () => {
    expect(() => composed((scope) => new ConfigMap(scope, 'settings'))).toThrow(
      'Fleet composes ConfigMap/all-settings, but does not say in which namespace',
    );
  });
});
