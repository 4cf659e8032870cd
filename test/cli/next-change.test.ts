import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { nextChange } from '../../src/cli/drift/next-change.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { ScriptedServer, silence, stream } from '../client/scripted-server.js';
import { eventually } from '../cluster/eventually.js';
import { listenForLeaks } from '../leak-warnings.js';

let server: ScriptedServer;
let cluster: HttpCluster;
beforeEach(async () => {
  server = await ScriptedServer.start();
  cluster = connect(server.config);
});
afterEach(async () => {
  await cluster.close();
  await server.stop();
});

it('a change of one of many kinds is heard, and to watch them all is no leak', async () => {
  const leaks = listenForLeaks();
  const kinds = Array.from({ length: 16 }, (_, index) => ({
    resource: { apiVersion: 'example.com/v1', kind: `Kind${index}`, plural: `kind${index}s`, namespaced: true },
    scope: {},
    resourceVersion: '7',
  }));
  const changed = '{"type":"MODIFIED","object":{"metadata":{"name":"a","resourceVersion":"8"}}}\n';
  server.answers(...Array.from({ length: 15 }, () => silence), stream([changed], 'never'));
  await nextChange(cluster, { kinds }, new AbortController().signal);
  await eventually(() => expect(server.requests).toHaveLength(16));
  expect(leaks()).toEqual([]);
});
