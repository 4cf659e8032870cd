import { expect, it } from '@jest/globals';
import type { CallOptions, Cluster } from '../../../src/client/cluster.js';
import { DeadlineError } from '../../../src/client/deadline-error.js';
import { sleep } from '../../../src/kube/clock.js';
import { Hangs } from '../../../src/runtime/informer/hangs.js';
import { hedgedCluster } from '../../../src/runtime/informer/hedged-cluster.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap } from '../an-object.js';

const kind = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

it('what comes by and by of a large object is waited for, as one who asks once waits', async () => {
  const clock = new VirtualClock();
  /** By a link of little bandwidth: a call whose caller sets no time goes on for as long as its answer flows. */
  const get = async (...[, , { signal, timeoutSeconds = 120 } = {}]: [unknown, unknown, CallOptions?]) => {
    await sleep(clock, Math.min(50, timeoutSeconds) * 1000, signal);
    if (timeoutSeconds < 50) throw new DeadlineError(`no answer within ${timeoutSeconds} s`);
    return configMap('a', 1);
  };
  const cluster = hedgedCluster({ get } as Cluster, clock, new Hangs(clock));
  const reading = cluster.get(kind, { namespace: 'default', name: 'a' });
  reading.catch(() => {});
  await clock.advance(50_000);
  expect((await reading).metadata.name).toBe('a');
});

it.each([
  ['one that is slow, and answers the first', [6, 6, 6], 0],
  ['one that is slow, and answers the first after all were asked', [12, 12, 12], 0],
  ['one that answers the second, and not the first', [20, 1, 1], 1],
  ['one that answers the third, and not the two before', [20, 20, 1], 1],
  ['one that answers none before the caller gives up', [30, 30, 30], 0],
])('of %s it is told only where it hangs', async (_, seconds, times) => {
  const clock = new VirtualClock();
  const hangs = new Hangs(clock);
  let heard = 0;
  hangs.subscribe(() => heard++);
  const answers = [...seconds];
  const get = async (...[, , { signal } = {}]: [unknown, unknown, CallOptions?]) => {
    await sleep(clock, answers.shift()! * 1000, signal);
    return configMap('a', 1);
  };
  const caller = new AbortController();
  const { signal } = caller;
  const reading = hedgedCluster({ get } as Cluster, clock, hangs).get(
    kind,
    { namespace: 'default', name: 'a' },
    { signal },
  );
  reading.catch(() => {});
  await clock.advance(18_000);
  caller.abort(new Error('it is not needed any more'));
  await reading.catch(() => {});
  await clock.advance(1000);
  expect(heard).toBe(times);
});
