import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Web = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({ image: s.string({ default: 'nginx:1' }), text: s.string({ default: 'one' }) }),
});
const web = operator(Web, {
  owns: [Deployment, ConfigMap],
  compose(scope, { spec: { image, text } }) {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } };
    new Deployment(scope, 'server', { spec: { replicas: 0, selector: { matchLabels: labels }, template } });
    new ConfigMap(scope, 'page', { data: { text } });
  },
});
const site = (spec: object = {}, annotations = {}) => ({
  apiVersion: Web.apiVersion,
  kind: Web.kind,
  metadata: { name: 'site', annotations },
  spec,
});

describe('a child that is refused for good', () => {
  let cluster: TestCluster;
  let controller: TestController;
  /** When it was asked for, in seconds since the first time. */
  let tries: number[];
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(web);
    await cluster.apply(site());
    await cluster.settled();
    tries = [];
    controller.faults.observe(({ verb, kind }) => {
      if (verb === 'apply' && kind === 'Deployment') tries.push(cluster.clock.monotonic() / 1000);
    });
    controller.faults.refuse({ verb: 'apply', kind: 'Deployment' }, { code: 422, times: 1000 });
    await cluster.apply(site({ image: 'nginx:2' }));
    await cluster.advance(0.1);
    expect(tries).toHaveLength(1);
  });
  afterEach(() => cluster.stop());

  const since = () => tries.map((at) => Math.round(at - (tries[0] as number)));
  const image = async () => (await cluster.get(Deployment, 'site-server')).spec?.template.spec?.containers[0]?.image;
  const condition = async (type: string) => conditionIn(await cluster.get(Web, 'site'), type);
  /** As kube-controller-manager tells of each Pod. */
  const tell = (observedGeneration: number) =>
    cluster.patch(
      Deployment,
      'site-server',
      { metadata: { annotations: { told: `${observedGeneration}` } }, status: { observedGeneration } },
      { manager: 'kube-controller-manager', subresource: 'status' },
    );

  it('is not asked for again with each word of its status, and says all the while why it is refused', async () => {
    const before = await condition('Ready');
    for (let second = 0; second < 60; second++) {
      await tell(100 + second);
      await cluster.advance(1);
    }
    expect(since()).toEqual([0, 5, 15, 35]);
    expect(await condition('Ready')).toEqual(before);
    expect(await condition('Stalled')).toMatchObject({ status: 'True' });
  });

  it('is asked for less and less often, and every five minutes at the least, however long others write its status', async () => {
    for (let words = 0; words < 100; words++) {
      await tell(100 + words);
      await cluster.advance(10);
    }
    expect(since()).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915]);
  });

  it('is asked for once more soon after something happened that may have been the reason', async () => {
    await tell(100);
    controller.faults.clear();
    await cluster.advance(4);
    expect(await image()).toBe('nginx:1');
    await cluster.advance(2);
    expect(await image()).toBe('nginx:2');
    expect(await condition('Stalled')).toBeUndefined();
  });

  it('has no other child wait for as long as itself, which was refused later', async () => {
    for (let words = 0; words < 20; words++) {
      await tell(100 + words);
      await cluster.advance(2);
    }
    controller.faults.refuse({ verb: 'apply', kind: 'ConfigMap' }, { code: 422, times: 1 });
    await cluster.patch(ConfigMap, 'site-page', { data: { text: 'theirs' } });
    await cluster.advance(1);
    await tell(200);
    const text = async () => (await cluster.get(ConfigMap, 'site-page')).data?.text;
    expect(await text()).toBe('theirs');
    await cluster.advance(6);
    expect([await text(), since()]).toEqual(['one', [0, 5, 15, 35]]);
  });

  it('is asked for every five minutes where nothing happens', async () => {
    await cluster.advance(1000);
    expect(since()).toEqual([0, 300, 600, 900]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['somebody changes it', () => cluster.patch(Deployment, 'site-server', { spec: { paused: true } })],
    ['somebody labels it', () => cluster.patch(Deployment, 'site-server', { metadata: { labels: { a: 'b' } } })],
    [
      'somebody annotates it',
      () => cluster.patch(Deployment, 'site-server', { metadata: { annotations: { a: 'b' } } }),
    ],
    ['something else is desired', () => cluster.apply(site({ image: 'nginx:3' }))],
    ['another child is to change', () => cluster.apply(site({ image: 'nginx:2', text: 'two' }))],
    [
      'a person asks for it',
      () => cluster.apply(site({ image: 'nginx:2' }, { 'web.example.com/requested-at': 'now' })),
    ],
    ['the controller begins anew', async () => controller.restart()],
  ])('is asked for at once when %s', async (_, deed) => {
    await tell(100);
    await deed();
    await cluster.advance(0.5);
    expect(since()).toEqual([0, 0]);
  });

  it('is made again at once when somebody deletes it', async () => {
    await cluster.delete(Deployment, 'site-server');
    await cluster.advance(0.5);
    expect(await image()).toBe('nginx:2');
  });

  it('is not asked for again when it is not desired any more', async () => {
    await tell(100);
    await cluster.delete(Web, 'site');
    await cluster.advance(1000);
    expect(since()).toEqual([0]);
  });
});

