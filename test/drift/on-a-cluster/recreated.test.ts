import { beforeAll, expect, it } from '@jest/globals';
import { Namespace, Pod, Service, ServiceAccount } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Agent = customResource({
  group: 'agents.example.com',
  version: 'v1',
  kind: 'Agent',
  spec: s.object({ container: s.string({ optional: true }), address: s.string({ optional: true }) }),
});
const agent = operator(Agent, {
  owns: [Pod, Service],
  recreate: [Pod, Service],
  compose(scope, { spec }) {
    if (spec.container !== undefined) {
      new Pod(scope, 'pod', { spec: { hostPID: true, containers: [{ name: spec.container, image: 'nginx:1' }] } });
    }
    if (spec.address !== undefined) {
      const ports = [{ port: 80, nodePort: 30_091 }];
      new Service(scope, 'service', { spec: { clusterIP: spec.address, type: 'NodePort', ports } });
    }
  },
});

onEveryCluster('a child that is to be made anew', {}, (plane) => {
  const stage = new Stage(plane, [Agent.crd()]);
  beforeAll(() => stage.start([agent]), 60_000);

  it('is, though the old one has a port that the new one is to have', async () => {
    await stage.wish(Agent, 'kept', { address: '10.0.0.91' });
    await eventually(() => stage.get(Service, 'kept-service'));
    await stage.wish(Agent, 'kept', { address: '10.0.0.92' });
    await eventually(async () =>
      expect((await stage.get(Service, 'kept-service')).spec).toMatchObject({
        clusterIP: '10.0.0.92',
        ports: [{ nodePort: 30_091 }],
      }),
    );
  });

  it('is not deleted while a policy that came later would not let it in again', async () => {
    const namespace = 'guarded';
    const pod = { namespace, name: 'watch-pod' };
    const enforce = (level: string | null) =>
      stage.change(Namespace, namespace, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': level } } });
    await stage.namespace(namespace);
    // Which a controller makes that is not here.
    await stage.create(ServiceAccount, { metadata: { namespace, name: 'default' } });
    await stage.wish(Agent, { namespace, name: 'watch' }, { container: 'first' });
    const { uid } = (await eventually(() => stage.get(Pod, pod))).metadata;
    await enforce('baseline');
    const another = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: 'another' },
      spec: { hostPID: true, containers: [{ name: 'main', image: 'nginx:1' }] },
    };
    const tried = () => stage.admin.create(Pod, another, { fieldManager: 'somebody', dryRun: true });
    await eventually(() => expect(tried()).rejects.toThrow('violates PodSecurity'));

    await stage.wish(Agent, { namespace, name: 'watch' }, { container: 'second' });
    await stage.settled(Agent, { namespace, name: 'watch' });
    await stage.quiet();
    expect((await stage.get(Pod, pod)).metadata).toMatchObject({ uid });
    expect((await stage.get(Pod, pod)).metadata.deletionTimestamp).toBeUndefined();
    expect(await stage.condition(Agent, { namespace, name: 'watch' })).toMatchObject({
      reason: 'ApplyFailed',
      message: expect.stringContaining('pod updates may not change fields') as unknown,
    });

    await enforce(null);
    await eventually(tried);
    await stage.wish(Agent, { namespace, name: 'watch' }, { container: 'third' });
    await eventually(async () => expect((await stage.get(Pod, pod)).spec?.containers[0]?.name).toBe('third'));
  });
});
