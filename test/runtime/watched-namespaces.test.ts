import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment, Lease, type LeaseObject, Service } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import type { CallMatch, Faults } from '../../src/testing/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { runMeasured } from './telemetry/metrics/measured-controller.js';

const namespaces = ['a', 'b'];
const refuse = (faults: Faults, match: CallMatch) =>
  faults.refuse({ verb: ['watch', 'list'], ...match }, { code: 403, times: 1_000_000 });

describe('a controller of two namespaces', () => {
  let cluster: TestCluster;
  const served = async () =>
    (await cluster.list(Deployment)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
  const wish = (namespace: string, name: string, more: object = {}) =>
    cluster.apply({
      apiVersion: Memcached.apiVersion,
      kind: 'Memcached',
      metadata: { namespace, name },
      spec: { size: 1, ...more },
    });

  beforeEach(async () => {
    cluster = await startCluster();
    for (const name of namespaces) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  });
  afterEach(() => cluster.stop());

  /** A process that starts when `match` is refused, as it is where a Role went with its namespace. */
  const refused = async (match: CallMatch): Promise<TestController> => {
    const controller = await cluster.run(memcached, { namespaces, leaderElect: true });
    await controller.stop();
    for (const namespace of namespaces) await wish(namespace, 'old');
    refuse(controller.faults, match);
    controller.restart();
    await cluster.settled();
    return controller;
  };

  it('works in the one when the other was deleted, and its rights with it', async () => {
    await refused({ namespace: 'b' });
    await wish('a', 'new');
    await cluster.settled();
    expect(await served()).toEqual(['a/new-server', 'a/old-server']);
    const lease = (await cluster.get(Lease, 'kilter')) as LeaseObject;
    expect(lease.spec?.holderIdentity).toBe('controller-1');
  });

  it('begins in the other when it may look there', async () => {
    const { faults, log } = await refused({ namespace: 'b' });
    faults.clear();
    await cluster.until(async () => (await served()).includes('b/old-server'), 'it works there, too');
    await wish('b', 'new');
    await cluster.settled();
    expect(await served()).toEqual(['a/old-server', 'b/new-server', 'b/old-server']);
    const filled = log.filter(({ message }) => message === 'Stores are filled').slice(-2);
    expect(filled.map(({ data }) => data['namespace'])).toEqual(['a', 'b']);
  });

  it('does nothing where it sees one kind only, whatever changes there', async () => {
    const { faults, log } = await refused({ namespace: 'b', kind: Service });
    await wish('b', 'old', { size: 2 });
    await wish('b', 'new');
    await cluster.settled();
    expect(await served()).toEqual(['a/old-server']);
    expect(log.filter(({ message }) => message === 'Failed to watch').map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ resource: 'services', namespace: 'b' }),
    );
    faults.clear();
    await cluster.until(async () => (await served()).length === 3, 'it works there, too');
  });

  it('asks for no Lease where it sees neither', async () => {
    await refused({ kind: Service });
    const lease = (await cluster.get(Lease, 'kilter')) as LeaseObject;
    expect(lease.spec?.holderIdentity).toBe('');
    expect(await served()).toEqual([]);
  });

  it('is ready while it works in one, and not when it hears of neither', async () => {
    const faults = (faults: Faults) => refuse(faults, { namespace: 'b' });
    const measured = await runMeasured(cluster, [memcached], { namespaces, faults });
    await cluster.advance(600);
    expect(measured.probe('/readyz')).toEqual({ code: 200, text: 'ok' });
    const synced = (await measured.scrape()).find(({ name }) => name === 'kilter_informer_synced');
    expect(synced?.samples.map(({ value }) => value)).toEqual([0, 0, 0, 0]);

    refuse(measured.faults, { namespace: 'a' });
    for (const { resource } of measured.controller.informers) measured.faults.breakWatch(resource);
    await cluster.advance(200);
    expect(measured.probe('/readyz').code).toBe(503);
    measured.faults.clear();
    await cluster.until(() => measured.probe('/readyz').code === 200, 'it is ready again');
    measured.stop();
  });
});
