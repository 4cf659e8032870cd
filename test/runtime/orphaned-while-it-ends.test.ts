import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { startCluster } from '../../src/testing/index.js';
import { home, Page, page } from './a-page-afar.js';

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
