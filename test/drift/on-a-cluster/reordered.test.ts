import { expect, it } from '@jest/globals';
import { Deployment } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Web = customResource({ group: 'reordered.example.com', version: 'v1', kind: 'Web', spec: s.object({}) });
const env = [
  { name: 'HOST', value: 'db' },
  { name: 'URL', value: 'http://$(HOST)' },
];
const web = operator(Web, {
  owns: [Deployment],
  compose(scope) {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1', env }] } };
    new Deployment(scope, 'server', { spec: { selector: { matchLabels: labels }, template } });
  },
});

onEveryCluster('a list that somebody puts in another order', {}, (plane) => {
  const stage = new Stage(plane, [Web.crd()]);
  const container = async () => (await stage.get(Deployment, 'a-server')).spec!.template.spec!.containers[0]!;

  it('has the order that is composed again, since the server keeps that of an apply', async () => {
    await stage.start([web]);
    await stage.wish(Web, 'a', {});
    await eventually(() => container());
    await stage.quiet();
    const moved = { ...(await container()), env: [...env].reverse() };
    await stage.change(Deployment, 'a-server', { spec: { template: { spec: { containers: [moved] } } } });
    await eventually(async () => expect((await container()).env).toEqual(env));
    const { generation } = (await stage.get(Deployment, 'a-server')).metadata;
    await stage.quiet();
    expect((await stage.get(Deployment, 'a-server')).metadata.generation).toBe(generation);
  });
});
