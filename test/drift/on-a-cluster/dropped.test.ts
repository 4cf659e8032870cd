import { beforeAll, expect, it } from '@jest/globals';
import { Deployment } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Crate = customResource({
  group: 'crates.example.com',
  version: 'v1',
  kind: 'Crate',
  spec: s.object({ replicas: s.int32({ default: 0 }) }),
});
/** Fields that Kubernetes knows, and that only a server with feature gates which nobody opens by default has a use for. */
const crate = operator(Crate, {
  owns: [Deployment],
  compose(scope, { spec: { replicas } }) {
    const labels = { app: 'crate' };
    const containers = [
      { name: 'first', image: 'nginx:1' },
      { name: 'second', image: 'nginx:1', lifecycle: { stopSignal: 'SIGUSR1' } } as const,
    ];
    const spec = { os: { name: 'linux' } as const, schedulingGroup: { podGroupName: 'all' }, containers };
    const template = { metadata: { labels }, spec };
    new Deployment(scope, 'server', { spec: { replicas, selector: { matchLabels: labels }, template } });
  },
});

onEveryCluster('a field that the API server drops without a word', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Crate.crd()]);
  beforeAll(() => stage.start([crate]), 60_000);
  const told = () => stage.lines.filter(({ msg }) => msg === 'The API server dropped fields of a child');

  it('is told once for all custom resources', async () => {
    await stage.wish(Crate, 'a', {});
    await stage.settled(Crate, 'a');
    await stage.wish(Crate, 'b', {});
    await stage.settled(Crate, 'b');
    await stage.wish(Crate, 'a', { replicas: 1 });
    await stage.quiet();
    expect((await stage.get(Deployment, 'a-server')).spec?.replicas).toBe(1);
    expect(told()).toEqual([
      expect.objectContaining({
        level: 'warn',
        child: 'Deployment/a-server',
        fields: ['spec.template.spec.containers[1].lifecycle', 'spec.template.spec.schedulingGroup'],
        hint: expect.stringContaining('feature gate') as unknown,
      }),
    ]);
  });
});
