import { beforeAll, expect, it } from '@jest/globals';
import {
  ConfigMap,
  Deployment,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const kindOf = <Spec extends Parameters<typeof customResource>[0]['spec']>(kind: string, spec: Spec) =>
  customResource({ group: 'judged.example.com', version: 'v1', kind, spec });
const Shop = kindOf(
  'Shop',
  s.object({ note: s.string(), more: s.boolean({ default: false }), replicas: s.int32({ optional: true }) }),
);
/** A kind with a finalizer. */
const Stall = kindOf('Stall', s.object({}));
/** What policies go by. */
const Law = kindOf('Law', s.object({ allows: s.string({ default: '' }), team: s.string({ default: '' }) }));

const shop = operator(Shop, {
  owns: [ConfigMap, Deployment],
  compose(scope, { spec: { note, more, replicas } }) {
    new ConfigMap(scope, 'map', { data: { note, ...(more ? { more: 'yes' } : {}) } });
    if (replicas === undefined) return;
    const labels = { app: 'shop' };
    const spec = { containers: [{ name: 'main', image: 'nginx:1', env: [{ name: 'NOTE', value: note }] }] };
    const template = { metadata: { labels }, spec };
    new Deployment(scope, 'web', { spec: { replicas, selector: { matchLabels: labels }, template } });
  },
});
const stall = operator(Stall, {
  owns: [],
  external: {
    place: {
      pollSeconds: 3600,
      observe: async () => undefined,
      ensure: async () => undefined,
      remove: async () => undefined,
    },
  },
  compose() {},
});

onRealCluster('policies of others', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Shop.crd(), Stall.crd(), Law.crd()]);
  beforeAll(() => stage.start([shop, stall]), 60_000);

  const paramKind = { apiVersion: Law.apiVersion, kind: Law.kind };
  const matching = (namespace: string, group: string, resource: string) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    resourceRules: [
      { apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: [resource] },
    ],
  });
  /** A policy in a namespace of its name, which denies unless `expression` holds. */
  const deny = async (name: string, about: readonly [group: string, resource: string], expression: string) => {
    const isByLaw = expression.includes('params');
    await stage.create(ValidatingAdmissionPolicy, {
      metadata: { name },
      spec: {
        ...(isByLaw ? { paramKind } : {}),
        matchConstraints: matching(name, ...about),
        validations: [{ expression, message: 'not here' }],
      },
    });
    const paramRef = { name: 'law', parameterNotFoundAction: 'Deny' };
    const spec = { policyName: name, validationActions: ['Deny'], ...(isByLaw ? { paramRef } : {}) };
    await stage.create(ValidatingAdmissionPolicyBinding, { metadata: { name }, spec });
  };
  const allow = (name: string) => stage.admin.delete(ValidatingAdmissionPolicyBinding, { name });
  const noteIn = async (namespace: string) => (await stage.get(ConfigMap, { namespace, name: 'a-map' })).data?.['note'];
  const retries = async (kind: typeof Shop | typeof Stall, namespace: string, reason: string, words: RegExp) => {
    const cr = { namespace, name: 'a' };
    const message = expect.stringMatching(words) as unknown;
    await eventually(async () => {
      expect(await stage.condition(kind, cr)).toMatchObject({ status: 'False', reason, message });
      expect(await stage.condition(kind, cr, 'Reconciling')).toMatchObject({ reason: 'ProgressingWithRetry', message });
    }, 30);
    // Nobody has to change the custom resource.
    expect(await stage.condition(kind, cr, 'Stalled')).toBeUndefined();
  };

  it('D-32: deny a child by their parameters, which come and change: it is said, and tried again by itself', async () => {
    const [namespace, cr] = ['by-law', { namespace: 'by-law', name: 'a' }];
    const wish = (note: string) => stage.wish(Shop, cr, { note });
    await stage.namespace(namespace);
    await wish('one');
    await eventually(async () => expect(await noteIn(namespace)).toBe('one'));
    await deny(namespace, ['', 'configmaps'], 'object.data.note == params.spec.allows');
    // Until it holds nothing tells that it does.
    await eventually(async () => {
      const probe = { metadata: { namespace, name: `probe-${Math.random()}` }, data: { note: '' } };
      await expect(stage.create(ConfigMap, probe)).rejects.toThrow('no params found');
    }, 30);
    await wish('two');
    await retries(
      Shop,
      namespace,
      'ApplyFailed',
      /^ConfigMap\/by-law\/a-map .*'by-law' .* denied request: .*no params/,
    );
    await stage.create(Law, { metadata: { namespace, name: 'law' }, spec: { allows: 'two' } });
    await eventually(async () => expect(await noteIn(namespace)).toBe('two'), 60);
    await wish('three');
    await retries(Shop, namespace, 'ApplyFailed', /^ConfigMap\/by-law\/a-map .* denied request: not here$/);
    await stage.change(Law, { namespace, name: 'law' }, { spec: { allows: 'three' } });
    await eventually(async () => expect(await noteIn(namespace)).toBe('three'), 60);
    await eventually(async () => expect(await stage.condition(Shop, cr)).toMatchObject({ status: 'True' }));
  });

  it('deny a child as it is: it becomes what is desired, and no more than that', async () => {
    const [namespace, cr] = ['outlawed', { namespace: 'outlawed', name: 'a' }];
    await stage.namespace(namespace);
    await stage.wish(Shop, cr, { note: 'old', more: true });
    await stage.settled(Shop, cr);
    await deny(namespace, ['', 'configmaps'], "!has(object.data.note) || object.data.note != 'old'");
    await eventually(async () => {
      const probe = { metadata: { namespace, name: `probe-${Math.random()}` }, data: { note: 'old' } };
      await expect(stage.create(ConfigMap, probe)).rejects.toThrow('not here');
    }, 30);
    await stage.wish(Shop, cr, { note: 'new' });
    await eventually(async () =>
      expect((await stage.get(ConfigMap, { namespace, name: 'a-map' })).data).toEqual({ note: 'new' }),
    );
    await eventually(async () =>
      expect(await stage.condition(Shop, cr)).toMatchObject({ status: 'True', observedGeneration: 2 }),
    );
  });

  it('D-32: deny the status alone: what is desired is done, and the status is there when they are gone', async () => {
    const [namespace, cr] = ['mute', { namespace: 'mute', name: 'a' }];
    await stage.namespace(namespace);
    await stage.wish(Shop, cr, { note: 'one' });
    await stage.settled(Shop, cr);
    await deny(namespace, ['judged.example.com', 'shops/status'], 'false');
    await eventually(async () => {
      const status = { conditions: [] };
      const probe = stage.admin.patch(
        Shop,
        cr,
        { type: 'merge', body: { status } },
        { fieldManager: 'x', subresource: 'status' },
      );
      await expect(probe).rejects.toThrow('not here');
    }, 30);
    await stage.wish(Shop, cr, { note: 'two' });
    await eventually(async () => expect(await noteIn(namespace)).toBe('two'));
    await eventually(() =>
      expect(stage.lines.filter(({ msg }) => msg === 'Failed to write the status')).toMatchObject([
        { error: expect.stringMatching(/^Shop\/mute\/a status apply failed: .* denied request: not here$/) as unknown },
      ]),
    );
    await allow(namespace);
    await eventually(async () => expect((await stage.status(Shop, cr)).observedGeneration).toBe(2), 60);
  });

  it('D-32: deny the finalizer: it is said, nothing is begun outside without it, and it goes when they do', async () => {
    const [namespace, cr] = ['held', { namespace: 'held', name: 'a' }];
    await stage.namespace(namespace);
    await stage.wish(Stall, { namespace, name: 'probe' }, {});
    await deny(namespace, ['judged.example.com', 'stalls'], "request.operation == 'CREATE'");
    await eventually(
      () =>
        expect(
          stage.change(
            Stall,
            { namespace, name: 'probe' },
            { metadata: { labels: { a: `${Math.random()}`.slice(2) } } },
          ),
        ).rejects.toThrow('not here'),
      30,
    );
    await stage.wish(Stall, cr, {});
    await retries(Stall, namespace, 'ApplyFailed', /^Stall\/held\/a patch failed: .* denied request: not here$/);
    await allow(namespace);
    await eventually(async () => expect(await stage.condition(Stall, cr)).toMatchObject({ status: 'True' }), 60);
    await stage.admin.delete(Stall, cr);
    await eventually(() => expect(stage.admin.get(Stall, cr)).rejects.toThrow('not found'));
  });

  it('D-20: change what is applied by their parameters: they have their way, nobody fights, and it is ours once they are gone', async () => {
    const [namespace, cr] = ['dyed', { namespace: 'dyed', name: 'a' }];
    const web = { namespace, name: 'a-web' };
    await stage.namespace(namespace);
    await stage.create(Law, { metadata: { namespace, name: 'law' }, spec: { team: 'blue' } });
    const team = '{"team": params.spec.team}';
    const pod = `Object.spec.template{metadata: Object.spec.template.metadata{labels: ${team}}, spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "sidecar", image: "envoy"}]}}`;
    const expression = `Object{metadata: Object.metadata{labels: ${team}}, spec: Object.spec{replicas: 4, template: ${pod}}}`;
    await stage.create(MutatingAdmissionPolicy, {
      metadata: { name: namespace },
      spec: {
        paramKind,
        failurePolicy: 'Fail',
        reinvocationPolicy: 'IfNeeded',
        matchConstraints: matching(namespace, 'apps', 'deployments'),
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      },
    });
    const paramRef = { name: 'law', parameterNotFoundAction: 'Deny' };
    const spec = { policyName: namespace, paramRef };
    await stage.create(MutatingAdmissionPolicyBinding, { metadata: { name: namespace }, spec });
    const shown = async () => {
      const { metadata, spec } = await stage.get(Deployment, web);
      const { containers = [] } = spec?.template.spec ?? {};
      const names = containers.map(({ name }) => name).sort();
      return { team: metadata.labels?.['team'], replicas: spec?.replicas, names };
    };
    const touch = () => stage.change(Deployment, web, { metadata: { annotations: { note: `${Math.random()}` } } });
    const dyed = { team: 'blue', replicas: 4, names: ['main', 'sidecar'] };
    // Until it holds nothing tells that it does.
    await eventually(async () => {
      await stage.wish(Shop, cr, { note: `${Math.random()}`, replicas: 2 });
      await stage.settled(Shop, cr);
      expect(await shown()).toEqual(dyed);
    }, 60);
    await stage.quiet();
    const writes = await stage.writesDuring(async () => {
      await stage.change(Law, { namespace, name: 'law' }, { spec: { team: 'red' } });
      await eventually(async () => {
        await touch();
        expect(await shown()).toEqual({ ...dyed, team: 'red' });
      });
      await stage.quiet();
      await stage.change(Deployment, web, { spec: { replicas: 9 } });
      await stage.quiet();
    });
    expect(await shown()).toEqual({ ...dyed, team: 'red' });
    expect(writes.length).toBeLessThanOrEqual(2);
    expect(await stage.condition(Shop, cr, 'Fighting')).toBeUndefined();
    await stage.admin.delete(Law, { namespace, name: 'law' });
    await eventually(async () => {
      await expect(touch()).rejects.toThrow('no params found');
    }, 30);
    await stage.wish(Shop, cr, { note: 'last', replicas: 3 });
    await retries(Shop, namespace, 'ApplyFailed', /^Deployment\/dyed\/a-web apply failed: policy 'dyed' .*no params/);
    await stage.admin.delete(MutatingAdmissionPolicyBinding, { name: namespace });
    await eventually(async () => expect((await shown()).replicas).toBe(3), 60);
  });
});
