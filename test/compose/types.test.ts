import { describe, expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ConfigMap, Deployment, Pod, Service } from '../../imports/k8s.js';
import { customResource, many, one, operator, s } from '../../src/index.js';
import { Cache } from './a-cache.js';

/** Compiles only where `A` and `B` are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

/** Checked by the compiler and never called: most of these mistakes would throw. */
const never = (_: () => unknown) => undefined;

describe('what the compiler knows of an operator', () => {
  it('is what compose gets, what status gets, and what both may give', () => {
    const made = operator(Cache, {
      owns: [Deployment],
      reads: {
        pods: many(Pod, (cr) => ({ labels: { size: String(cr.spec.size), of: cr.metadata.name } })),
        settings: one(ConfigMap, (cr) => ({ name: cr.spec.image })),
        other: one(Cache, () => ({ name: 'other' })),
      },
      compose(scope, cr, { pods, settings, other }) {
        same<typeof cr.spec.size, number>(true);
        same<typeof cr.spec.image, string>(true);
        same<NonNullable<typeof cr.status>['ready'], number | undefined>(true);
        same<(typeof pods)[number]['metadata']['name'], string>(true);
        same<NonNullable<NonNullable<typeof settings>['data']>[string], string>(true);
        same<NonNullable<typeof other>['spec']['image'], string>(true);
        // @ts-expect-error one object may not be there
        never(() => settings.data);
        const server = new Deployment(scope, 'server');
        return { server, some: pods.length > 0 ? server : undefined, any: new Construct(scope, 'any') };
      },
      status({ server, some, any }, { pods }, cr) {
        same<NonNullable<NonNullable<typeof server>['status']>['readyReplicas'], number | undefined>(true);
        same<NonNullable<NonNullable<typeof some>['status']>['readyReplicas'], number | undefined>(true);
        same<NonNullable<typeof any>['metadata']['uid'], string>(true);
        same<(typeof pods)[number]['metadata']['uid'], string>(true);
        same<typeof cr.spec.size, number>(true);
        // @ts-expect-error a child may not exist yet
        never(() => server.status);
        // @ts-expect-error not returned by compose
        never(() => server.replicas);
        return { ready: server?.status?.readyReplicas ?? 0, note: server?.metadata.uid };
      },
    });
    never(() => made.desired({ metadata: { name: 'a' }, spec: { size: 1 } }, { pods: [] }));
    // @ts-expect-error size is required
    never(() => made.desired({ metadata: { name: 'a' }, spec: {} }));
    // @ts-expect-error a name is required
    never(() => made.desired({ metadata: {}, spec: { size: 1 } }));
    // @ts-expect-error no such read
    never(() => made.desired({ metadata: { name: 'a' }, spec: { size: 1 } }, { nodes: [] }));
    expect(made.reads).toHaveProperty('pods.type', 'many');
  });

  it('is every child by its kind, also where compose returns early with fewer', () => {
    const made = operator(Cache, {
      owns: [ConfigMap, Deployment, Service],
      compose(scope, { spec }) {
        const settings = new ConfigMap(scope, 'settings', {});
        if (spec.size === 0) return { settings };
        const server = new Deployment(scope, 'server');
        if (spec.size === 1) return { settings, server, service: undefined };
        return { settings, server, service: new Service(scope, 'service') };
      },
      status({ settings, server, service, ...others }) {
        same<NonNullable<typeof settings>['data'], Readonly<Record<string, string>> | undefined>(true);
        same<NonNullable<NonNullable<typeof server>['status']>['readyReplicas'], number | undefined>(true);
        same<NonNullable<NonNullable<typeof service>['spec']>['clusterIP'], string | undefined>(true);
        // @ts-expect-error returned by none
        never(() => others.replicas);
        return { ready: server?.status?.readyReplicas ?? 0, note: service?.spec?.clusterIP };
      },
    });
    expect(made.status({}, {}, { metadata: { name: 'a' }, spec: { size: 0 } } as never)).toEqual({ ready: 0 });
  });

  it('is a child by its kind beside others that are made in a loop', () => {
    const made = operator(Cache, {
      owns: [ConfigMap, Deployment],
      compose(scope, { spec }): { readonly server: Deployment; readonly [page: string]: Deployment | ConfigMap } {
        const pages = Array.from({ length: spec.size }, (_, n) => [`page-${n}`, new ConfigMap(scope, `page-${n}`)]);
        return { ...Object.fromEntries(pages), server: new Deployment(scope, 'server') };
      },
      status({ server, ...pages }) {
        same<NonNullable<NonNullable<typeof server>['status']>['readyReplicas'], number | undefined>(true);
        same<NonNullable<(typeof pages)[string]>['metadata']['name'], string>(true);
        return { ready: server?.status?.readyReplicas ?? 0, note: Object.keys(pages).join() };
      },
    });
    expect(made.status({ a: undefined }, {}, { metadata: { name: 'a' } } as never)).toEqual({ ready: 0, note: 'a' });
  });

  it('is that a spec with a default may be left out, and is there', () => {
    const group = { group: 'a.io', version: 'v1', kind: 'Lamp' };
    const spec = s.object({ mode: s.string({ default: 'on' }), note: s.string({ optional: true }) }, { default: {} });
    const Lamp = customResource({ ...group, spec });
    const modes: string[] = [];
    const lamps = operator(Lamp, {
      owns: [],
      compose(_, cr) {
        same<typeof cr.spec, { readonly mode: string; readonly note?: string }>(true);
        modes.push(cr.spec.mode);
      },
    });
    lamps.desired({ metadata: { name: 'a' } });
    lamps.desired({ metadata: { name: 'a' }, spec: { mode: 'off' } });
    new Lamp(new Chart(new App(), 'chart'), 'a', {});
    Lamp.withDefaults({ metadata: { name: 'a' } });
    // @ts-expect-error no such field
    never(() => lamps.desired({ metadata: { name: 'a' }, spec: { mood: 'off' } }));
    // @ts-expect-error mode is a text
    never(() => new Lamp(new Chart(new App(), 'chart'), 'b', { spec: { mode: 1 } }));
    expect(modes).toEqual(['on', 'off']);
  });

  it('refuses what the custom resource does not have', () => {
    operator(Cache, {
      owns: [],
      compose(_, cr) {
        // @ts-expect-error no such field in spec
        never(() => cr.spec.sise);
        // @ts-expect-error the custom resource is not compose's to change
        never(() => (cr.spec.size = 4));
      },
    });
    expect.assertions(0);
  });

  it('refuses a status that its schema does not have', () => {
    const compose = () => undefined;
    // @ts-expect-error ready is missing
    never(() => operator(Cache, { owns: [], compose, status: () => ({}) }));
    // @ts-expect-error ready is a number
    never(() => operator(Cache, { owns: [], compose, status: () => ({ ready: 'yes' }) }));
    // @ts-expect-error no such field
    never(() => operator(Cache, { owns: [], compose, status: () => ({ ready: 1, reddy: 1 }) }));
    const Plain = customResource({ group: 'a.io', version: 'v1', kind: 'Plain', spec: s.object({}) });
    // @ts-expect-error Plain has no status of its own
    never(() => operator(Plain, { owns: [], compose, status: () => ({ ready: 1 }) }));
    expect.assertions(0);
  });

  it('lets a test give as much of what is read as compose looks at', () => {
    const made = operator(Cache, {
      owns: [ConfigMap],
      reads: { pods: many(Pod, () => ({ labels: {} })), of: one(Cache, () => ({ name: 'other' })) },
      compose(scope, _, { pods, of }) {
        const names = pods.map(({ kind, metadata, status }) => `${kind} ${metadata.name} ${status?.phase}`);
        new ConfigMap(scope, 'names', { data: { names: names.join(), of: `${of?.apiVersion} ${of?.spec.size}` } });
      },
    });
    const cr = { metadata: { name: 'a' }, spec: { size: 1 } };
    const pods = [{ metadata: { name: 'p' }, status: { phase: 'Running' } }] as const;
    const of = { metadata: { name: 'other', uid: 'u' }, spec: { size: 2, image: 'i' } };
    const data = { names: 'Pod p Running', of: `${Cache.apiVersion} 2` };
    expect(made.desired(cr, { pods, of })).toMatchObject([{ data }]);
    expect(made.desired(cr, { pods, of: undefined })).toMatchObject([{ data: { of: 'undefined undefined' } }]);
    // @ts-expect-error a phase is a text
    never(() => made.desired(cr, { pods: [{ metadata: { name: 'p' }, status: { phase: 1 } }] }));
    // @ts-expect-error a Cache has a spec
    never(() => made.desired(cr, { of: { metadata: { name: 'other' } } }));
    // @ts-expect-error no such field
    never(() => made.desired(cr, { pods: [{ metadata: { name: 'p' }, stauts: {} }] }));
    // @ts-expect-error no such read
    never(() => made.desired(cr, { pds: pods }));
  });

  it('lets what is optional in a status be undefined, however deep', () => {
    const item = s.object({ name: s.string(), phase: s.string({ optional: true }) });
    const Nested = customResource({
      group: 'a.io',
      version: 'v1',
      kind: 'Nested',
      spec: s.object({}),
      status: s.object({
        items: s.array(item),
        note: s.string({ optional: true }),
        by: s.map(item, { optional: true }),
      }),
    });
    const phase = undefined as string | undefined;
    const nested = operator(Nested, {
      owns: [],
      compose() {},
      status: () => ({ items: [{ name: 'a', phase }], note: phase, by: { a: { name: 'a', phase } } }),
    });
    expect(nested.status({}, {}, { metadata: { name: 'n' } } as never)).toEqual({
      items: [{ name: 'a' }],
      by: { a: { name: 'a' } },
    });
    // @ts-expect-error a name is a text, and not optional
    never(() => operator(Nested, { owns: [], compose() {}, status: () => ({ items: [{ name: undefined }] }) }));
    // @ts-expect-error a phase is a text
    never(() => operator(Nested, { owns: [], compose() {}, status: () => ({ items: [{ name: 'a', phase: 1 }] }) }));
  });

  it('refuses what cannot be returned, owned or read', () => {
    const compose = () => undefined;
    // @ts-expect-error a number is no child
    never(() => operator(Cache, { owns: [], compose: () => ({ server: 1 }) }));
    // @ts-expect-error a name is missing
    never(() => operator(Cache, { owns: [], compose: (scope) => new ConfigMap(scope, 'c') }));
    // @ts-expect-error compose does not wait
    never(() => operator(Cache, { owns: [], compose: async () => ({}) }));
    // @ts-expect-error a kind by its name alone
    never(() => operator(Cache, { owns: ['Deployment'], compose }));
    // @ts-expect-error owns is what rights come from
    never(() => operator(Cache, { compose }));
    // @ts-expect-error nobody knows which
    never(() => operator(Cache, { owns: [], reads: { pods: many(Pod, () => ({})) }, compose }));
    // @ts-expect-error no such field in spec
    never(() => operator(Cache, { owns: [], reads: { pods: one(Pod, (cr) => ({ name: cr.spec.pod })) }, compose }));
    expect.assertions(0);
  });
});

