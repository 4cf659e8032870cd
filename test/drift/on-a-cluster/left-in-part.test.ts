import { beforeAll, expect, it } from '@jest/globals';
import { Deployment, Service } from '../../../imports/k8s.js';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Kiosk = customResource({
  group: 'kiosks.example.com',
  version: 'v1',
  kind: 'Kiosk',
  spec: s.object({ hasMore: s.boolean({ default: true }) }),
});

const kiosk = operator(Kiosk, {
  owns: [Deployment, Service],
  compose(scope, { metadata: { name }, spec: { hasMore } }) {
    const labels = { app: name };
    const side = { name: 'side', image: 'side:1' };
    const valued = hasMore ? { value: '1' } : { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
    const web = {
      name: 'web',
      image: 'nginx:1',
      env: [{ name: 'A', ...valued }],
      readinessProbe: { tcpSocket: { port: 80 } },
    };
    const settings = { name: 'settings', ...(hasMore ? { configMap: { name: 'settings' } } : { emptyDir: {} }) };
    new Deployment(scope, 'server', {
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [web, ...(hasMore ? [side] : [])], volumes: [settings] },
        },
      },
    });
    const metrics = { name: 'metrics', port: 81 };
    new Service(scope, 'service', { spec: { ports: [{ name: 'http', port: 80 }, ...(hasMore ? [metrics] : [])] } });
  },
});

const deployed = (container: object, others: object = {}) => ({
  spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1', ...container }], ...others } } },
});

onEveryCluster('what somebody made of a part of a child', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Kiosk.crd()]);
  beforeAll(() => stage.start([kiosk]), 60_000);

  const get = (kind: typeof Deployment | typeof Service, name: string) =>
    stage.admin.get(kind, { namespace: 'default', name }) as Promise<KubeObject>;

  it.each([
    [
      'D-01: a volume of another kind',
      'volume',
      { spec: { volumes: [{ name: 'settings', configMap: null, emptyDir: {} }] } },
    ],
    [
      'D-01: another probe',
      'probe',
      { spec: { containers: [{ name: 'web', readinessProbe: { $patch: 'replace', exec: { command: ['true'] } } }] } },
    ],
  ])('%s, is as it was', async (_, name, template) => {
    const target = { namespace: 'default', name: `${name}-server` };
    await stage.wish(Kiosk, name, {});
    await stage.settled(Kiosk, name);
    const { spec } = await get(Deployment, target.name);
    await stage.admin.patch(
      Deployment,
      target,
      { type: 'strategic', body: { spec: { template } } },
      { fieldManager: 'kubectl-edit' },
    );
    await eventually(async () => expect((await get(Deployment, target.name))['spec']).toEqual(spec));
    await stage.settled(Kiosk, name);
  });

  it('D-11: goes with the rest when that is desired no more', async () => {
    const name = 'less';
    const target = { namespace: 'default', name: 'less-server' };
    await stage.wish(Kiosk, name, {});
    await stage.settled(Kiosk, name);
    const edit = { fieldManager: 'kubectl-edit' };
    const containers = [{ name: 'side', args: ['-v'] }];
    const volumes = [{ name: 'settings', configMap: { defaultMode: 256 } }];
    await stage.admin.patch(
      Deployment,
      target,
      { type: 'strategic', body: { spec: { template: { spec: { containers, volumes } } } } },
      edit,
    );
    const ports = [{ port: 81, protocol: 'TCP', targetPort: 8081 }];
    await stage.admin.patch(
      Service,
      { namespace: 'default', name: 'less-service' },
      { type: 'strategic', body: { spec: { ports } } },
      edit,
    );
    await stage.quiet();

    await stage.wish(Kiosk, name, { hasMore: false });
    await eventually(async () => {
      const env = [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
      const deployment = deployed({ env }, { volumes: [{ name: 'settings', emptyDir: {} }] });
      expect(await get(Deployment, 'less-server')).toMatchObject(deployment);
    });
    await eventually(async () =>
      expect(await get(Service, 'less-service')).toMatchObject({ spec: { ports: [{ name: 'http', port: 80 }] } }),
    );
    await stage.settled(Kiosk, name);
  });
});
