/** Longer than most files: one site, and all that a mode does to its children. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, EventsEvent, Service } from '../../imports/k8s.js';
import type { DriftInput } from '../../src/compose/operator-input.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Web = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({
    replicas: s.int32({ default: 2 }),
    note: s.string({ default: 'hello' }),
    isShown: s.boolean({ default: true }),
    hasService: s.boolean({ default: true }),
  }),
});

const web = (drift?: DriftInput, hasService = true) =>
  operator(Web, {
    owns: [Deployment, Service, ConfigMap],
    ...(drift ? { drift } : {}),
    compose(scope, cr) {
      if (!cr.spec.isShown) return;
      const labels = { app: cr.metadata.name };
      new Deployment(scope, 'server', {
        spec: {
          replicas: cr.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
        },
      });
      if (hasService && cr.spec.hasService)
        new Service(scope, 'service', { spec: { selector: labels, ports: [{ port: 80 }] } });
      new ConfigMap(scope, 'settings', { data: { note: cr.spec.note } });
    },
  });

const names: Readonly<Record<string, string>> = { Deployment: 'site-server', ConfigMap: 'site-settings' };

const site = (annotations: Readonly<Record<string, string>> = {}, spec: object = {}) => ({
  apiVersion: Web.apiVersion,
  kind: Web.kind,
  metadata: { name: 'site', annotations },
  spec,
});

describe('drift', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (drift?: DriftInput) => {
    cluster = await startCluster();
    const controller = await cluster.run(web(drift));
    await cluster.apply(site());
    await cluster.settled();
    return controller;
  };
  const server = async () => (await cluster.get(Deployment, 'site-server')).spec!;
  const condition = async (type: string) => {
    return conditionIn(await cluster.get(Web, 'site'), type);
  };
  const writesTo = (kind: string, since: number) => cluster.writes(since).filter((write) => write.kind === kind);

  it('of a field that is ignored stays, and the rest is enforced', async () => {
    await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }] });
    const before = cluster.writes().length;
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } });
    await cluster.settled();
    expect((await server()).replicas).toBe(7);
    expect(writesTo('Deployment', before)).toEqual([]);
    expect(await condition('Drifted')).toBeUndefined();

    await cluster.patch(Deployment, 'site-server', { spec: { paused: true, revisionHistoryLimit: 3 } });
    const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'other' }] } } } };
    await cluster.patch(Deployment, 'site-server', image);
    await cluster.settled();
    const now = await server();
    expect(now.template.spec?.containers[0]?.image).toBe('nginx:1');
    expect(now.replicas).toBe(7);
  });

  it('of an ignored field is followed by what is desired as long as nobody took it', async () => {
    await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }] });
    await cluster.apply(site({}, { replicas: 4 }));
    await cluster.settled();
    expect((await server()).replicas).toBe(4);

    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } });
    await cluster.apply(site({}, { replicas: 5 }));
    await cluster.settled();
    expect((await server()).replicas).toBe(7);
    const before = cluster.writes().length;
    await cluster.advance(3600);
    expect(cluster.writes(before)).toEqual([]);
  });

  it('of a field that is reported stays, and is shown as long as it is there', async () => {
    await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'report' }] });
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } }, { manager: 'somebody' });
    await cluster.settled();
    expect((await server()).replicas).toBe(7);
    expect(await condition('Drifted')).toMatchObject({
      reason: 'DriftDetected',
      message: '1 difference is left alone: Deployment/site-server spec.replicas 2 → 7 by somebody (Update)',
    });
    expect((await condition('Ready'))?.reason).toBe('ReconciliationSucceeded');
  });

  it('that is reported is no event again for whoever leads next, unless it is another by then', async () => {
    const controller = await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'report' }] });
    const scale = (replicas: number) =>
      cluster.patch(Deployment, 'site-server', { spec: { replicas } }, { manager: 'somebody' });
    const events = async () => {
      await cluster.advance(10);
      return (await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'DriftDetected').length;
    };
    await scale(7);
    expect(await events()).toBe(1);
    const [told] = (await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'DriftDetected');
    expect(told).toMatchObject({
      reportingController: 'web.example.com/web',
      reportingInstance: controller.identity,
    });
    controller.restart();
    expect(await events()).toBe(1);
    await controller.stop();
    await scale(8);
    controller.restart();
    expect(await events()).toBe(2);
    await scale(9);
    expect(await events()).toBe(3);
  });

  it('that is reported is an event again when its child was not desired for a while', async () => {
    await start({ rules: [{ kind: Service, mode: 'report' }] });
    const events = async () => {
      await cluster.advance(10);
      const all = (await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'DriftDetected');
      return all.reduce((sum, event) => sum + ((event as { series?: { count: number } }).series?.count ?? 1), 0);
    };
    expect(await events()).toBe(1);
    await cluster.apply(site({}, { hasService: false }));
    expect(await events()).toBe(1);
    await cluster.apply(site());
    expect(await events()).toBe(2);
  });

  it('of a kind that is reported is not written to, whatever happens to it', async () => {
    await start({ rules: [{ kind: Service, mode: 'report' }] });
    // The mode begins with the first object: what is not there is reported as missing.
    expect(await cluster.find(Service, 'site-service')).toBeUndefined();
    expect(await condition('Ready')).toMatchObject({
      reason: 'DriftDetected',
      message: 'Service/default/site-service is missing',
    });
    expect((await condition('Drifted'))?.message).toBe('1 difference is left alone: Service/site-service missing');
  });

  it('is left alone while a custom resource asks for it, and put back when it asks no longer', async () => {
    await start();
    await cluster.apply(site({ 'web.example.com/mode': 'report' }));
    await cluster.settled();
    const before = cluster.writes().length;
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } }, { manager: 'on-call' });
    await cluster.delete(Service, 'site-service');
    await cluster.settled();
    expect(cluster.writes(before).filter(({ kind }) => kind !== 'Web' && kind !== 'Event')).toEqual([]);
    expect((await condition('Drifted'))?.message).toContain(
      'Deployment/site-server spec.replicas 2 → 7 by on-call (Update)',
    );
    expect((await condition('Drifted'))?.message).toContain('Service/site-service missing');

    await cluster.apply(site());
    await cluster.settled();
    expect((await server()).replicas).toBe(2);
    expect(await cluster.find(Service, 'site-service')).toBeDefined();
    expect(await condition('Drifted')).toBeUndefined();
  });

  it('of a field that is ignored is not told while a custom resource asks for a report', async () => {
    await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }] });
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } }, { manager: 'somebody' });
    await cluster.apply(site({ 'web.example.com/mode': 'report' }));
    await cluster.settled();
    expect(await condition('Drifted')).toBeUndefined();

    const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'other' }] } } } };
    await cluster.patch(Deployment, 'site-server', image, { manager: 'somebody' });
    await cluster.settled();
    const told = (await condition('Drifted'))?.message;
    expect(told).toContain('containers[0].image "nginx:1" → "other" by somebody (Update)');
    expect(told).not.toContain('replicas');
  });

  it.each([
    ['another child is refused', 'ConfigMap', { data: { note: 'mine' } }],
    [
      'the child itself is refused another change',
      'Deployment',
      { spec: { template: { spec: { containers: [{ name: 'web', image: 'other' }] } } } },
    ],
  ])('that is reported is shown since it came, though %s meanwhile', async (_, kind, edit) => {
    const controller = await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'report' }] });
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } }, { manager: 'somebody' });
    await cluster.settled();
    const { lastTransitionTime } = (await condition('Drifted')) as unknown as { lastTransitionTime: string };
    const drifted = { lastTransitionTime, message: expect.stringContaining('spec.replicas 2 → 7') as unknown };
    controller.faults.refuse({ verb: 'apply', kind }, { code: 403, times: 12 });
    await cluster.patch(kind === 'Deployment' ? Deployment : ConfigMap, names[kind]!, edit, { manager: 'somebody' });
    await cluster.advance(1);
    expect((await condition('Ready'))?.reason).toBe('ApplyFailed');
    expect(await condition('Drifted')).toMatchObject(drifted);
    await cluster.advance(300);
    expect((await condition('Ready'))?.reason).toBe('ReconciliationSucceeded');
    expect(await condition('Drifted')).toMatchObject(drifted);
  });

  it('that is reported is shown since it came, though what is desired cannot be told meanwhile', async () => {
    await start({ rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'report' }] });
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } }, { manager: 'somebody' });
    await cluster.settled();
    const before = await condition('Drifted');
    expect(before).toBeDefined();
    await cluster.advance(60);
    await cluster.apply(site({ 'web.example.com/mode': 'nonsense' }));
    await cluster.settled();
    expect((await condition('Ready'))?.reason).toBe('RenderFailed');
    expect(await condition('Drifted')).toEqual(before);

    await cluster.apply(site());
    await cluster.settled();
    expect((await condition('Ready'))?.reason).toBe('ReconciliationSucceeded');
    expect(await condition('Drifted')).toEqual(before);
  });

  it.each<[string, object, readonly string[]]>([
    ['a value', { replicas: 5 }, ['Deployment/site-server spec.replicas 5 → 2 by web (Update)']],
    ['one of several children', { note: 'bye' }, ['ConfigMap/site-settings data.note "bye" → "hello" by web (Update)']],
    [
      'two children',
      { replicas: 5, note: 'bye' },
      [
        'Deployment/site-server spec.replicas 5 → 2 by web (Update)',
        'ConfigMap/site-settings data.note "bye" → "hello" by web (Update)',
      ],
    ],
  ])('is what an edit desires and nobody writes: %s', async (_, spec, differences) => {
    await start();
    const mode = { 'web.example.com/mode': 'report' };
    await cluster.apply(site(mode));
    await cluster.settled();
    expect(await condition('Drifted')).toBeUndefined();
    await cluster.apply(site(mode, spec));
    await cluster.settled();
    const message = (await condition('Drifted'))?.message;
    for (const difference of differences) expect(message).toContain(difference);
    expect(message).toMatch(new RegExp(`^${differences.length} difference`));

    await cluster.apply(site({}, spec));
    await cluster.settled();
    expect(await condition('Drifted')).toBeUndefined();
    // By now it has one entry of ours, which tells what is desired no more, too.
    await cluster.apply(site(mode, { replicas: 2, note: 'hello' }));
    await cluster.settled();
    expect((await condition('Drifted'))?.message).toContain('by web (Apply)');
  });

  it('is put back when the time is over for which a custom resource asked', async () => {
    await start();
    const until = new Date(cluster.clock.now() + 3600_000).toISOString();
    await cluster.apply(site({ 'web.example.com/mode': 'ignore', 'web.example.com/mode-until': until }));
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 7 } });
    await cluster.advance(3590);
    expect((await server()).replicas).toBe(7);
    await cluster.advance(20);
    expect((await server()).replicas).toBe(2);
  });

  it('of a mode that there is not, is said in a condition with what to write', async () => {
    await start();
    await cluster.apply(site({ 'web.example.com/mode': 'off' }));
    await cluster.settled();
    expect((await condition('Ready'))?.message).toBe(
      'Web/default/site asks for the mode "off" in web.example.com/mode; write enforce, report, ignore, or remove the annotation',
    );
  });

  it('leaves a child alone that is no longer desired, and says so', async () => {
    const controller = await start({ mode: 'report' });
    expect(await cluster.list(ConfigMap, { labelSelector: 'app.kubernetes.io/managed-by=web' })).toEqual([]);
    await controller.stop();
    await cluster.run(web());
    await cluster.settled();
    expect(await cluster.find(Service, 'site-service')).toBeDefined();
  });

  it.each<[string, DriftInput, Readonly<Record<string, string>>]>([
    ['a kind is reported', { rules: [{ kind: ConfigMap, mode: 'report' }] }, {}],
    ['a kind is ignored', { rules: [{ kind: ConfigMap, mode: 'ignore' }] }, {}],
    [
      'a custom resource is, but for a kind that is enforced',
      { rules: [{ kind: Deployment, mode: 'enforce' }] },
      { 'web.example.com/mode': 'report' },
    ],
  ])('prunes nothing when no child is composed any more, also where %s', async (_, drift, annotations) => {
    const before = await start();
    await before.stop();
    await cluster.run(web(drift));
    await cluster.apply(site(annotations, { isShown: false }));
    await cluster.settled();
    expect(await cluster.find(Deployment, 'site-server')).toBeDefined();
    expect(await cluster.find(Service, 'site-service')).toBeDefined();
    expect((await condition('Ready'))?.reason).toBe('PruneSkipped');

    await cluster.apply(site({ ...annotations, 'web.example.com/allow-empty': 'true' }, { isShown: false }));
    await cluster.settled();
    expect(await cluster.find(Deployment, 'site-server')).toBeUndefined();
    expect(await cluster.find(ConfigMap, 'site-settings')).toBeDefined();
  });
});

it.each<[string, DriftInput, string]>([
  [
    'a path that cannot be read',
    { rules: [{ field: 'spec..x', mode: 'ignore' }] },
    'The field path "spec..x" cannot be read',
  ],
  [
    'a kind that it does not own',
    { rules: [{ kind: { apiVersion: 'v1', kind: 'Secret' }, mode: 'ignore' }] },
    'a drift rule is about Secret (v1), which it does not own',
  ],
])('an operator with %s in its drift rules cannot be defined', (_, drift, message) => {
  expect(() => web(drift)).toThrow(message);
});
