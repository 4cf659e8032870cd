import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment, Event } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { runController } from '../../src/runtime/run-controller.js';
import { createLog } from '../../src/runtime/telemetry/log.js';
import { FaultyCluster } from '../../src/testing/faulty-cluster.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { PlannedFaults } from '../../src/testing/planned-faults.js';
import { conditionIn } from '../condition-in.js';

interface Line {
  readonly level: string;
  readonly ts: string;
  readonly msg: string;
  readonly controller?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly reconcileID?: string;
  readonly error?: unknown;
}

describe('the log of a reconcile', () => {
  let cluster: TestCluster;
  let faults: PlannedFaults;
  const stop = { now: () => {} };
  let lines: Line[];

  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.install(memcached.resource.crd());
    const { clock, server } = cluster;
    lines = [];
    faults = new PlannedFaults(() => String(server.store.revision), clock);
    const faulty = new FaultyCluster({
      cluster: server.cluster(),
      faults,
      clock,
      network: clock,
      crash() {},
      carriedOut() {},
    });
    const write = (line: string) => lines.push(JSON.parse(line) as Line);
    const log = createLog({ level: 'debug', format: 'json', write });
    const abort = new AbortController();
    stop.now = () => abort.abort(new Error('stopped'));
    runController({ operators: [memcached], cluster: faulty, clock, random: () => 0.5, log }, abort.signal);
    await cluster.advance(0);
  });
  afterEach(async () => {
    stop.now();
    await cluster.stop();
  });

  const apply = (name: string, size = 1) =>
    cluster.apply({ apiVersion: Memcached.apiVersion, kind: Memcached.kind, metadata: { name }, spec: { size } });

  it('has the keys that others have, and one id for all lines of one reconcile and no other', async () => {
    await apply('a');
    await apply('b');
    await cluster.settled();
    await cluster.patch(Deployment, 'a-server', { spec: { replicas: 5 } });
    await cluster.settled();
    const reconciles = lines.filter(({ reconcileID }) => reconcileID !== undefined);
    expect(reconciles.map(({ msg, name }) => `${msg} ${name}`)).toEqual([
      'Reconciled a',
      'Reconciled b',
      'Reconciled a',
      'Corrected drift a',
    ]);
    for (const line of reconciles) {
      expect(line).toMatchObject({
        level: 'info',
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        controller: 'memcached',
        namespace: 'default',
      });
    }
    const [first, second, third, fourth] = reconciles.map(({ reconcileID }) => reconcileID);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(fourth).toBe(third);
  });

  it('says an error once, however often it is tried again, in the words of the condition and the event', async () => {
    faults.refuse({ verb: 'create', kind: 'Deployment' }, { code: 500, times: 20 });
    await apply('a');
    await cluster.advance(1);
    expect(lines.filter(({ msg }) => msg === 'Failed to reconcile again').length).toBeGreaterThan(3);
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    const ready = conditionIn(await cluster.get(Memcached, 'a'));
    const [event] = (await cluster.list(Event)) as unknown as { note?: string; message?: string; reason: string }[];
    expect(errors[0]?.msg).toBe('Failed to reconcile');
    expect(errors[0]?.error).toBe(ready?.message);
    expect(event?.note ?? event?.message).toBe(ready?.message);
    expect(event?.reason).toBe(ready?.reason);
  });
});
