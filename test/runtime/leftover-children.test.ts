import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const page = operator(Page, {
  owns: [ConfigMap],
  compose: (scope) => {
    new ConfigMap(scope, 'text', {});
  },
});
const written = { apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'a' }, spec: {} };

it('a custom resource that is made anew waits for the children of the one before to be collected, and has not stalled', async () => {
  const cluster = await startCluster({ controllers: { garbageCollector: false } });
  try {
    await cluster.run(page);
    const conditions = async () => (await cluster.get(Page, 'a')).status?.conditions;
    await cluster.apply(written);
    await cluster.settled();
    const { uid } = (await cluster.get(Page, 'a')).metadata;
    await cluster.delete(Page, 'a');
    await cluster.apply(written);
    await cluster.settled();
    const message =
      `ConfigMap/default/a-text is not ours: it exists, and belongs to another Page/a, with the uid ${uid}; ` +
      'the garbage collector deletes it';
    expect(await conditions()).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'ApplyConflict', message },
      { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message },
    ]);

    await cluster.delete(ConfigMap, 'a-text');
    await cluster.settled();
    expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
  } finally {
    await cluster.stop();
  }
});
