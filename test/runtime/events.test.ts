import { expect, it } from '@jest/globals';
import type { Cluster } from '../../src/client/cluster.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { Aside } from '../../src/runtime/aside.js';
import { recordEvents } from '../../src/runtime/events.js';
import { LineLog } from '../../src/testing/line-log.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { configMap } from './an-object.js';

it('many events of one reason with other notes each are counted up on one, until they become rare', async () => {
  const clock = new VirtualClock();
  const written: string[] = [];
  const cluster = {
    create: async (_: unknown, { note }: { note: string }) => {
      written.push(note);
    },
    patch: async (_: unknown, __: unknown, { body }: { body: { series: { count: number } } }) => {
      written.push(`up to ${body.series.count}`);
    },
  } as unknown as Cluster;
  const aside = new Aside({ clock, idleSince: () => 0 });
  const log = new LineLog([], clock);
  const events = recordEvents({ cluster, clock, log, aside, controller: 'x/us', instance: 'us' });
  const about: KubeObject = configMap('a', 1);
  for (let index = 1; index <= 13; index++) {
    events.warn(about, 'ApplyFailed', `port ${index}`);
    await clock.advance(1000);
  }
  const ten = Array.from({ length: 10 }, (_, index) => `port ${index + 1}`);
  expect(written).toEqual([...ten, '(combined from similar events): port 11', 'up to 2', 'up to 3']);

  await clock.advance(600_000);
  events.warn(about, 'ApplyFailed', 'port 14');
  await clock.advance(1000);
  expect(written.at(-1)).toBe('port 14');
});
