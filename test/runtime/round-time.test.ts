import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { Cluster } from '../../src/client/cluster.js';
import { sleep } from '../../src/kube/clock.js';
import { RoundLimits } from '../../src/runtime/round-limits.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

it.each<[string, readonly number[], number]>([
  ['one after the other', [0, 10], 80],
  ['at the same time', [0, 0, 0, 0], 70],
  ['in part at the same time', [0, 5], 75],
])('a round gets back the time of calls that are answered, once: %s', async (_, starts, endsAfter) => {
  const clock = new VirtualClock();
  const list = async () => {
    await sleep(clock, 10_000);
    return { items: [], resourceVersion: '1' };
  };
  const limits = new RoundLimits({ list } as unknown as Cluster, clock);
  const { signal } = limits.begin(new AbortController().signal);
  for (const at of starts) clock.after(at * 1000, () => void limits.cluster.list(ConfigMap, { signal }));

  await clock.advance(endsAfter * 1000 - 1);
  expect(signal.aborted).toBe(false);
  await clock.advance(1);
  expect(signal.aborted).toBe(true);
});
