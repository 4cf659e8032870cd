import { describe, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster } from '../../../src/testing/index.js';

describe('a child that is to be made anew for its very first change', () => {
  const Kept = customResource({
    group: 'web.example.com',
    version: 'v1',
    kind: 'Kept',
    spec: s.object({ text: s.string() }),
  });
  const kept = operator(Kept, {
    owns: [ConfigMap],
    recreate: [ConfigMap],
    compose(scope, { spec: { text } }) {
      new ConfigMap(scope, 'page', { immutable: true, data: { text } });
    },
  });
  const page = (text: string) => ({
    apiVersion: Kept.apiVersion,
    kind: Kept.kind,
    metadata: { name: 'site', annotations: { 'web.example.com/accept-data-loss': 'ConfigMap/site-page' } },
    spec: { text },
  });

  it('is refused once before it is deleted', async () => {
    const cluster = await startCluster();
    const controller = await cluster.run(kept);
    await cluster.apply(page('one'));
    await cluster.settled();
    const asked: string[] = [];
    controller.faults.observe(({ verb, kind }) => {
      if (kind === 'ConfigMap') asked.push(verb);
    });
    await cluster.apply(page('two'));
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'site-page')).data).toEqual({ text: 'two' });
    expect(asked.filter((verb) => verb === 'apply')).toHaveLength(1);
    expect(asked.filter((verb) => verb === 'delete')).toHaveLength(1);
    await cluster.stop();
  });

  it('is told in the log to have been deleted, and why', async () => {
    const cluster = await startCluster();
    const controller = await cluster.run(kept);
    await cluster.apply(page('one'));
    await cluster.settled();
    await cluster.apply(page('two'));
    await cluster.settled();
    const told = controller.log.filter(({ message }) => message === 'Reconciled').map(({ data }) => data['changes']);
    expect(told).toEqual([
      ['ConfigMap/default/site-page created'],
      ['ConfigMap/default/site-page pruned (is made anew, for data is immutable)'],
      ['ConfigMap/default/site-page created'],
    ]);
    await cluster.stop();
  });

  it('and holds data is deleted only where its custom resource says so of just that child', async () => {
    const held = operator(Kept, {
      owns: [Secret],
      recreate: [Secret],
      compose(scope, { spec: { text } }) {
        new Secret(scope, 'page', { immutable: true, stringData: { text } });
      },
    });
    const cluster = await startCluster();
    await cluster.run(held);
    await cluster.apply(page('one'));
    await cluster.settled();
    const { uid } = (await cluster.get(Secret, 'site-page')).metadata;
    const isKeptBy = async (consent: string) => {
      await cluster.patch(Kept, 'site', { metadata: { annotations: { 'web.example.com/accept-data-loss': consent } } });
      await cluster.patch(Kept, 'site', { spec: { text: `not by ${consent}` } });
      await cluster.settled();
      return (await cluster.get(Secret, 'site-page')).metadata.uid === uid;
    };
    for (const consent of ['', 'true', 'ConfigMap/site-page', 'Secret/site']) {
      expect([consent, await isKeptBy(consent)]).toEqual([consent, true]);
    }
    expect(await isKeptBy('Secret/site, Secret/site-page')).toBe(false);
    await cluster.stop();
  });
});