describe('what the compiler knows of a construct class', () => {
  const scope = new Chart(new App(), 'chart');

  it('is what may be written', () => {
    new Cache(scope, 'good', { spec: { size: 1 } });
    // @ts-expect-error size is required
    never(() => new Cache(scope, 'a', { spec: {} }));
    // @ts-expect-error spec is required
    never(() => new Cache(scope, 'b', {}));
    // @ts-expect-error no such field
    never(() => new Cache(scope, 'c', { spec: { size: 1, sise: 2 } }));
    // @ts-expect-error status is not an author's to write
    never(() => new Cache(scope, 'd', { spec: { size: 1 }, status: { ready: 1 } }));
    // @ts-expect-error no such metadata
    never(() => new Cache(scope, 'e', { metadata: { lables: {} }, spec: { size: 1 } }));
    // @ts-expect-error replicas is a number
    never(() => new Deployment(scope, 'f', { spec: { replicas: 'three' } }));
    // @ts-expect-error owner references are written by the controller
    never(() => new Deployment(scope, 'g', { metadata: { ownerReferences: [] } }));
    // @ts-expect-error no such field
    never(() => new Service(scope, 'h', { spec: { clusterIp: 'None' } }));
    expect(new Cache(scope, 'named', { metadata: { name: 'a' }, spec: { size: 1 } }).name).toBe('a');
  });

  it('is which class an object is of', () => {
    const service: unknown = new Service(scope, 'service');
    expect([service instanceof Service, service instanceof Deployment]).toEqual([true, false]);
  });
});
