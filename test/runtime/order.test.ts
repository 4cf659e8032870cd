import { expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Site = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ paused: s.boolean({ default: true }) }),
});
const labels = { app: 'web' };
const sites = operator(Site, {
  owns: [ConfigMap, Deployment],
  compose(scope, { spec }) {
    const containers = [{ name: 'web', image: 'web:1' }];
    new ConfigMap(scope, 'config', { data: { port: '80' } });
    const web = new Deployment(scope, 'web', {
      spec: {
        paused: spec.paused,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    new ConfigMap(scope, 'note', { data: { text: 'it is up' } }).node.addDependency(web);
  },
});

it('a child waits for the one that it needs, which was made beside another that is ready', async () => {
  const cluster = await startCluster();
  await cluster.run(sites);
  const site = { apiVersion: Site.apiVersion, kind: Site.kind, metadata: { name: 'home' } };
  await cluster.apply({ ...site, spec: { paused: true } });
  await cluster.advance(60);
  expect(await cluster.find(ConfigMap, 'home-config')).toBeDefined();
  expect(await cluster.find(ConfigMap, 'home-note')).toBeUndefined();
  expect(conditionIn(await cluster.get(Site, 'home'))).toMatchObject({ status: 'False' });
  await cluster.apply({ ...site, spec: { paused: false } });
  await cluster.settled();
  expect(await cluster.find(ConfigMap, 'home-note')).toBeDefined();
  expect(conditionIn(await cluster.get(Site, 'home'))).toMatchObject({ status: 'True' });
  await cluster.stop();
});
