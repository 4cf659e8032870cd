import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { type MeasuredController, runMeasured } from './telemetry/metrics/measured-controller.js';

let cluster: TestCluster;
let measured: MeasuredController;

beforeEach(async () => {
  cluster = await startCluster();
  measured = await runMeasured(cluster, [memcached]);
  await cluster.advance(10);
});
afterEach(async () => {
  measured.stop();
  await cluster.stop();
});

const codes = () => [measured.probe('/healthz').code, measured.probe('/readyz').code];

describe('the probes of a running controller', () => {
  it('are content', () => {
    expect(measured.probe('/readyz?verbose').text).toBe(
      '[+]stores ok\n[+]watches ok\n[+]event-loop ok\nreadyz check passed\n',
    );
    expect(codes()).toEqual([200, 200]);
  });

  it('stay content in an hour in which nothing happens', async () => {
    await cluster.advance(3600);
    expect(codes()).toEqual([200, 200]);
  });

  it('see a watch that is cut off: not ready after minutes, not alive after more, and well when it is back', async () => {
    measured.faults.loseCall({ verb: ['watch', 'list'], kind: Deployment }, 1_000_000);
    measured.faults.breakWatch(Deployment);
    await cluster.advance(170);
    expect(codes()).toEqual([200, 200]);
    await cluster.advance(30);
    expect(codes()).toEqual([200, 503]);
    expect(measured.probe('/readyz').text).toBe('nothing is heard of deployments');
    await cluster.advance(110);
    expect(codes()).toEqual([503, 503]);
  });

  it('see a watch that is open and says nothing, and are well when it speaks again', async () => {
    const release = measured.faults.holdWatch(Deployment);
    await cluster.until(() => codes()[1] === 503, 'it is not ready', { timeoutSeconds: 240 });
    expect(measured.probe('/readyz').text).toBe('nothing is heard of deployments');
    release();
    await cluster.until(() => codes()[1] === 200, 'it is ready again', { timeoutSeconds: 90 });
  });

  it.each([403, 503])('do not take a %d for silence, since the API server is there, nor for news', async (code) => {
    measured.faults.refuse({ verb: ['watch', 'list'], kind: Deployment }, { code, times: 1_000_000 });
    measured.faults.breakWatch(Deployment);
    await cluster.advance(600);
    expect(codes()).toEqual([200, 503]);
    measured.faults.clear();
    await cluster.until(() => codes()[1] === 200, 'it is ready again', { timeoutSeconds: 90 });
  });
});
