import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ForbiddenError } from '../../src/client/api-error.js';
import { client } from '../../src/typed-client/index.js';
import { scriptedCluster } from '../client/scripted-cluster.js';
import { status } from '../client/scripted-server.js';

const scripted = scriptedCluster();

it('an informer tells why it sees nothing, and goes on', async () => {
  const stop = new AbortController();
  const informer = client(ConfigMap, scripted.cluster, { manager: 'test' }).informer();
  const told: Error[] = [];
  const heard: Error[] = [];
  informer.onFailure((error) => told.push(error));
  const forget = informer.onFailure((error) => heard.push(error));
  const message =
    'configmaps is forbidden: User "a" cannot watch resource "configmaps" in API group "" in the namespace "default"';
  const metadata = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
  const complete = { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } };
  scripted.server.answers(status(403, { reason: 'Forbidden', message }), (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(complete)}\n`),
  );
  await informer.start(stop.signal);
  forget();
  expect(told).toEqual([expect.any(ForbiddenError)]);
  expect(told[0]).toMatchObject({ hint: 'allow "watch" on configmaps in the Role or ClusterRole of this account' });
  expect(heard).toEqual(told);
  stop.abort();
});
