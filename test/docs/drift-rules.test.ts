import { afterEach, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import type { DriftMode } from '../../src/kube/drift-mode.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { web } from './an-operator-with-drift-rules.js';

let cluster: TestCluster;
afterEach(() => cluster.stop());

/** The conditions that are true, and of those that are not the reasons. */
async function conditions(): Promise<Readonly<Record<string, string>>> {
  const { status } = await cluster.get(web.resource, 'shop');
  const { conditions } = status as { conditions: readonly { type: string; status: string; reason: string }[] };
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, status === 'True' ? status : reason]));
}

async function runExample(annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  cluster = await startCluster();
  await cluster.run(web);
  const { apiVersion, kind } = web.resource;
  await cluster.apply({ apiVersion, kind, metadata: { name: 'shop', annotations }, spec: {} });
  await cluster.settled();
}

it('the example becomes ready, and reports what somebody writes into its ConfigMap', async () => {
  await runExample();
  expect(await conditions()).toEqual({ Ready: 'True' });

  await cluster.patch(ConfigMap, 'shop-settings', { data: { greeting: 'bye' } }, { manager: 'somebody' });
  await cluster.settled();
  expect((await cluster.get(ConfigMap, 'shop-settings')).data).toEqual({ greeting: 'bye' });
  expect(await conditions()).toEqual({ Ready: 'True', Drifted: 'True' });
});

it.each<[DriftMode, boolean, string]>([
  ['enforce', true, 'True'],
  ['report', false, 'DriftDetected'],
  ['ignore', false, 'True'],
])('a child of the mode %s that is not there is created: %s', async (mode, isCreated, ready) => {
  await runExample({ 'web.example.com/mode': mode });
  expect((await cluster.find(Deployment, 'shop-server')) !== undefined).toBe(isCreated);
  expect(await conditions()).toMatchObject({ Ready: ready });
});
