import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import type { TestController } from '../../src/testing/test-controller.js';

const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ name: s.string(), text: s.string({ optional: true }) }),
});

const page = operator(Page, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'text', { metadata: { name: spec.name }, data: { text: spec.text ?? spec.name } });
  },
});

const home = (name: string, text?: string) => ({
  apiVersion: Page.apiVersion,
  kind: Page.kind,
  metadata: { name: 'home' },
  spec: { name, ...(text === undefined ? {} : { text }) },
});

describe('while the watch of custom resources is late', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(page);
    await cluster.apply(home('first'));
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  const writesOf = (verb: string) =>
    cluster.writes().filter((write) => write.verb === verb && write.kind === 'ConfigMap').length;

  const made = async () =>
    (await cluster.list(ConfigMap, { labelSelector: 'app.kubernetes.io/managed-by=page' })).map(
      ({ metadata }) => metadata.name,
    );

  it('a child is made once more, and not again, for an owner that is gone', async () => {
    const letGo = controller.faults.holdWatch(Page);
    await cluster.delete(Page, 'home');
    await cluster.advance(20);
    expect(writesOf('create')).toBeLessThanOrEqual(3);
    await expect(cluster.get(ConfigMap, 'first')).rejects.toThrow('is not there');
    letGo();
    await cluster.settled();
    await expect(cluster.get(ConfigMap, 'first')).rejects.toThrow('is not there');
  });

  it('a child that somebody deletes at once is made again', async () => {
    await cluster.delete(ConfigMap, 'first');
    await cluster.advance(0);
    await cluster.delete(ConfigMap, 'first');
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'first')).data).toEqual({ text: 'first' });
  });

  it('no older edit is written over what was made for a later one in another life', async () => {
    const lists = controller.faults.goBack(Page);
    await cluster.apply(home('first', 'of a later edit'));
    await cluster.settled();
    const written = await cluster.get(ConfigMap, 'first');
    expect(written.data).toEqual({ text: 'of a later edit' });

    const watch = controller.faults.holdWatch(Page);
    controller.restart();
    await cluster.advance(20);
    expect(await cluster.get(ConfigMap, 'first')).toEqual(written);

    lists();
    watch();
    await cluster.settled();
    expect(await cluster.get(ConfigMap, 'first')).toEqual(written);
  });

  it.each([
    ['a newer edit had removed', () => cluster.apply(home('second')), ['second']],
    [
      'was taken away while the custom resource is suspended',
      async () => {
        await cluster.patch(Page, 'home', { metadata: { annotations: { 'web.example.com/reconcile': 'suspended' } } });
        await cluster.settled();
        await cluster.delete(ConfigMap, 'first');
      },
      [],
    ],
  ])('no child is made again in another life that %s', async (_, meanwhile, left) => {
    const lists = controller.faults.goBack(Page);
    await meanwhile();
    await cluster.settled();
    expect(await made()).toEqual(left);

    const watch = controller.faults.holdWatch(Page);
    controller.restart();
    await cluster.advance(20);
    expect(await made()).toEqual(left);

    lists();
    watch();
    await cluster.settled();
    expect(await made()).toEqual(left);
  });

  it('no child is made again of a custom resource that the store shows as it was before its status', async () => {
    await cluster.apply({ ...home('third'), metadata: { name: 'away' } });
    const lists = controller.faults.goBack(Page);
    await cluster.settled();
    await cluster.apply({ ...home('fourth'), metadata: { name: 'away' } });
    await cluster.settled();

    const watch = controller.faults.holdWatch(Page);
    controller.restart();
    await cluster.advance(20);
    expect(await made()).toEqual(['first', 'fourth']);

    lists();
    watch();
    await cluster.settled();
    expect(await made()).toEqual(['first', 'fourth']);
  });

  it('nothing is asked about a custom resource that is new, nor when a child of it is deleted later', async () => {
    const asked: string[] = [];
    controller.faults.observe(({ verb, kind }) => {
      if (verb === 'get') asked.push(kind);
    });
    await cluster.apply({ ...home('third'), metadata: { name: 'away' } });
    await cluster.settled();
    await cluster.advance(60);
    for (const name of ['first', 'third']) await cluster.delete(ConfigMap, name);
    await cluster.settled();
    expect(await made()).toEqual(['first', 'third']);
    expect(asked).toEqual([]);
  });

  it('nothing is pruned that the custom resource, as it is now, desires', async () => {
    const lists = controller.faults.goBack(Page);
    await cluster.apply(home('second'));
    await cluster.settled();
    const { uid } = (await cluster.get(ConfigMap, 'second')).metadata;

    const watch = controller.faults.holdWatch(Page);
    controller.restart();
    await cluster.advance(20);
    expect((await cluster.get(ConfigMap, 'second')).metadata.uid).toBe(uid);

    lists();
    watch();
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'second')).metadata.uid).toBe(uid);
    await expect(cluster.get(ConfigMap, 'first')).rejects.toThrow('is not there');
  });
});

describe('while the answer to a create is late', () => {
  it('a child that went before a new list, which no change of it tells, is made again', async () => {
    const cluster = await startCluster();
    const { faults } = await cluster.run(page);
    await cluster.settled();
    faults.silenceWatch(ConfigMap);
    const soon = faults.slowDown(({ verb, kind }, leg) =>
      verb === 'create' && kind === 'ConfigMap' && leg === 'back' ? 20_000 : 0,
    );
    await cluster.apply(home('first'));
    await cluster.advance(1);
    await cluster.delete(ConfigMap, 'first');
    soon();
    cluster.compact();
    faults.breakWatch(ConfigMap);
    await cluster.advance(60);
    expect((await cluster.get(ConfigMap, 'first')).data).toEqual({ text: 'first' });
    await cluster.stop();
  });
});

describe('while a status says for how long a watch has shown nothing', () => {
  it('what the watch shows then is acted on at once', async () => {
    const cluster = await startCluster();
    const { faults } = await cluster.run(page);
    await cluster.settled();
    const letGo = faults.holdWatch(ConfigMap);
    await cluster.apply(home('first'));
    await cluster.advance(1);
    await cluster.apply(home('first', 'of a later edit'));
    let isSaid = false;
    faults.observe(({ kind, subresource }) => {
      isSaid ||= kind === Page.kind && subresource === 'status';
    });
    faults.slowDown(({ kind, subresource }, leg) =>
      kind === Page.kind && subresource === 'status' && leg === 'back' ? 1000 : 0,
    );
    for (let tenths = 0; !isSaid && tenths < 200; tenths++) await cluster.advance(0.1);
    expect(isSaid).toBe(true);
    letGo();
    await cluster.advance(3);
    expect((await cluster.get(ConfigMap, 'first')).data).toEqual({ text: 'of a later edit' });
    await cluster.stop();
  });
});
