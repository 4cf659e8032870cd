import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment } from '../../../../imports/k8s.js';
import { Memcached, memcached } from '../../../../src/operators/memcached.js';
import { startCluster, type TestCluster } from '../../../../src/testing/index.js';
import { type Family, sampleOf } from './exposition.js';
import { type MeasuredController, runMeasured } from './measured-controller.js';

const controller = 'memcached';
const queue = { name: controller, controller };
const names = Array.from({ length: 10 }, (_, index) => `cache-${index}`);

let cluster: TestCluster;
let measured: MeasuredController;

const custom = (name: string, size = 1) => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name },
  spec: { size },
});

async function start(): Promise<void> {
  cluster = await startCluster();
  measured = await runMeasured(cluster, [memcached]);
}

async function end(): Promise<void> {
  measured.stop();
  await cluster.stop();
}

/** The samples of one name, by the labels that are asked for. */
function by(families: readonly Family[], name: string, ...labels: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    families
      .flatMap(({ samples }) => samples)
      .filter((sample) => sample.name === name)
      .map((sample) => [labels.map((label) => sample.labels[label]).join(' '), sample.value]),
  );
}

it('count a drift once, however often its correction is tried in vain', async () => {
  await start();
  await cluster.apply(custom('cache'));
  await cluster.settled();
  const found = async () =>
    sampleOf(await measured.scrape(), 'kilter_drift_detected_total', {
      controller,
      kind: 'Deployment',
      mode: 'enforce',
    });
  let tries = 0;
  measured.faults.observe(({ verb, kind }) => {
    if (verb === 'apply' && kind === 'Deployment') tries++;
  });
  for (const code of [422, 500]) {
    const before = [tries, (await found()) ?? 0] as const;
    measured.faults.refuse({ verb: 'apply', kind: 'Deployment', name: 'cache-server' }, { code, times: 1000 });
    await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 7 } });
    await cluster.advance(1000);
    expect(tries - before[0]).toBeGreaterThan(2);
    expect(await found()).toBe(before[1] + 1);
    measured.faults.clear();
    await cluster.advance(1000);
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(1);
    expect(await found()).toBe(before[1] + 1);
  }
  await end();
});

it('count a fight once, however long it lasts', async () => {
  await start();
  await cluster.apply(custom('cache'));
  await cluster.settled();
  const fights = async () =>
    sampleOf(await measured.scrape(), 'kilter_fights_total', { controller, kind: 'Deployment' });
  for (const minutes of [1, 60]) {
    for (let second = 0; second < 60 * minutes; second++) {
      const { spec } = await cluster.get(Deployment, 'cache-server');
      if (spec?.replicas === 1)
        await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } }, { manager: 'rival' });
      await cluster.advance(1);
    }
    expect(await fights()).toBe(1);
  }
  await end();
});

