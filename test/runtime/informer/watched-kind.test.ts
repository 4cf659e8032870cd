import { expect, it } from '@jest/globals';
import { GoneError, TransportError } from '../../../src/client/api-error.js';
import type { Cluster, ListOptions } from '../../../src/client/cluster.js';
import { sleep } from '../../../src/kube/clock.js';
import { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { silentLog } from '../../../src/runtime/telemetry/log.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap, configMaps } from '../an-object.js';

function live(list: (options: ListOptions, clock: VirtualClock) => Promise<object>, namespaces?: readonly string[]) {
  const clock = new VirtualClock();
  const cluster = { list: (_: unknown, options: ListOptions) => list(options, clock) } as unknown as Cluster;
  const kind = new WatchedKind({ cluster, resource: configMaps, clock, random: () => 0, log: silentLog, namespaces });
  const found = kind.live(cluster, {}, new AbortController().signal);
  return { clock, names: found.then((objects) => objects.map(({ metadata }) => metadata.name)) };
}
const gone = (rest?: string) =>
  new GoneError('the token has expired', {
    status: { code: 410, metadata: rest === undefined ? {} : { continue: rest } },
  });

it.each([
  ['what is left of it now, where the server offers that', 'the rest', ['a', 'b']],
  ['all at once, where it does not', undefined, ['all']],
])('what is watched is read to its end, though a list expires: %s', async (_, rest, names) => {
  const { names: read } = live(async ({ continue: token, limit }) => {
    if (limit === undefined) return { items: [configMap('all', 9)], resourceVersion: '9' };
    if (token === 'more') throw gone(rest);
    return token === undefined
      ? { items: [configMap('a', 1)], resourceVersion: '7', continue: 'more' }
      : { items: [configMap('b', 2)], resourceVersion: '9' };
  });
  expect(await read).toEqual(names);
});

it('what is watched is read in smaller pages on a link where large ones do not come in time', async () => {
  const { clock, names } = live(
    async ({ limit = 0, namespace }, time) => {
      await sleep(time, limit * 100);
      if (limit > 200) throw new TransportError('cut off');
      return { items: [configMap(`of-${namespace}`, 1)], resourceVersion: '7' };
    },
    ['one', 'two'],
  );
  await clock.advance(600_000);
  expect(await names).toEqual(['of-one', 'of-two']);
});
