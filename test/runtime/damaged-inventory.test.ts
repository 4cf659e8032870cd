import { afterEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { type Condition, customResource, type KubeObject, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Site = customResource({ group: 'web.example.com', version: 'v1', kind: 'Site', spec: s.object({}) });
const site = operator(Site, {
  owns: [ConfigMap],
  reach: 'cluster',
  compose(scope) {
    new ConfigMap(scope, 'far', { metadata: { namespace: 'far' } });
  },
});

interface Status {
  readonly inventory: object;
  readonly conditions: readonly Condition[];
}

let cluster: TestCluster;
afterEach(() => cluster.stop());

it('keeps its custom resource, which says why, until somebody has written it back', async () => {
  cluster = await startCluster();
  await cluster.run(site);
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'far' } });
  await cluster.apply({ apiVersion: Site.apiVersion, kind: Site.kind, metadata: { name: 'blog' }, spec: {} });
  await cluster.settled();
  const look = async () => (await cluster.get(Site, 'blog')) as unknown as KubeObject & { status: Status };
  const { inventory } = (await look()).status;
  const write = (changed: object) =>
    cluster.patch(Site, 'blog', { status: { inventory: changed } }, { subresource: 'status' });
  await write({ packed: 'nonsense' });
  await cluster.delete(Site, 'blog');
  await cluster.advance(60);
  const { conditions } = (await look()).status;
  const message = expect.stringContaining('status.inventory.packed of Site/default/blog cannot be read') as unknown;
  for (const type of ['Ready', 'Stalled'])
    expect(conditions).toContainEqual(expect.objectContaining({ type, reason: 'PruneFailed', message }));
  expect(await cluster.find(ConfigMap, 'blog-far', { namespace: 'far' })).toBeDefined();

  await write({ ...inventory, packed: null });
  await cluster.settled();
  expect(await cluster.find(Site, 'blog')).toBeUndefined();
  expect(await cluster.find(ConfigMap, 'blog-far', { namespace: 'far' })).toBeUndefined();
});
