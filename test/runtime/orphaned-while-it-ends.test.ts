import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';

const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ removal: s.enum(['delete', 'orphan'], { default: 'delete' }) }),
});
const page = operator(Page, {
  owns: [ConfigMap],
  reach: 'cluster',
  removal: '.spec.removal',
  compose(scope) {
    for (const id of ['first', 'second', 'third'])
      new ConfigMap(scope, id, { metadata: { namespace: 'afar' }, data: { text: id } });
  },
});
const home = { apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: {} };

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
    const left = (await cluster.list(ConfigMap, { namespace: 'afar' })).map(({ data }) => data?.['text']);
    expect(left.filter((text) => text !== undefined)).toEqual(['first', 'second']);
    expect(await cluster.find(Page, 'home')).toBeUndefined();
    await cluster.stop();
  },
);
