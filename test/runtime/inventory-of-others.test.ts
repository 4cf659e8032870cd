import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, type KubeObject, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Site = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ places: s.array(s.string()) }),
});
const sites = (name: string, formerly: readonly string[] = []) =>
  operator(Site, {
    name,
    formerly,
    owns: [ConfigMap],
    reach: 'cluster',
    compose(scope, { spec }) {
      new ConfigMap(scope, 'near', {});
      for (const namespace of spec.places) new ConfigMap(scope, namespace, { metadata: { namespace } });
    },
  });

let cluster: TestCluster;
let old: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  for (const name of ['a', 'b']) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  old = await cluster.run(sites('old'));
  await wish('a', 'b');
});
afterEach(() => cluster.stop());

const wish = async (...places: string[]) => {
  const metadata = { name: 'blog' };
  await cluster.apply({ apiVersion: Site.apiVersion, kind: Site.kind, metadata, spec: { places } });
  await cluster.settled();
};
const inventory = async () => {
  const { status } = (await cluster.get(Site, 'blog')) as unknown as KubeObject & {
    readonly status: { readonly inventory?: { readonly entries?: readonly { readonly id: string }[] } };
  };
  return status.inventory?.entries?.map(({ id }) => id.slice(0, 1)) ?? [];
};
/** Nothing is written for an hour, in which somebody has all looked at again. */
const rests = async () => {
  const before = cluster.writes().length;
  await cluster.patch(Site, 'blog', { metadata: { annotations: { seen: 'yes' } } });
  await cluster.settled();
  expect(cluster.writes(before)).toEqual([]);
};

it('what an operator wrote under its former name leaves the inventory', async () => {
  await old.stop();
  await cluster.run(sites('young', ['old']));
  await wish('b');
  expect(await inventory()).toEqual(['b']);
  await rests();
  await wish();
  expect(await inventory()).toEqual([]);
});

it('what nobody owns since the managed fields were reset leaves the inventory', async () => {
  await cluster.patch(Site, 'blog', { metadata: { managedFields: [{}] } });
  await wish('b');
  expect(await inventory()).toEqual(['b']);
  await rests();
});
