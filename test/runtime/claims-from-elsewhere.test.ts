import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, type KubeObject, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Site = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ text: s.string(), keep: s.enum(['delete', 'retain', 'orphan']) }),
});
const site = operator(Site, {
  owns: [ConfigMap],
  removal: '.spec.keep',
  compose(scope, { spec: { text } }) {
    new ConfigMap(scope, 'page', { data: { text } });
  },
});

let cluster: TestCluster;
beforeEach(async () => {
  // It collects them, too, but where a finalizer keeps them: here is what the controller does itself.
  cluster = await startCluster({ controllers: { garbageCollector: false } });
  for (const name of ['victim', 'mallory'])
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await cluster.run(site);
});
afterEach(() => cluster.stop());

const write = async (keep: string, text = 'hello') => {
  const metadata = { name: 'blog', namespace: 'victim' };
  await cluster.apply({ apiVersion: Site.apiVersion, kind: Site.kind, metadata, spec: { text, keep } });
  await cluster.settled();
};
const look = async () => (await cluster.get(Site, 'blog', { namespace: 'victim' })) as unknown as KubeObject;

it.each(['delete', 'retain', 'orphan'])(
  'what is in another namespace is no child, whomever it calls its controller, where children are to %s',
  async (keep) => {
    await write(keep);
    const { uid } = (await look()).metadata;
    const ownerReferences = [{ apiVersion: Site.apiVersion, kind: Site.kind, name: 'blog', uid, controller: true }];
    const names = ['blog-page', 'claim'];
    for (const name of names) {
      const metadata = { name, namespace: 'mallory', ownerReferences, finalizers: ['mallory.example.com/stay'] };
      await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'mine' } });
    }
    const claims = () => Promise.all(names.map((name) => cluster.get(ConfigMap, name, { namespace: 'mallory' })));
    const before = await claims();
    await write(keep, 'hello again');
    expect(await claims()).toEqual(before);
    const { status } = (await look()) as unknown as { readonly status: object };
    expect(JSON.stringify(status)).not.toContain('mallory');
    expect(status).toMatchObject({ conditions: [{ type: 'Ready', status: 'True' }] });
    expect((await cluster.get(ConfigMap, 'blog-page', { namespace: 'victim' })).data).toEqual({ text: 'hello again' });
  },
);