describe('a child that has no controller of its own', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(web);
    await cluster.apply(site());
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  it('is asked for every five minutes when its very first change is refused', async () => {
    const tries: number[] = [];
    controller.faults.observe(({ verb, kind }) => {
      if (verb === 'apply' && kind === 'ConfigMap') tries.push(Math.round(cluster.clock.monotonic() / 1000));
    });
    controller.faults.refuse({ verb: 'apply', kind: 'ConfigMap' }, { code: 422, times: 1000 });
    await cluster.apply(site({ text: 'two' }));
    await cluster.advance(1000);
    expect(tries.map((at) => at - (tries[0] as number))).toEqual([0, 300, 600, 900]);
  });
});

describe('a child that is refused while a service outside takes its time', () => {
  it('is asked for once more soon after something happened, though the round of that lasted until after then', async () => {
    const cluster = await startCluster();
    const answered = () => new Promise<object>((resolve) => cluster.clock.after(7000, () => resolve({})));
    const slow = operator(Web, {
      owns: [ConfigMap],
      compose(scope, { spec: { text } }) {
        new ConfigMap(scope, 'page', { data: { text } });
        new ConfigMap(scope, 'other', {});
      },
      external: {
        service: { pollSeconds: 3600, observe: answered, ensure: async () => ({}), remove: async () => {} },
      },
    });
    const { faults } = await cluster.run(slow);
    await cluster.apply(site());
    await cluster.advance(60);
    const since = () => (cluster.clock.monotonic() - 60_000) / 1000;
    const tries: number[] = [];
    faults.observe(({ verb, name }) => {
      if (verb === 'apply' && name === 'site-page') tries.push(since());
    });
    faults.refuse({ verb: 'apply', name: 'site-page' }, { code: 422, times: 2 });
    await cluster.apply(site({ text: 'two' }));
    // The second of these rounds ends with the second refusal, which holds until 17 s; the third ends after that.
    for (const second of [1, 15]) {
      await cluster.advance(second - since());
      await cluster.patch(ConfigMap, 'site-other', { metadata: { annotations: { told: `${second}` } } });
    }
    await cluster.advance(60);
    expect(tries.map(Math.round)).toEqual([0, 7, 22]);
    await cluster.stop();
  });
});

describe('a child whose first change is refused', () => {
  it('is as it was to its own controller, and to us where that change is taken back', async () => {
    const cluster = await startCluster();
    const controller = await cluster.run(web);
    await cluster.apply(site());
    await cluster.settled();
    const before = await cluster.get(Deployment, 'site-server');
    controller.faults.refuse({ verb: 'apply', kind: 'Deployment' }, { code: 422, times: 1000 });
    await cluster.apply(site({ image: 'nginx:2' }));
    await cluster.advance(1);
    const refused = await cluster.get(Deployment, 'site-server');
    expect(refused.metadata.managedFields?.filter(({ manager }) => manager === 'web')).toEqual([
      expect.objectContaining({ operation: 'Apply' }),
    ]);
    expect(refused.metadata.generation).toBe(before.metadata.generation);
    expect(refused.metadata.annotations).toEqual(before.metadata.annotations);

    controller.faults.clear();
    await cluster.apply(site());
    await cluster.settled();
    expect((await cluster.get(Deployment, 'site-server')).metadata).toEqual(refused.metadata);
    expect(conditionIn(await cluster.get(Web, 'site'), 'Ready')).toMatchObject({ status: 'True' });
    expect(controller.log.map(({ message }) => message)).not.toContain('Corrected drift');

    // A field that is dropped goes, and what somebody writes under our name is seen.
    await cluster.patch(Deployment, 'site-server', { spec: { replicas: 2 } }, { manager: 'web' });
    await cluster.settled();
    expect((await cluster.get(Deployment, 'site-server')).spec?.replicas).toBe(0);
    await cluster.stop();
  });
});