describe('the metrics of ten custom resources, one drift and one error', () => {
  let told: readonly Family[];
  beforeAll(async () => {
    await start();
    for (const name of names) await cluster.apply(custom(name));
    await cluster.settled();
    await cluster.patch(Deployment, 'cache-3-server', { spec: { replicas: 7 } });
    await cluster.settled();
    measured.faults.refuse({ verb: 'apply', kind: 'Deployment', name: 'cache-4-server' }, { code: 500 });
    await cluster.apply(custom('cache-4', 2));
    await cluster.settled();
    told = await measured.scrape();
  });
  afterAll(end);

  it('count what was written of children', () => {
    expect(by(told, 'kilter_apply_total', 'kind', 'action')).toEqual({
      'Deployment created': 10,
      'Service created': 10,
      'Deployment corrected': 1,
      // The refused one, and then the one that went through.
      'Deployment skipped': 1,
      'Deployment configured': 1,
    });
    expect(by(told, 'kilter_prune_total')).toEqual({});
  });

  it('count the drift that was found and corrected', () => {
    const labels = { controller, kind: 'Deployment', mode: 'enforce' };
    expect(sampleOf(told, 'kilter_drift_detected_total', labels)).toBe(1);
    expect(sampleOf(told, 'kilter_drift_corrected_total', labels)).toBe(1);
  });

  it('count the error once, with the reason of its condition, and the retry', () => {
    expect(by(told, 'kilter_reconcile_failures_total', 'controller', 'reason')).toEqual({
      'memcached ApplyFailed': 1,
    });
    expect(sampleOf(told, 'controller_runtime_reconcile_errors_total', { controller })).toBe(1);
    expect(sampleOf(told, 'controller_runtime_terminal_reconcile_errors_total', { controller })).toBe(0);
    expect(sampleOf(told, 'controller_runtime_reconcile_panics_total', { controller })).toBe(0);
    expect(sampleOf(told, 'workqueue_retries_total', queue)).toBe(1);
  });

  it('count each reconcile once, by how it ended', () => {
    const results = by(told, 'controller_runtime_reconcile_total', 'result');
    expect(Object.keys(results)).toEqual(['success', 'error', 'requeue', 'requeue_after']);
    expect(results['error']).toBe(1);
    expect(results['success']).toBeGreaterThanOrEqual(12);
    const all = Object.values(results).reduce((sum, count) => sum + count, 0);
    expect(sampleOf(told, 'controller_runtime_reconcile_time_seconds_count', { controller })).toBe(all);
    expect(sampleOf(told, 'workqueue_work_duration_seconds_count', queue)).toBe(all);
    expect(sampleOf(told, 'workqueue_queue_duration_seconds_count', queue)).toBe(all);
    expect(sampleOf(told, 'workqueue_adds_total', queue)).toBe(all);
  });

  it('show that nothing is left to do', () => {
    expect(sampleOf(told, 'workqueue_depth', queue)).toBe(0);
    expect(sampleOf(told, 'workqueue_unfinished_work_seconds', queue)).toBe(0);
    expect(sampleOf(told, 'workqueue_longest_running_processor_seconds', queue)).toBe(0);
    expect(sampleOf(told, 'controller_runtime_active_workers', { controller })).toBe(0);
    expect(sampleOf(told, 'controller_runtime_max_concurrent_reconciles', { controller })).toBe(
      memcached.maxConcurrentReconciles,
    );
  });

  it('count what is in the stores', () => {
    expect(by(told, 'kilter_custom_resources', 'ready')).toEqual({ True: 10, False: 0, Unknown: 0 });
    expect(by(told, 'kilter_inventory_objects', 'kind')).toEqual({ Deployment: 10, Service: 10 });
    expect(by(told, 'kilter_store_objects', 'resource')).toEqual({
      'memcacheds.memcached.cache.example.com': 10,
      'deployments.apps': 10,
      // And the one of the API server.
      services: 11,
      pods: 11,
    });
    expect(Object.values(by(told, 'kilter_informer_synced', 'resource'))).toEqual([1, 1, 1, 1]);
    expect(Object.values(by(told, 'kilter_informer_lists_total', 'resource'))).toEqual([1, 1, 1, 1]);
  });

  it('show that nobody has fought, so that the first who does is an increase', () => {
    expect(by(told, 'kilter_fights_total', 'kind')).toEqual({ Memcached: 0, Deployment: 0, Service: 0 });
  });

  it('name no custom resource, no child and no namespace', async () => {
    const text = await measured.metrics.text();
    expect(text).not.toMatch(/cache-\d|default/);
  });
});

describe('the metrics of failures', () => {
  beforeEach(start);
  afterEach(end);

  it('tell what trying again cannot help', async () => {
    measured.faults.refuse({ verb: 'create', kind: 'Deployment' }, { code: 422 });
    await cluster.apply(custom('refused'));
    const told = await measured.scrape();
    expect(sampleOf(told, 'controller_runtime_terminal_reconcile_errors_total', { controller })).toBe(1);
    expect(by(told, 'kilter_custom_resources', 'ready')).toEqual({ True: 0, False: 1, Unknown: 0 });
  });

  it('count watches that began anew, by why', async () => {
    measured.faults.breakWatch(Deployment);
    await cluster.advance(60);
    expect(by(await measured.scrape(), 'kilter_informer_restarts_total', 'resource', 'reason')).toEqual({
      'deployments.apps failed': 1,
    });
  });

  it('show work that is under way', async () => {
    measured.faults.delay({ verb: 'create', kind: 'Deployment' }, 20);
    await cluster.apply(custom('slow'));
    await cluster.advance(5);
    const told = await measured.scrape();
    expect(sampleOf(told, 'controller_runtime_active_workers', { controller })).toBe(1);
    expect(sampleOf(told, 'workqueue_unfinished_work_seconds', queue)).toBe(5);
    expect(sampleOf(told, 'workqueue_longest_running_processor_seconds', queue)).toBe(5);
  });
});

it('drift that is only reported is counted as that, and no correction', async () => {
  const other = await startCluster();
  const reporting = await runMeasured(other, [memcached], { driftMode: 'report' });
  await other.apply(custom('a'));
  await other.settled();
  // Children that are missing and are not made.
  const told = await reporting.scrape();
  const labels = { controller, kind: 'Deployment' };
  expect(sampleOf(told, 'kilter_drift_detected_total', { ...labels, mode: 'report' })).toBeGreaterThan(0);
  expect(sampleOf(told, 'kilter_drift_detected_total', { ...labels, mode: 'enforce' })).toBeUndefined();
  expect(by(told, 'kilter_drift_corrected_total')).toEqual({});
  reporting.stop();
  await other.stop();
});
