import { expect, it } from '@jest/globals';
import { GoneError, TransportError } from '../../../src/client/api-error.js';
import type { Cluster, ListOptions } from '../../../src/client/cluster.js';
import { sleep } from '../../../src/kube/clock.js';
import { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { silentLog } from '../../../src/runtime/telemetry/log.js';
import { settled, VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap, configMaps } from '../an-object.js';
import { added, bookmark, ScriptedCluster } from '../scripted-cluster.js';

function live(list: (options: ListOptions, clock: VirtualClock) => Promise<object>, namespaces?: readonly string[]) {
  const clock = new VirtualClock();
  const cluster = { list: (_: unknown, options: ListOptions) => list(options, clock) } as unknown as Cluster;
  const kind = new WatchedKind({ cluster, resource: configMaps, clock, random: () => 0, log: silentLog, namespaces });
  const found = kind.live(cluster, {}, new AbortController().signal);
  return { clock, names: found.then(({ items }) => items.map(({ metadata }) => metadata.name)) };
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

/** A kind that is watched in these namespaces, each of which has been shown one ConfigMap. */
async function watchedIn(namespaces: readonly string[], resource = configMaps) {
  const cluster = new ScriptedCluster();
  const options = { cluster: cluster as unknown as Cluster, resource, clock: new VirtualClock() };
  const kind = new WatchedKind({ ...options, random: () => 0, log: silentLog, namespaces });
  const stop = new AbortController();
  const ended = kind.informers.map((informer) => informer.run(stop.signal));
  await settled();
  for (const [index, stream] of cluster.streams.entries()) {
    const { namespace = 'all' } = stream.options;
    stream.send(added(configMap(`of-${namespace}`, index + 1, { namespace })), bookmark(`${10 + index}`, true));
  }
  await settled();
  const end = async () => {
    stop.abort(new Error('stopped'));
    await Promise.all(ended);
  };
  return { kind, cluster, end };
}

it('what is watched in namespaces is found in each of them and in all, and nowhere else', async () => {
  const { kind, end } = await watchedIn(['one', 'two']);
  const names = (namespace?: string) => kind.list(namespace ? { namespace } : {}).map(({ metadata }) => metadata.name);
  expect([names(), names('one'), names('two'), names('three')]).toEqual([
    ['of-one', 'of-two'],
    ['of-one'],
    ['of-two'],
    [],
  ]);
  expect(['one', 'two', 'three'].map((namespace) => [...kind.keys(namespace)])).toEqual([
    ['one/of-one'],
    ['two/of-two'],
    [],
  ]);
  await end();
});

it('what is watched in namespaces is read where it is asked for, and as it is selected', async () => {
  const { kind, cluster, end } = await watchedIn(['one', 'two']);
  cluster.list = async (_, { namespace = '', labelSelector }: ListOptions = {}) => ({
    items: [configMap(`${labelSelector} of-${namespace}`, 9, { namespace })],
    resourceVersion: '20',
  });
  const selection = { namespace: 'two', labelSelector: 'app=web' };
  const { items } = await kind.live(cluster, selection, new AbortController().signal);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['app=web of-two']);
  await end();
});

it('what is in no namespace is watched whole, whatever namespaces are watched', async () => {
  const { kind, end } = await watchedIn(['one', 'two'], { ...configMaps, namespaced: false });
  expect([kind.namespaces, kind.list().length]).toEqual([[undefined], 1]);
  await end();
});

it('what is watched in no namespaces that anybody named is watched in all', async () => {
  const { kind, end } = await watchedIn([]);
  expect([kind.namespaces, kind.list().length]).toEqual([[undefined], 1]);
  await end();
});
