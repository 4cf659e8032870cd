import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { untilSeen } from '../until-seen.js';
import { type Both, SideBySide } from './side-by-side.js';

const service = (name: string, spec: object) =>
  ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }) as never;

onRealCluster('what is allocated and released, beside the real API server', {}, (plane) => {
  let servers: SideBySide;
  beforeAll(() => {
    servers = new SideBySide(plane());
  });
  afterAll(async () => {
    await servers.close();
  });

  const same = ({ real, embedded }: Both) => {
    expect(embedded).toEqual(real);
    return real;
  };
  const codes = ({ real, embedded }: Both) => [real.code, embedded.code];

  it('has one address for one service, until that is gone', async () => {
    same(await servers.create('Service', service('a', { clusterIP: '10.0.0.50' })));
    expect(same(await servers.create('Service', service('b', { clusterIP: '10.0.0.50' })))).toMatchObject({
      code: 422,
      message: expect.stringContaining('failed to allocate IP 10.0.0.50: provided IP is already allocated'),
    });
    await servers.delete('Service', 'a');
    expect(same(await servers.create('Service', service('b', { clusterIP: '10.0.0.50' }))).code).toBe(201);
    await servers.delete('Service', 'b');
  });

  it('has one port of nodes for one service, until its type is another', async () => {
    const port = { clusterIP: '10.0.0.51', type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] };
    same(await servers.create('Service', service('a', port)));
    const other = service('b', { ...port, clusterIP: '10.0.0.52' });
    expect(same(await servers.create('Service', other)).message).toContain('provided port is already allocated');
    same(await servers.update('Service', 'a', { spec: { type: 'ClusterIP' } }));
    expect(same(await servers.create('Service', other)).code).toBe(201);
    expect(
      same(
        await servers.update('Service', 'a', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] } }),
      ).code,
    ).toBe(422);
    await servers.delete('Service', 'a');
    await servers.delete('Service', 'b');
  });

  it('releases the address of a service that becomes a name', async () => {
    same(await servers.create('Service', service('a', { clusterIP: '10.0.0.53' })));
    same(await servers.update('Service', 'a', { spec: { type: 'ExternalName', externalName: 'example.com' } }));
    expect(same(await servers.create('Service', service('b', { clusterIP: '10.0.0.53' }))).code).toBe(201);
    expect(codes(await servers.update('Service', 'a', { spec: { type: 'ClusterIP', externalName: null } }))).toEqual([
      200, 200,
    ]);
    await servers.delete('Service', 'a');
    await servers.delete('Service', 'b');
  });

  it('keeps the address that a patch takes away', async () => {
    const before = same(await servers.create('Service', service('a', { clusterIP: '10.0.0.54' })));
    const after = same(await servers.patch('Service', 'a', { spec: { clusterIP: null, clusterIPs: null } }));
    expect(after.object).toEqual(before.object);
    await servers.delete('Service', 'a');
  });

  it('gives a load balancer its ports, and a port for health that no other service gets', async () => {
    const balanced = {
      clusterIP: '10.0.0.55',
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 31_055,
      ports: [{ port: 80, nodePort: 31_056 }],
    };
    same(await servers.create('Service', service('a', balanced)));
    const taken = await servers.create(
      'Service',
      service('b', { ...balanced, clusterIP: '10.0.0.56', ports: [{ port: 80, nodePort: 31_057 }] }),
    );
    expect(same(taken).code).toBe(500);
    await servers.delete('Service', 'a');
  });

  it('gives storage of the default class to who names none', async () => {
    const isDefault = { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } };
    same(await servers.create('StorageClass', { metadata: { name: 'fast', ...isDefault }, provisioner: 'a.b' }));
    const claim = {
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    // The real server learns of a class by a watch.
    await untilSeen(async () => {
      const { real } = await servers.judge('PersistentVolumeClaim', claim);
      return JSON.stringify(real).includes('"storageClassName":"fast"');
    });
    same(await servers.judge('PersistentVolumeClaim', claim));
    same(await servers.judge('PersistentVolumeClaim', { ...claim, spec: { ...claim.spec, storageClassName: '' } }));
    await servers.delete('StorageClass', 'fast');
  });

  it('gives an Ingress of the default class to who names none', async () => {
    const isDefault = { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } };
    same(
      await servers.create('IngressClass', { metadata: { name: 'edge', ...isDefault }, spec: { controller: 'a.b/c' } }),
    );
    const ingress = {
      metadata: { name: 'a' },
      spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    };
    await untilSeen(async () =>
      JSON.stringify((await servers.judge('Ingress', ingress)).real).includes('"ingressClassName":"edge"'),
    );
    same(await servers.judge('Ingress', ingress));
    await servers.delete('IngressClass', 'edge');
  });

  it.each([true, false])('grows a bound claim when its class says so: %s', async (allowVolumeExpansion) => {
    const name = `class-${allowVolumeExpansion}`;
    same(await servers.create('StorageClass', { metadata: { name }, provisioner: 'a.b', allowVolumeExpansion }));
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: name,
      resources: { requests: { storage: '1Gi' } },
    };
    same(await servers.create('PersistentVolumeClaim', { metadata: { name: 'a' }, spec }));
    const bound = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
    same(await servers.update('PersistentVolumeClaim', 'a', bound, 'status'));
    const grow = { spec: { resources: { requests: { storage: '2Gi' } } } };
    await untilSeen(async () => {
      const { real } = await servers.update('PersistentVolumeClaim', 'a', grow, undefined, true);
      return (real.code === 200) === allowVolumeExpansion;
    });
    expect(same(await servers.update('PersistentVolumeClaim', 'a', grow)).code).toBe(allowVolumeExpansion ? 200 : 403);
    expect(
      same(
        await servers.update('PersistentVolumeClaim', 'a', { spec: { resources: { requests: { storage: '1Mi' } } } }),
      ).code,
    ).toBe(422);
    await servers.delete('PersistentVolumeClaim', 'a');
    await servers.delete('StorageClass', name);
  });

  it('has one default among priorities', async () => {
    same(await servers.create('PriorityClass', { metadata: { name: 'one' }, value: 1, globalDefault: true }));
    const other = { metadata: { name: 'two' }, value: 2, globalDefault: true };
    await untilSeen(async () => (await servers.judge('PriorityClass', other)).real.code === 403);
    same(await servers.judge('PriorityClass', other));
    same(await servers.update('PriorityClass', 'one', { description: 'a' }));
    await servers.delete('PriorityClass', 'one');
  });
});

