import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment, Service } from '../../../imports/k8s.js';
import { Memcached, memcached } from '../../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';

const group = 'memcached.cache.example.com';

describe('a custom resource', () => {
  let cluster: TestCluster;
  let controller: TestController;
  const apply = (size: number, annotations: Readonly<Record<string, string>> = {}) =>
    cluster.apply({
      apiVersion: Memcached.apiVersion,
      kind: Memcached.kind,
      metadata: { name: 'cache', annotations },
      spec: { size },
    });
  const status = async () => (await cluster.get(Memcached, 'cache')).status;
  const conditions = async () => (await status())?.conditions ?? [];

  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(memcached);
  });
  afterEach(() => cluster.stop());

  it('that is suspended is left alone, says so, and goes on where it is resumed', async () => {
    await apply(3);
    await cluster.settled();
    await apply(3, { [`${group}/reconcile`]: 'suspended' });
    await cluster.settled();
    const before = cluster.writes().length;
    expect(await conditions()).toContainEqual(
      expect.objectContaining({ type: 'Paused', status: 'True', reason: 'Suspended' }),
    );
    expect(await conditions()).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));

    await apply(5, { [`${group}/reconcile`]: 'suspended' });
    await cluster.delete(Service, 'cache-service');
    await cluster.settled();
    expect(cluster.writes(before)).toEqual([]);
    expect((await status())?.observedGeneration).toBe(1);

    await apply(5);
    await cluster.settled();
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(5);
    expect(await cluster.find(Service, 'cache-service')).toBeDefined();
    expect((await conditions()).map(({ type }) => type)).toEqual(['Ready']);
    expect((await status())?.observedGeneration).toBe(2);
  });

  it('that asks for what there is not is left alone, and says what to write', async () => {
    await apply(3);
    await cluster.settled();
    await apply(5, { [`${group}/reconcile`]: 'disabled' });
    await cluster.settled();
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(3);
    expect(await conditions()).toContainEqual(
      expect.objectContaining({
        type: 'Stalled',
        message: `Memcached/default/cache asks for "disabled" in ${group}/reconcile; write suspended, or remove the annotation`,
      }),
    );
    await apply(5, { [`${group}/reconcile`]: '' });
    await cluster.settled();
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(5);
    expect((await conditions()).map(({ type }) => type)).toEqual(['Ready']);
  });

  it('that is suspended is left alone by a process that has not heard of that yet', async () => {
    await apply(3);
    await cluster.settled();
    const untilNow = controller.faults.goBack(Memcached);
    await apply(3, { [`${group}/reconcile`]: 'suspended' });
    await cluster.settled();
    const letGo = controller.faults.holdWatch(Memcached);
    await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 7 } });
    const before = cluster.writes().length;
    controller.restart();
    await cluster.advance(60);
    expect(cluster.writes(before)).toEqual([]);
    untilNow();
    letGo();
    await cluster.settled();
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(7);
  });

  it('that is suspended from the start has no children until it is resumed', async () => {
    await apply(1, { [`${group}/reconcile`]: 'suspended' });
    await cluster.settled();
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
    expect((await conditions()).map(({ type }) => type)).toEqual(['Paused']);
    await apply(1);
    await cluster.settled();
    expect(await cluster.find(Deployment, 'cache-server')).toBeDefined();
  });

  it('shows which request to reconcile was handled last, and not while it is suspended', async () => {
    await apply(1);
    await cluster.settled();
    await apply(1, { [`${group}/requested-at`]: '2026-01-02T10:00:00Z' });
    await cluster.settled();
    const handled = async () => ((await status()) as { lastHandledReconcileAt?: string }).lastHandledReconcileAt;
    expect(await handled()).toBe('2026-01-02T10:00:00Z');

    const later = { [`${group}/requested-at`]: '2026-01-02T11:00:00Z' };
    await apply(1, { ...later, [`${group}/reconcile`]: 'suspended' });
    await cluster.settled();
    expect(await handled()).toBe('2026-01-02T10:00:00Z');
    await apply(1, later);
    await cluster.settled();
    expect(await handled()).toBe('2026-01-02T11:00:00Z');
  });
});
