import { expect, it } from '@jest/globals';
import { TransportError } from '../../../src/client/api-error.js';
import type { Cluster } from '../../../src/client/cluster.js';
import { processHeap } from '../../../src/runtime/process/give-back-memory.js';
import { Aside } from '../../../src/runtime/queue/aside.js';
import { recordEvents } from '../../../src/runtime/telemetry/events.js';
import { silentLog } from '../../../src/runtime/telemetry/log.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap } from '../an-object.js';

const megabyte = 2 ** 20;
/** As long as a condition's message may be. */
const longest = 32_000;

function heapUsed(): number {
  processHeap().collect();
  return processHeap().used;
}

it.each([
  ['were told', async () => {}],
  ['wait for an API server that is away', () => Promise.reject(new TransportError('down'))],
])(
  'events that %s are not remembered with all that was to be said: 64 megabytes, of which each shows one kilobyte',
  async (_, create) => {
    const clock = new VirtualClock();
    const aside = new Aside({ clock, idleSince: () => 0 });
    const cluster = { create } as unknown as Cluster;
    const events = recordEvents({
      cluster,
      clock,
      log: silentLog,
      aside,
      controller: 'example.com/us',
      instance: 'us-0',
    });
    const before = heapUsed();
    for (let n = 0; n < 2000; n++) {
      events.warn(configMap(`a-${n}`, n), 'ApplyFailed', `${n} ${Math.random()} `.padEnd(longest, `refused by ${n}, `));
      if (n % 100 === 0) await clock.advance(1000);
    }
    await clock.advance(10_000);
    expect(heapUsed() - before).toBeLessThan(16 * megabyte);
    // Still used.
    events.normal(configMap('a', 1), 'Ready', 'over');
  },
);