describe('addresses and ports of the embedded server', () => {
  const allocated = (random: () => number) => {
    const { verbs, kinds } = new EmbeddedServer({ controllers: false, keepsUnenforced: true, random });
    const kind = kinds.resource('', 'v1', 'services')!;
    const create = (name: string) => {
      const { object } = verbs.create(kind, 'default', service(name, { type: 'NodePort' }), { caller: admin });
      const { clusterIP, ports } = (
        object as KubeObject & { spec: { clusterIP: string; ports: { nodePort: number }[] } }
      ).spec;
      return [clusterIP, ports[0]!.nodePort];
    };
    return ['a', 'b', 'c'].map(create);
  };

  it.each([
    [
      0,
      [
        ['10.0.1.1', 30_086],
        ['10.0.1.2', 30_087],
        ['10.0.1.3', 30_088],
      ],
    ],
    [
      0.999_999_9,
      [
        ['10.0.255.254', 32_767],
        ['10.0.1.1', 30_086],
        ['10.0.1.2', 30_087],
      ],
    ],
  ])('follow from chance %d, and never meet', (chance, expected) => {
    expect(allocated(() => chance)).toEqual(expected);
  });

  it('says so when there is no port left', () => {
    const { verbs, kinds, store } = new EmbeddedServer({ controllers: false, keepsUnenforced: true });
    const kind = kinds.resource('', 'v1', 'services')!;
    const ports = Array.from({ length: 2768 }, (_, index) => ({ port: index + 1, nodePort: 30_000 + index }));
    const metadata = { name: 'all', namespace: 'default' };
    store.put('services', { apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'NodePort', ports } } as never);
    expect(() => verbs.create(kind, 'default', service('a', { type: 'NodePort' }), { caller: admin })).toThrow(
      'Internal error occurred: failed to allocate a nodePort: range is full',
    );
  });
});
