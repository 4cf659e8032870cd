/** One life, told in order on one cluster. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Deployment, Service } from '../../imports/k8s.js';
import { type KubeObject, operator } from '../../src/index.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import type { CommonStatus } from '../cluster/stage.js';
import { LifeStage } from './life-stage.js';

interface Status extends CommonStatus {
  readonly nodes?: readonly string[];
  readonly readyReplicas?: number;
}
const isReady = ({ conditions = [] }: Status) =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
const memcachedNamed = (name: string, spec: object) => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name },
  spec,
});

onEveryCluster('the life of a Memcached', { controllerManager: true, audit: true }, (plane) => {
  const stage = new LifeStage(plane, [memcached]);
  const namespace = stage.home;
  const server = () => stage.get(Deployment, 'cache-server');
  const service = () => stage.get(Service, 'cache-service');
  const ready = () => stage.ready<Status>(Memcached, 'cache');

  it('begins with its children and a status', async () => {
    await stage.apply(memcachedNamed('cache', { size: 3 }));

    const status = await ready();
    const { stdout } = await plane().kubectl([
      'get',
      'pods',
      '-l',
      'memcached.cache.example.com/name=cache',
      '-o',
      'json',
    ]);
    const pods = JSON.parse(stdout) as { items: KubeObject[] };
    expect(status.readyReplicas).toBe(3);
    expect(status.nodes).toEqual(pods.items.map(({ metadata }) => metadata.name).sort());
    expect(status.observedGeneration).toBe(1);
    expect((await service()).metadata.ownerReferences?.[0]?.kind).toBe('Memcached');
  });

  it('shows itself in kubectl', async () => {
    const [head = '', row = ''] = (await plane().kubectl(['get', 'mc'])).stdout.split('\n');
    expect(head.trim().split(/\s+/)).toEqual(['NAME', 'SIZE', 'PODS', 'READY', 'STATUS', 'AGE']);
    expect(row.split(/\s+/).slice(0, 5)).toEqual(['cache', '3', '3', 'True', 'ReconciliationSucceeded']);
  });

  it('follows a change of its spec, and kubectl scale', async () => {
    await plane().kubectl(['patch', 'memcached', 'cache', '--type=merge', '-p', '{"spec":{"size":2}}']);
    await eventually(async () => expect((await server()).spec?.replicas).toBe(2));

    await plane().kubectl(['scale', 'memcached', 'cache', '--replicas=4']);
    await eventually(async () => expect((await server()).spec?.replicas).toBe(4));
    await stage.ready(Memcached, 'cache', { readyReplicas: 4 });
    const scale = `/apis/${Memcached.apiVersion}/namespaces/${stage.home}/memcacheds/cache/scale`;
    const { stdout } = await plane().kubectl(['get', '--raw', scale]);
    expect(JSON.parse(stdout)).toMatchObject({
      spec: { replicas: 4 },
      status: { replicas: 4, selector: 'memcached.cache.example.com/name=cache' },
    });
  });

  it.each([
    ['an owned field that was changed', { spec: { replicas: 9 } }],
    ['an owned label that was removed', { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } }],
    [
      'a field of a list that was changed',
      { spec: { template: { spec: { containers: [{ name: 'memcached', image: 'other' }] } } } },
    ],
  ])('puts back %s, by one write', async (_, patch) => {
    // Within a second, which is told in virtual time: here a machine may stand still for longer.
    await stage.quiet();
    const wanted = await server();
    const writes = await stage.writesDuring(async () => {
      await plane().kubectl(['patch', 'deployment', 'cache-server', '--type=strategic', '-p', JSON.stringify(patch)]);
      await eventually(async () => {
        const now = await server();
        expect(now.metadata.resourceVersion).not.toBe(wanted.metadata.resourceVersion);
        expect(now.spec).toEqual(wanted.spec);
        expect(now.metadata.labels).toEqual(wanted.metadata.labels);
      });
      await stage.quiet();
    });
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'deployments')).toHaveLength(1);
    await ready();
  });

  it('makes a deleted child again', async () => {
    const { uid } = (await service()).metadata;
    await plane().kubectl(['delete', 'service', 'cache-service']);
    await eventually(async () => expect((await service()).metadata.uid).not.toBe(uid));
  });

  it('says in an event who changed what', async () => {
    await eventually(async () => {
      const { stdout } = await plane().kubectl(['get', 'events.events.k8s.io', '-o', 'json']);
      const { items } = JSON.parse(stdout) as {
        items: readonly { readonly reason?: string; readonly note?: string }[];
      };
      const notes = items.filter(({ reason }) => reason === 'DriftCorrected').map(({ note }) => note);
      expect(notes).toContainEqual(
        expect.stringMatching(
          /^Deployment\/cache-server: spec\.replicas 4 → 9 by kubectl-patch \(Update, [-0-9T:]+Z\)$/,
        ),
      );
    });
  });

  it('leaves alone what others added', async () => {
    const writes = await stage.writesDuring(async () => {
      await plane().kubectl(['annotate', 'service', 'cache-service', 'someone.example.com/note=theirs']);
      await plane().kubectl(['patch', 'memcached', 'cache', '--type=merge', '-p', '{"spec":{"size":5}}']);
      await eventually(async () => expect((await server()).spec?.replicas).toBe(5));
    });
    expect((await service()).metadata.annotations?.['someone.example.com/note']).toBe('theirs');
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'services')).toEqual([]);
  });

  it('loses a field and a child that its operator no longer composes', async () => {
    const version = (fields: object) =>
      operator(Memcached, {
        owns: [Deployment, Service],
        compose(scope, cr) {
          const labels = { app: cr.metadata.name };
          const template = { metadata: { labels }, spec: { containers: [{ name: 'memcached', image: 'memcached' }] } };
          new Deployment(scope, 'versioned', {
            spec: { replicas: 0, selector: { matchLabels: labels }, template, ...fields },
          });
        },
      });
    const versioned = () => stage.get(Deployment, 'cache-versioned');

    await stage.stop();
    await stage.start([version({ minReadySeconds: 7, revisionHistoryLimit: 3 })]);
    await eventually(async () => expect((await versioned()).spec?.minReadySeconds).toBe(7));
    await stage.stop();
    await stage.start([version({ revisionHistoryLimit: 4 })]);
    await eventually(async () => expect((await versioned()).spec?.revisionHistoryLimit).toBe(4));
    expect((await versioned()).spec?.minReadySeconds).toBeUndefined();

    // The shipped version does not know this child at all.
    await stage.stop();
    await stage.start();
    await eventually(async () => expect((await server()).spec?.replicas).toBe(5));
    await eventually(() => expect(versioned()).rejects.toThrow('not found'));
  });

  it.each([
    [
      'a size that is too large',
      { size: 11 },
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    [
      'a size below zero',
      { size: -1 },
      'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0',
    ],
    ['no size', {}, 'spec.size: Required value'],
    ['a size of the wrong type', { size: 'three' }, 'spec.size: Invalid value: "string"'],
    [
      'an image that ends in a line break',
      { size: 3, image: 'memcached:1.6\n' },
      'spec.image: Invalid value: "memcached:1.6\\n": spec.image in body should match',
    ],
    ['a key with a wrong capital', { Size: 3, size: 3 }, 'unknown field "spec.Size"'],
  ])('is refused with %s', async (_, spec, words) => {
    await stage.refuses(Memcached, spec, words);
  });

  it('converges when two hundred are made at once', async () => {
    const items = Array.from({ length: 200 }, (_, index) => memcachedNamed(`many-${index}`, { size: 0 }));
    await stage.apply({ apiVersion: 'v1', kind: 'List', items });

    await eventually(async () => {
      const { items: found } = await stage.admin.list(Memcached, { namespace });
      const many = found.filter(({ metadata }) => metadata.name.startsWith('many-')) as (KubeObject & {
        status?: Status;
      })[];
      expect(many.filter(({ status = {} }) => isReady(status))).toHaveLength(200);
    }, 60);
    const { items: services } = await stage.admin.list(Service, { namespace });
    expect(services.filter(({ metadata }) => /^many-\d+-service$/.test(metadata.name))).toHaveLength(200);
  });

  it('is not written to when its controller restarts and nothing has drifted', async () => {
    await ready();
    expect(await stage.writesOfRestart()).toEqual([]);
  });

  it('costs neither a write nor a read while nothing happens for a minute', async () => {
    let writes: readonly unknown[] = [];
    const reads = await stage.readsDuring(async () => {
      writes = await stage.writesDuring(() => sleep(60_000));
    });
    expect([writes, reads]).toEqual([[], []]);
  });

  it('ends together with its children', async () => {
    await plane().kubectl(['delete', 'memcached', '--all', '--wait=false']);
    await eventually(async () => {
      const left = [
        ...(await stage.admin.list(Deployment, { namespace })).items,
        ...(await stage.admin.list(Service, { namespace })).items,
      ];
      expect(left.map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
    }, 180);
  }, 210_000);
});
