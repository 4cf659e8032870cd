import { expect, it } from '@jest/globals';
import { customResource, labelValue, s } from '../../../src/index.js';
import { refuseLivingOwner } from '../../../src/runtime/children/former-owner.js';
import { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { silentLog } from '../../../src/runtime/telemetry/log.js';
import { startCluster } from '../../../src/testing/index.js';
import { configMap } from '../an-object.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const { apiVersion, kind } = Page;

it.each([
  ['a name', 'page'],
  ['a name that ends like one that was cut', 'page-0123abcd'],
  ['a name that a label cannot hold', 'page'.repeat(20)],
  [
    'a name that a label cannot hold, of which nothing but the beginning is left',
    `page${'-'.repeat(60)}of-the-library`,
  ],
])('one of %s that the server has is no former owner, whatever the store knows', async (_, name) => {
  const cluster = await startCluster();
  try {
    await cluster.install(Page.crd());
    const page = { apiVersion, kind, metadata: { name, namespace: 'default' }, spec: {} };
    await cluster.apply(page);
    const { uid } = (await cluster.get(Page, name)).metadata;
    const child = (of: string) =>
      configMap('page', 1, {
        labels: {
          'web.example.com/owner-namespace': 'default',
          'web.example.com/owner-name': labelValue(name),
          'web.example.com/owner-uid': of,
        },
      });
    const server = cluster.server.cluster();
    // It has not begun to look.
    const watch = { cluster: server, resource: Page, clock: cluster.clock, random: () => 0, log: silentLog };
    const options = { custom: new WatchedKind(watch), cluster: server };
    const { signal } = new AbortController();
    await expect(refuseLivingOwner(child(uid), options, signal)).rejects.toThrow('whose ConfigMap/prod/page is');
    await refuseLivingOwner(child('another'), options, signal);
    // Who is limited to other namespaces has no right to ask, and no child of whom it does not see.
    const elsewhere = { custom: new WatchedKind({ ...watch, namespaces: ['shop'] }), cluster: server };
    await refuseLivingOwner(child(uid), elsewhere, signal);
    const here = { custom: new WatchedKind({ ...watch, namespaces: ['shop', 'default'] }), cluster: server };
    await expect(refuseLivingOwner(child(uid), here, signal)).rejects.toThrow('whose ConfigMap/prod/page is');
    await cluster.delete(Page, name);
    await refuseLivingOwner(child(uid), options, signal);
  } finally {
    await cluster.stop();
  }
});
