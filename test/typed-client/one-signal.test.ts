import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { client } from '../../src/typed-client/index.js';
import { ScriptedServer, silence } from '../client/scripted-server.js';
import { eventually } from '../cluster/eventually.js';
import { listenForLeaks } from '../leak-warnings.js';

let server: ScriptedServer;
let cluster: HttpCluster;
beforeEach(async () => {
  server = await ScriptedServer.start();
  cluster = connect(server.config, { random: () => 0 });
});
afterEach(async () => {
  await cluster.close();
  await server.stop();
});

it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['calls', (signal) => client(ConfigMap, cluster, { manager: 'test' }).get('a', { signal })],
  ['informers', (signal) => client(ConfigMap, cluster, { manager: 'test' }).informer().start(signal)],
])('many %s at once under one signal are no leak', async (_, begin) => {
  const leaks = listenForLeaks();
  const stop = new AbortController();
  server.answers(...Array.from({ length: 16 }, () => silence));
  const begun = Array.from({ length: 16 }, () => begin(stop.signal));
  await eventually(() => expect(server.requests).toHaveLength(16));
  stop.abort(new Error('stopped'));
  const ended = await Promise.allSettled(begun);
  expect(ended.map((each) => (each.status === 'rejected' ? each.reason.message : 'resolved'))).toEqual(
    Array.from({ length: 16 }, () => 'stopped'),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(leaks()).toEqual([]);
});
