import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Memcached, memcached } from '../../../src/operators/memcached.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';

const group = 'memcached.cache.example.com';

describe('the conditions of a custom resource', () => {
  let cluster: TestCluster;
  const apply = (annotations: Readonly<Record<string, string>> = {}) =>
    cluster.apply({
      apiVersion: Memcached.apiVersion,
      kind: Memcached.kind,
      metadata: { name: 'cache', annotations },
      spec: { size: 1 },
    });
  const suspended = { [`${group}/reconcile`]: 'suspended' };
  const types = async () => {
    const { status } = await cluster.get(Memcached, 'cache');
    return (status?.conditions ?? []).map(({ type }) => type).sort();
  };

  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.run(memcached);
    await apply();
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  it('end when they are not true any more, though somebody reset who owns them', async () => {
    await apply(suspended);
    await cluster.settled();
    expect(await types()).toEqual(['Paused', 'Ready']);
    await cluster.patch(Memcached, 'cache', { metadata: { managedFields: [{}] } });
    await cluster.patch(Memcached, 'cache', { metadata: { annotations: null } });
    await cluster.settled();
    expect(await types()).toEqual(['Ready']);

    const before = cluster.writes().length;
    await cluster.patch(Memcached, 'cache', { metadata: { managedFields: [{}] } });
    await cluster.settled();
    await apply({ note: 'x' });
    await cluster.settled();
    expect(await types()).toEqual(['Ready']);
    expect(cluster.writes(before)).toEqual([]);
  });

  it('that others say stay theirs, and are no reason to write', async () => {
    const reviewed = {
      ...{ type: 'Reviewed', status: 'True', reason: 'Looked', message: 'Somebody looked' },
      lastTransitionTime: '2026-01-02T03:04:05Z',
    };
    const { status } = await cluster.get(Memcached, 'cache');
    const conditions = [...(status?.conditions ?? []), reviewed];
    await cluster.patch(Memcached, 'cache', { status: { conditions } }, { manager: 'reviewer', subresource: 'status' });
    await cluster.settled();
    const before = cluster.writes().length;
    await apply({ note: 'x' });
    await cluster.settled();
    expect(cluster.writes(before)).toEqual([]);
    await apply(suspended);
    await cluster.settled();
    expect(await types()).toEqual(['Paused', 'Ready', 'Reviewed']);
    await apply();
    await cluster.settled();
    expect(await types()).toEqual(['Ready', 'Reviewed']);
    const { metadata } = await cluster.get(Memcached, 'cache');
    const owners = (metadata.managedFields ?? []).filter(({ fieldsV1 }) =>
      JSON.stringify(fieldsV1).includes('Reviewed'),
    );
    expect(owners.map(({ manager }) => manager)).toEqual(['reviewer']);
  });
});
