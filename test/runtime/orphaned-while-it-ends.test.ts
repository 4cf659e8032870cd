import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { home, Page, page } from './a-page-afar.js';

/** The children, without what every namespace has. */
const afar = async (cluster: TestCluster) =>
  (await cluster.list(ConfigMap, { namespace: 'afar' })).filter(({ data }) => data?.['text'] !== undefined);

it.each<[string, object]>([
  ['the deletion policy', { metadata: { annotations: { 'web.example.com/deletion-policy': 'orphan' } } }],
  ['the field of its spec', { spec: { removal: 'orphan' } }],
])(
  'children in another namespace are left once %s says so, though others of them are being deleted',
  async (_, body) => {
    const cluster = await startCluster();
    const { faults } = await cluster.run(page);
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'afar' } });
    await cluster.apply(home);
    await cluster.settled();
    faults.slowDown(({ verb }, leg) => (verb === 'delete' && leg === 'back' ? 2000 : 0));
    await cluster.delete(Page, 'home');
    await cluster.advance(1);
    await cluster.patch(Page, 'home', body);
    await cluster.advance(60);
    expect((await afar(cluster)).map(({ data }) => data?.['text'])).toEqual(['first', 'second']);
    expect(await cluster.find(Page, 'home')).toBeUndefined();
    await cluster.stop();
  },
);

it('they are not left once another custom resource of its name says so', async () => {
  const cluster = await startCluster();
  const { faults } = await cluster.run(page);
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'afar' } });
  await cluster.apply(home);
  await cluster.settled();
  const ofTheFirst = (await afar(cluster)).map(({ metadata }) => metadata.uid);
  faults.slowDown(({ verb }, leg) => (verb === 'delete' && leg === 'back' ? 2000 : 0));
  await cluster.delete(Page, 'home');
  await cluster.advance(1);
  // Somebody does not wait for its end.
  await cluster.patch(Page, 'home', { metadata: { finalizers: null } });
  const annotations = { 'web.example.com/deletion-policy': 'orphan' };
  await cluster.apply({ ...home, metadata: { ...home.metadata, annotations } });
  await cluster.advance(60);
  const { uid } = (await cluster.get(Page, 'home')).metadata;
  const children = await afar(cluster);
  expect(children.map(({ metadata }) => metadata.labels?.['web.example.com/owner-uid'])).toEqual([uid, uid, uid]);
  expect(children.filter(({ metadata }) => ofTheFirst.includes(metadata.uid))).toEqual([]);
  await cluster.stop();
});
