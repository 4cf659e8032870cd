import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
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
});
