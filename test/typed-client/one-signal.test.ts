import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { client } from '../../src/typed-client/index.js';
import { scriptedCluster } from '../client/scripted-cluster.js';
import { silence } from '../client/scripted-server.js';
import { eventually } from '../cluster/eventually.js';
import { listenForLeaks } from '../leak-warnings.js';

const scripted = scriptedCluster();

it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['calls', (signal) => client(ConfigMap, scripted.cluster, { manager: 'test' }).get('a', { signal })],
  ['informers', (signal) => client(ConfigMap, scripted.cluster, { manager: 'test' }).informer().start(signal)],
])('many %s at once under one signal are no leak', async (_, begin) => {
  const leaks = listenForLeaks();
  const stop = new AbortController();
  scripted.server.answers(...Array.from({ length: 16 }, () => silence));
  const begun = Array.from({ length: 16 }, () => begin(stop.signal));
  await eventually(() => expect(scripted.server.requests).toHaveLength(16));
  stop.abort(new Error('stopped'));
  const ended = await Promise.allSettled(begun);
  expect(ended.map((each) => (each.status === 'rejected' ? each.reason.message : 'resolved'))).toEqual(
    Array.from({ length: 16 }, () => 'stopped'),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(leaks()).toEqual([]);
});
