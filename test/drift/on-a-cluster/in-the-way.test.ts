import { beforeAll, expect, it } from '@jest/globals';
import { Deployment, Service, StatefulSet } from '../../../imports/k8s.js';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Booth = customResource({
  group: 'booths.example.com',
  version: 'v1',
  kind: 'Booth',
  spec: s.object({
    image: s.string({ default: 'nginx:1' }),
    cpu: s.string({ default: '1' }),
    nodePort: s.int32({ optional: true }),
    isOneByOne: s.boolean({ default: false }),
    volume: s.enum(['none', 'of no kind', 'secret'], { default: 'none' }),
  }),
});

const booth = operator(Booth, {
  owns: [Deployment, StatefulSet, Service],
  compose(scope, { spec: { image, cpu, nodePort, isOneByOne, volume } }) {
    const labels = { app: 'booth' };
    const a = { name: 'a', ...(volume === 'secret' ? { secret: { secretName: 'a' } } : {}) };
    const volumes = volume === 'none' ? {} : { volumes: [a] };
    const resources = { requests: { cpu }, limits: { cpu: '1' } };
    new Deployment(scope, 'server', {
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image, resources }], ...volumes } },
        ...(isOneByOne ? { strategy: { type: 'Recreate' } } : {}),
      },
    });
    new StatefulSet(scope, 'store', {
      spec: {
        replicas: 0,
        serviceName: 'none',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image, resources }] } },
        ...(isOneByOne ? { updateStrategy: { type: 'OnDelete' } } : {}),
      },
    });
    if (nodePort === undefined) return;
    new Service(scope, 'service', {
      spec: { type: 'NodePort', selector: labels, ports: [{ name: 'http', port: 80, nodePort }] },
    });
  },
});

interface Deployed {
  readonly metadata: KubeObject['metadata'];
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { name: string; image: string }[] } };
  };
}

interface Rolled {
  readonly spec: { readonly strategy?: object; readonly updateStrategy?: object };
}

onEveryCluster('what somebody added to a child', { controllerManager: true, audit: true }, (plane) => {
  const stage = new Stage(plane, [Booth.crd()]);
  beforeAll(() => stage.start([booth]), 60_000);
  const { apiVersion, kind } = Deployment;

  it('D-10: is left alone where what is desired is not valid by itself', async () => {
    const target = { namespace: 'default', name: 'sided-server' };
    const shown = async () => (await stage.admin.get(Deployment, target)) as unknown as Deployed;
    const images = async () =>
      (await shown()).spec.template.spec.containers.map(({ name, image }) => `${name} ${image}`).sort();
    const isReported = () =>
      eventually(async () =>
        expect((await stage.condition(Booth, 'sided', 'Drifted'))?.message).toMatch(
          /containers\[name=sidecar\] .* by rival \(Apply\)/,
        ),
      );
    await stage.wish(Booth, 'sided', {});
    await stage.settled(Booth, 'sided');
    await stage.quiet();
    const sidecar = { spec: { template: { spec: { containers: [{ name: 'sidecar', image: 'side:1' }] } } } };
    await stage.admin.apply(
      Deployment,
      { apiVersion, kind, metadata: target, ...sidecar },
      { fieldManager: 'rival', force: false },
    );
    await isReported();

    await stage.wish(Booth, 'sided', { cpu: '2' });
    await eventually(async () =>
      expect(await stage.condition(Booth, 'sided', 'Ready')).toMatchObject({
        reason: 'ApplyFailed',
        message: expect.stringMatching(/requests.*must be less than or equal to cpu limit/) as unknown,
      }),
    );
    await stage.quiet();
    expect(await images()).toEqual(['sidecar side:1', 'web nginx:1']);

    await stage.wish(Booth, 'sided', { image: 'nginx:2' });
    await eventually(async () => expect(await images()).toContain('web nginx:2'));
    await stage.quiet();
    expect(await images()).toEqual(['sidecar side:1', 'web nginx:2']);
    const writers = (await shown()).metadata.managedFields?.filter(({ fieldsV1 }) =>
      JSON.stringify(fieldsV1).includes('sidecar'),
    );
    expect(writers?.map(({ manager }) => manager)).toEqual(['rival']);
    await isReported();
  });

  it('is removed where it is a default of an item of a list that is to be something else', async () => {
    const volumes = async () => {
      const { spec } = (await stage.admin.get(Deployment, { namespace: 'default', name: 'moved-server' })) as never;
      return (spec as { template: { spec: { volumes?: unknown } } }).template.spec.volumes;
    };
    for (const volume of ['none', 'of no kind', 'secret']) {
      await stage.wish(Booth, 'moved', { volume });
      expect(await stage.settled(Booth, 'moved')).toBeUndefined();
      await stage.quiet();
    }
    expect(await volumes()).toEqual([{ name: 'a', secret: { secretName: 'a', defaultMode: 420 } }]);
  });

  it('D-02: is removed where it is in the way, though the child has a port of the node by itself', async () => {
    const target = { namespace: 'default', name: 'ported-service' };
    await stage.wish(Booth, 'ported', { nodePort: 30080 });
    await stage.settled(Booth, 'ported');
    await stage.quiet();
    const body = { spec: { ports: [{ port: 8080 }] } };
    await stage.admin.patch(Service, target, { type: 'merge', body }, { fieldManager: 'rival' });
    await eventually(async () =>
      expect(await stage.admin.get(Service, target)).toMatchObject({
        spec: { ports: [{ name: 'http', port: 80, nodePort: 30080 }] },
      }),
    );
  });

  it.each([
    ['nobody has', undefined],
    ['somebody has in part', { maxSurge: 2 }],
  ])('D-11: is a default of what is desired no more, which %s, and goes', async (_, rollingUpdate) => {
    const name = rollingUpdate ? 'surged' : 'rolled';
    const deployment = { namespace: 'default', name: `${name}-server` };
    const set = { namespace: 'default', name: `${name}-store` };
    const strategies = async () => [
      ((await stage.admin.get(Deployment, deployment)) as unknown as Rolled).spec.strategy,
      ((await stage.admin.get(StatefulSet, set)) as unknown as Rolled).spec.updateStrategy,
    ];
    await stage.wish(Booth, name, {});
    await stage.settled(Booth, name);
    // Now its defaults, which the POST had, are nobody's.
    await stage.wish(Booth, name, { image: 'nginx:2' });
    await stage.settled(Booth, name);
    await stage.quiet();
    if (rollingUpdate) {
      const body = { spec: { strategy: { rollingUpdate } } };
      await stage.admin.patch(Deployment, deployment, { type: 'merge', body }, { fieldManager: 'rival' });
      await stage.quiet();
    }

    await stage.wish(Booth, name, { image: 'nginx:2', isOneByOne: true });
    await eventually(async () => expect(await strategies()).toEqual([{ type: 'Recreate' }, { type: 'OnDelete' }]));
    // What its children's own controllers say of them is told in its status.
    await eventually(async () => {
      const { generation } = (await stage.get(Booth, name)).metadata;
      const ready = { status: 'True', observedGeneration: generation };
      expect(await stage.condition(Booth, name)).toMatchObject(ready);
    });
    await stage.quiet();
    expect(await stage.writesDuring(() => stage.quiet())).toEqual([]);
  });
});
