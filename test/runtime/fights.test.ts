import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, EventsEvent } from '../../imports/k8s.js';
import { customResource, type KubeObject, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Web = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({ replicas: s.int32({ default: 2 }), settings: s.int32({ default: 1 }) }),
});
const web = named([]);

function named(formerly: readonly string[]) {
  return operator(Web, {
    formerly,
    owns: [Deployment, ConfigMap],
    compose(scope, { spec }) {
      const labels = { app: 'web' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
      new Deployment(scope, 'server', {
        spec: { replicas: spec.replicas, selector: { matchLabels: labels }, template },
      });
      for (let index = 0; index < spec.settings; index++)
        new ConfigMap(scope, `settings-${index}`, { data: { ours: '1' } });
    },
  });
}
const site = (spec: object = {}) => ({ apiVersion: Web.apiVersion, kind: Web.kind, metadata: { name: 'site' }, spec });

describe('a fight over a child', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(web);
    await cluster.apply(site());
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  const condition = async (type: string) => {
    return conditionIn(await cluster.get(Web, 'site'), type);
  };
  const replicas = async () => (await cluster.get(Deployment, 'site-server')).spec?.replicas;
  /** The rival looks once a second, and writes when it does not like what it sees. Returns how often we did. */
  const fightFor = async (seconds: number, manager = 'rival') => {
    const before = cluster.writes().length;
    for (let second = 0; second < seconds; second++) {
      if ((await replicas()) !== 9)
        await cluster.patch(Deployment, 'site-server', { spec: { replicas: 9 } }, { manager });
      await cluster.advance(1);
    }
    return cluster.writes(before).filter(({ kind }) => kind === 'Deployment').length;
  };
  const told = async (reason: string) =>
    (await cluster.list(EventsEvent)).filter(
      (event) => (event as KubeObject & { reason?: string }).reason === reason,
    ) as (KubeObject & { note?: string })[];

  it('is slowed down, and named with the rival, the field and both values', async () => {
    expect(await fightFor(60)).toBeLessThanOrEqual(5);
    expect(await fightFor(3600)).toBeLessThanOrEqual(8);
    const words = 'Deployment/site-server spec.replicas: we write 2, "rival" (Update) writes 9';
    expect(await condition('Fighting')).toMatchObject({ reason: 'FightDetected', message: words });
    const events = await told('FightDetected');
    expect(events.map(({ note }) => note)).toEqual([`${words}; it is put back less and less often from now on`]);
  });

  it('holds up no other child, nor another field of the same', async () => {
    await fightFor(120);
    await cluster.patch(ConfigMap, 'site-settings-0', { data: { ours: 'x' } }, { manager: 'other' });
    await cluster.advance(1);
    expect((await cluster.get(ConfigMap, 'site-settings-0')).data).toEqual({ ours: '1' });
    expect(await replicas()).toBe(9);

    const image = { spec: { template: { spec: { containers: [{ name: 'web', image: 'other' }] } } } };
    await cluster.patch(Deployment, 'site-server', image, { manager: 'other' });
    await cluster.advance(1);
    expect((await cluster.get(Deployment, 'site-server')).spec?.template.spec?.containers[0]?.image).toBe('nginx:1');
  });

  it('ends when the rival stops: what is desired stays, and nothing more is said', async () => {
    await fightFor(120);
    await cluster.advance(7200);
    expect(await replicas()).toBe(2);
    expect(await condition('Fighting')).toBeUndefined();
    expect(await condition('Drifted')).toBeUndefined();
  });

  it('ends when something else is desired, which is applied at once', async () => {
    await fightFor(120);
    await cluster.apply(site({ replicas: 4 }));
    await cluster.advance(1);
    expect(await replicas()).toBe(4);
    expect(await condition('Fighting')).toBeUndefined();
  });

  it('is recognised between two that write under one name', async () => {
    // What was written under our name is first folded into what we applied: two writes a round.
    expect(await fightFor(600, 'web')).toBeLessThanOrEqual(16);
    expect((await condition('Fighting'))?.message).toContain('we write 2, "web" (Update) writes 9');
  });

  it('is recognised with one that still writes under a name that the operator had before', async () => {
    controller.crash();
    await cluster.run(named(['old-web']));
    await cluster.settled();
    // What was written under our old name is first taken for ours: two writes a round.
    expect(await fightFor(600, 'old-web')).toBeLessThanOrEqual(16);
    expect((await condition('Fighting'))?.message).toContain('we write 2, "old-web" (Update) writes 9');
    expect((await told('DriftCorrected')).length).toBeGreaterThan(0);
  });

  it('is recognised with one that only adds to it under a name that the operator had before', async () => {
    controller.crash();
    await cluster.run(named(['old-web']));
    await cluster.settled();
    const before = cluster.writes().length;
    for (let second = 0; second < 600; second++) {
      if ((await cluster.get(Deployment, 'site-server')).spec?.minReadySeconds !== 9)
        await cluster.patch(Deployment, 'site-server', { spec: { minReadySeconds: 9 } }, { manager: 'old-web' });
      await cluster.advance(1);
    }
    expect(cluster.writes(before).filter(({ kind }) => kind === 'Deployment').length).toBeLessThanOrEqual(16);
    expect((await condition('Fighting'))?.message).toContain('we remove it, "old-web" (Update) writes 9');
  });

  it('is none that a restart of the controller begins', async () => {
    for (let times = 0; times < 10; times++) {
      controller.restart();
      await cluster.advance(5);
    }
    expect(await condition('Fighting')).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['fifty children that change at once', () => cluster.apply(site({ settings: 50 }))],
    [
      'a custom resource that is created anew',
      async () => {
        for (let times = 0; times < 5; times++) {
          await cluster.delete(Web, 'site');
          await cluster.settled();
          await cluster.apply(site());
          await cluster.settled();
        }
      },
    ],
    [
      'one who changes something else each time',
      async () => {
        for (const field of ['paused', 'minReadySeconds', 'revisionHistoryLimit', 'replicas']) {
          const value = field === 'paused' ? true : 7;
          await cluster.patch(Deployment, 'site-server', { spec: { [field]: value } }, { manager: 'busy' });
          await cluster.advance(1);
        }
      },
    ],
  ])('is not %s', async (_, deed) => {
    await deed();
    await cluster.settled();
    expect(await condition('Fighting')).toBeUndefined();
    expect(await told('FightDetected')).toEqual([]);
  });
});
