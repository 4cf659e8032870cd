/** Longer than most files: all that may be refused, by whom and how, on the clusters that two stages share. */
import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, EventsEvent, ResourceQuota, Service } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster } from '../../../src/testing/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster, onRealCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const faults = ['none', 'unknown field', 'twice the same key', 'over 1.5 MB', 'over 3 MB'] as const;
const Crate = customResource({
  group: 'crates.example.com',
  version: 'v1',
  kind: 'Crate',
  spec: s.object({
    fault: s.enum(faults, { default: 'none' }),
    history: s.int32({ optional: true }),
    service: s.boolean({ default: false }),
  }),
});
/** A kind whose objects may be of any size. */
const Load = customResource({
  group: 'crates.example.com',
  version: 'v1',
  kind: 'Load',
  spec: s.object({ text: s.string() }),
});
const sizes: Readonly<Record<string, number>> = { 'over 1.5 MB': 1_700_000, 'over 3 MB': 3_300_000 };

const crate = operator(Crate, {
  owns: [Deployment, ConfigMap, Service, Load],
  drift: { rules: [{ kind: Deployment, field: 'spec.revisionHistoryLimit', mode: 'report' }] },
  compose(scope, { spec: { fault, history, service } }) {
    const labels = { app: 'crate' };
    const container = { name: 'main', image: 'nginx:1' };
    const surprise = fault === 'unknown field' ? { imagePullPolice: 'Always' } : {};
    const containers = [{ ...container, ...surprise }, ...(fault === 'twice the same key' ? [container] : [])];
    new Deployment(scope, 'server', {
      spec: {
        replicas: 0,
        ...(history === undefined ? {} : { revisionHistoryLimit: history }),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    new Load(scope, 'load', { spec: { text: 'x'.repeat(sizes[fault] ?? 1) } });
    new ConfigMap(scope, 'last', { data: { fault } });
    if (service) new Service(scope, 'service', { spec: { ports: [{ port: 80 }] } });
  },
});
const definitions = [Crate.crd(), Load.crd()];

onEveryCluster('a child that is refused', { audit: true }, (plane) => {
  const stage = new Stage(plane, definitions);
  beforeAll(() => stage.start([crate]), 60_000);

  it('D-09: a field that is only reported is never forced: the condition names who has it, and it stays theirs', async () => {
    await stage.wish(Crate, 'shared', {});
    await stage.settled(Crate, 'shared');
    await stage.quiet();
    const { apiVersion, kind } = Deployment;
    const metadata = { name: 'shared-server', namespace: 'default' };
    const theirs = { apiVersion, kind, metadata, spec: { revisionHistoryLimit: 5 } };
    await stage.admin.apply(Deployment, theirs, { fieldManager: 'tuner', force: true });
    await stage.wish(Crate, 'shared', { history: 3 });
    await eventually(async () =>
      expect(await stage.condition(Crate, 'shared', 'Drifted')).toMatchObject({
        status: 'True',
        message: expect.stringMatching(
          /^1 difference is left alone: Deployment\/shared-server spec\.revisionHistoryLimit 3 → 5 by tuner \(Apply/,
        ) as unknown,
      }),
    );
    await stage.quiet();
    expect((await stage.get(Deployment, 'shared-server')).spec?.revisionHistoryLimit).toBe(5);
    expect(await stage.condition(Crate, 'shared', 'Stalled')).toBeUndefined();
    // What they let go of is nobody's, has its default, and is not ours either.
    await stage.admin.apply(Deployment, { apiVersion, kind, metadata }, { fieldManager: 'tuner', force: true });
    await eventually(async () =>
      expect((await stage.condition(Crate, 'shared', 'Drifted'))?.message).toMatch(/revisionHistoryLimit 3 → 10$/),
    );
  });
});

onRealCluster('on a real API server, a child that is refused', { controllerManager: true, audit: true }, (plane) => {
  const stage = new Stage(plane, definitions);
  beforeAll(() => stage.start([crate]), 60_000);
  const refusedWrites = async (resource: string, during: () => Promise<unknown>) => {
    const writes = await stage.writesDuring(during);
    return writes.filter(
      ({ objectRef, responseStatus }) => objectRef?.resource === resource && (responseStatus?.code ?? 0) >= 400,
    ).length;
  };

  const messages: Readonly<Record<(typeof faults)[number], readonly [subject: string, words: RegExp]>> = {
    none: ['', /./],
    'unknown field': ['deployments', /^Deployment\/default\/\S+ .*(field not declared in schema|unknown field)/s],
    'twice the same key': ['deployments', /^Deployment\/default\/\S+ .*duplicate/is],
    'over 1.5 MB': ['loads', /^Load\/default\/\S+ .*(too large|larger than max)/is],
    'over 3 MB': ['loads', /^Load\/default\/\S+ .*(too large|limit is)/is],
  };
  it.each(
    faults
      .slice(1)
      .flatMap((fault) => [
        [fault, 'made', fault.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()] as const,
        [fault, 'changed', fault.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()] as const,
      ]),
  )(
    'D-33: for %s, when it is to be %s, is refused for good: said once, and not tried in a loop',
    async (fault, when, id) => {
      const name = `${id}-${when}`;
      const [resource, words] = messages[fault];
      if (when === 'changed') {
        await stage.wish(Crate, name, {});
        await stage.settled(Crate, name);
      }
      const refused = await refusedWrites(resource, async () => {
        await stage.wish(Crate, name, { fault });
        await eventually(async () => expect((await stage.condition(Crate, name, 'Stalled'))?.status).toBe('True'), 30);
        // What the child's own controller says of it, however often and however late, is no reason to try again at once.
        const words = resource === 'deployments' && when === 'changed' ? 5 : 0;
        for (let told = 1; told <= words; told++) {
          const target = { namespace: 'default', name: `${name}-server` };
          const body = { status: { readyReplicas: told, replicas: told, updatedReplicas: told } };
          const by = { fieldManager: 'somebody', subresource: 'status' } as const;
          await stage.admin.patch(Deployment, target, { type: 'merge', body }, by);
          await stage.quiet(0.1);
        }
        await stage.quiet();
      });
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThanOrEqual(2);
      expect(await stage.condition(Crate, name)).toMatchObject({
        status: 'False',
        reason: 'ApplyFailed',
        message: expect.stringMatching(words) as unknown,
      });
      // Its siblings do not wait for it.
      await eventually(async () => expect((await stage.get(ConfigMap, `${name}-last`)).data).toEqual({ fault }));
      await stage.wish(Crate, name, {});
      await eventually(async () =>
        expect(await stage.condition(Crate, name)).not.toMatchObject({ reason: 'ApplyFailed' }),
      );
    },
  );

  it.each<[string, (namespace: string) => Promise<() => Promise<unknown>>, RegExp]>([
    [
      'whose quota is used up',
      async (namespace) => {
        const target = { namespace, name: 'none' };
        await stage.create(ResourceQuota, { metadata: target, spec: { hard: { 'count/services': '0' } } });
        await eventually(async () => {
          const probe = { metadata: { namespace, name: 'probe' }, spec: { ports: [{ port: 1 }] } };
          await expect(stage.create(Service, probe)).rejects.toThrow('exceeded quota');
        }, 30);
        return () => stage.admin.delete(ResourceQuota, target);
      },
      /^Service\/full\/box-service .*exceeded quota: none/,
    ],
    [
      'that an admission policy denies',
      async (namespace) => {
        const policy = {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'no-services' },
          spec: {
            failurePolicy: 'Fail',
            matchConstraints: {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
              resourceRules: [
                { apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations: ['CREATE'] },
              ],
            },
            validations: [{ expression: 'false', message: 'no services here', reason: 'Forbidden' }],
          },
        };
        const spec = { policyName: 'no-services', validationActions: ['Deny'] };
        const binding = { ...policy, kind: 'ValidatingAdmissionPolicyBinding', spec };
        for (const each of [policy, binding])
          await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(each) });
        await eventually(async () => {
          const probe = {
            metadata: { namespace, name: `probe-${Math.random()}`.replace('.', '') },
            spec: { ports: [{ port: 1 }] },
          };
          await expect(stage.create(Service, probe)).rejects.toThrow('no services here');
        }, 30);
        return () => plane().kubectl(['delete', 'validatingadmissionpolicybinding', 'no-services']);
      },
      /^Service\/denied\/box-service .*no services here/,
    ],
  ])(
    'D-32: in a namespace %s it is said in a condition and one event, and made as soon as that passes',
    async (title, deny, message) => {
      const namespace = title.includes('quota') ? 'full' : 'denied';
      const box = { namespace, name: 'box' };
      await stage.namespace(namespace);
      const allow = await deny(namespace);
      await stage.wish(Crate, box, { service: true });
      await eventually(async () => {
        expect(await stage.condition(Crate, box)).toMatchObject({
          status: 'False',
          reason: 'ApplyFailed',
          message: expect.stringMatching(message) as unknown,
        });
        expect(await stage.condition(Crate, box, 'Reconciling')).toMatchObject({ reason: 'ProgressingWithRetry' });
      }, 30);
      // Events have the time that nothing else needs.
      const told = async () => {
        const { items } = await stage.admin.list(EventsEvent, { namespace });
        return items.filter((event) => event['reason'] === 'ApplyFailed').map((event) => event['note']);
      };
      await eventually(async () => expect(await told()).toEqual([expect.stringMatching(message)]));
      await allow();
      await eventually(() => stage.get(Service, { namespace, name: 'box-service' }), 60);
      await stage.quiet();
      expect(await told()).toHaveLength(1);
    },
  );
});

it('D-32: a child that is forbidden for a day is tried less and less often, and yet always again', async () => {
  const cluster = await startCluster();
  try {
    const controller = await cluster.run(crate);
    await cluster.install(Load.crd());
    controller.faults.refuse({ verb: 'create', kind: 'Service' }, { code: 403, times: 100_000 });
    const tries: number[] = [];
    controller.faults.observe(({ verb, kind }) => {
      if (verb === 'create' && kind === 'Service') tries.push(cluster.clock.monotonic() / 1000);
    });
    await cluster.apply({
      apiVersion: Crate.apiVersion,
      kind: 'Crate',
      metadata: { name: 'box' },
      spec: { service: true },
    });
    await cluster.advance(1800);
    expect((await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'ApplyFailed')).toHaveLength(1);
    await cluster.advance(24 * 3600);
    const within = (from: number, to: number) =>
      tries.filter((at) => at - tries[0]! >= from && at - tries[0]! < to).length;
    expect(within(23 * 3600, 24 * 3600)).toBeGreaterThan(0);
    expect(within(23 * 3600, 24 * 3600)).toBeLessThanOrEqual(12);
    expect(tries.length).toBeLessThan(400);
    controller.faults.clear();
    await cluster.until(() => cluster.find(Service, 'box-service').then(Boolean), 'the Service is made');
  } finally {
    await cluster.stop();
  }
});
