import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { home, Page, page } from './a-page-afar.js';

// Whose deletion a store shows, and not what was asked for since, loses and leaves behind nothing that no longer is to be.

const afar = { namespace: 'afar' };

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(page);
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'afar' } });
  await cluster.apply(home);
  await cluster.settled();
  // It takes its time to go, and the other one waits for that.
  await cluster.patch(ConfigMap, 'home-second', { metadata: { finalizers: ['example.com/slow'] } }, afar);
  await cluster.settled();
});
afterEach(() => cluster.stop());

const policy = (word: string) => ({ metadata: { annotations: { 'web.example.com/deletion-policy': word } } });
const goesOn = () => cluster.patch(ConfigMap, 'home-second', { metadata: { finalizers: null } }, afar);

it.each<[string, object]>([
  ['the deletion policy', policy('orphan')],
  ['the field of its spec', { spec: { removal: 'orphan' } }],
  ['who has it go by force', { metadata: { annotations: { 'web.example.com/force-release': 'true' } } }],
])('nothing is deleted afar that %s leaves behind by now, which the store does not show yet', async (_, body) => {
  await cluster.delete(Page, 'home');
  await cluster.advance(5);
  const letGo = controller.faults.holdWatch(Page);
  await cluster.patch(Page, 'home', body);
  await goesOn();
  await cluster.advance(5);
  letGo();
  await cluster.settled();
  expect(await cluster.find(ConfigMap, 'home-first', afar)).toBeDefined();
  expect(await cluster.find(Page, 'home')).toBeUndefined();
});

it('nothing is left behind afar that is to go after all, which the store does not show yet', async () => {
  await cluster.delete(Page, 'home');
  await cluster.advance(5);
  await cluster.patch(Page, 'home', policy('orphan'));
  const letGo = controller.faults.holdWatch(Page);
  await cluster.patch(Page, 'home', policy('delete'));
  await goesOn();
  await cluster.advance(5);
  letGo();
  await cluster.settled();
  expect(await cluster.find(ConfigMap, 'home-first', afar)).toBeUndefined();
  expect(await cluster.find(Page, 'home')).toBeUndefined();
});
