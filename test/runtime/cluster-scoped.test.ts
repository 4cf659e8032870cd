import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Tenant = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Tenant',
  namespaced: false,
  spec: s.object({}),
});
const labels = { app: 'web' };
const tenants = operator(Tenant, {
  owns: [ConfigMap, Deployment],
  compose(scope) {
    const metadata = { namespace: 'team' };
    const web = new Deployment(scope, 'web', {
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    });
    const note = new ConfigMap(scope, 'note', { metadata, data: { text: 'ours' } });
    note.node.addDependency(web);
  },
});

describe('a custom resource in no namespace', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.run(tenants);
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await cluster.apply({ apiVersion: Tenant.apiVersion, kind: Tenant.kind, metadata: { name: 'acme' }, spec: {} });
    await cluster.settled();
  });
  afterEach(() => cluster.stop());
  const team = { namespace: 'team' };

  it('hears of its children: what waits for them is made, and it is ready when they are', async () => {
    expect(await cluster.find(ConfigMap, 'acme-note', team)).toBeDefined();
    const { status } = await cluster.get(Tenant, 'acme');
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  });

  it('cannot be limited to namespaces', async () => {
    await expect(cluster.run(tenants, { namespaces: ['team'] })).rejects.toThrow(
      'cannot be limited to namespaces: a Tenant is in none',
    );
  });

  it('has its children put back', async () => {
    await cluster.delete(ConfigMap, 'acme-note', team);
    await cluster.advance(5);
    expect((await cluster.get(ConfigMap, 'acme-note', team)).data).toEqual({ text: 'ours' });
    await cluster.patch(ConfigMap, 'acme-note', { data: { text: 'theirs' } }, team);
    await cluster.advance(5);
    expect((await cluster.get(ConfigMap, 'acme-note', team)).data).toEqual({ text: 'ours' });
  });
});
