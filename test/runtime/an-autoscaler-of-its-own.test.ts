import { expect, it } from '@jest/globals';
import { Deployment, HorizontalPodAutoscaler } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';

/** As the page about drift has it: an operator that makes an autoscaler for those custom resources that ask for one. */
const Site = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ replicas: s.int32({ default: 2 }), most: s.int32({ optional: true }) }),
});
const site = operator(Site, {
  owns: [Deployment, HorizontalPodAutoscaler],
  drift: { rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'enforce' }] },
  compose(scope, { spec: { replicas, most } }) {
    const labels = { app: 'web' };
    const server = new Deployment(scope, 'server', {
      spec: {
        ...(most === undefined ? { replicas } : {}),
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
      },
    });
    if (most === undefined) return;
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: server.name };
    new HorizontalPodAutoscaler(scope, 'scaler', { spec: { scaleTargetRef, maxReplicas: most } });
  },
});

it('an autoscaler has the number as long as it is composed, from what it was and to what is composed then', async () => {
  const cluster = await startCluster();
  await cluster.run(site);
  const counts: number[] = [];
  cluster.server.store.listen(({ object }) => {
    const { replicas } = (object['spec'] ?? {}) as { readonly replicas?: number };
    if (object.kind === 'Deployment' && replicas !== undefined && replicas !== counts.at(-1)) counts.push(replicas);
  });
  const spec = async (change: object) => {
    await cluster.patch(Site, 'shop', { spec: change });
    await cluster.settled();
  };
  await cluster.apply({
    apiVersion: Site.apiVersion,
    kind: Site.kind,
    metadata: { name: 'shop' },
    spec: { replicas: 3 },
  });
  await cluster.settled();
  await spec({ most: 9 });
  const scaling = { subresource: 'scale', manager: 'kube-controller-manager' } as const;
  await cluster.patch(Deployment, 'shop-server', { spec: { replicas: 7 } }, scaling);
  await cluster.settled();
  await spec({ most: 8 });
  await spec({ most: null });
  expect(counts).toEqual([3, 7, 3]);
  expect(await cluster.find(HorizontalPodAutoscaler, 'shop-scaler')).toBeUndefined();
  await cluster.stop();
});
