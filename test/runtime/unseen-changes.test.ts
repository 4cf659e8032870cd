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
