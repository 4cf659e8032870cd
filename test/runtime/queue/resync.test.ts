import { describe, expect, it } from '@jest/globals';
import { memcached } from '../../../src/operators/memcached.js';
import { resync } from '../../../src/runtime/queue/resync.js';
import { startCluster } from '../../../src/testing/index.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { sampleOf } from '../telemetry/metrics/exposition.js';
import { runMeasured } from '../telemetry/metrics/measured-controller.js';

describe('a resync', () => {
  it('comes again and again, a little later each time than asked for, until it is stopped', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const looks: number[] = [];
    resync({ seconds: 100, clock, random: () => 0.5, look: () => looks.push(clock.monotonic()) }, stop.signal);
    await clock.advance(320_000);
    expect(looks).toEqual([105_000, 210_000, 315_000]);
    stop.abort();
    expect(clock.timers).toBe(0);
  });

  it('looks at every custom resource, and writes nothing where all is well', async () => {
    const cluster = await startCluster();
    const measured = await runMeasured(cluster, [memcached], { resyncSeconds: 3600 });
    for (const name of ['a', 'b', 'c']) {
      await cluster.apply({ ...memcachedOf(name) });
    }
    await cluster.settled();
    const reconciles = async () =>
      sampleOf(await measured.scrape(), 'controller_runtime_reconcile_total', {
        controller: 'memcached',
        result: 'success',
      }) ?? 0;
    const before = await reconciles();
    const changed: string[] = [];
    const stop = cluster.server.store.listen(({ type, object }) => changed.push(`${object.kind} ${type}`));
    await cluster.advance(3600 * 1.06);
    expect((await reconciles()) - before).toBe(3);
    stop();
    // Events go by themselves after an hour.
    expect(changed.filter((change) => change !== 'Event DELETED')).toEqual([]);
    measured.stop();
    await cluster.stop();
  });
});

function memcachedOf(name: string) {
  const { apiVersion, kind } = memcached.resource;
  return { apiVersion, kind, metadata: { name }, spec: { size: 1 } };
}
