import { expect, it } from '@jest/globals';
import { ConfigMap, Event } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { type CallMatch, matches } from '../../src/testing/call.js';
import { startCluster } from '../../src/testing/index.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const page = operator(Page, { owns: [ConfigMap], compose: (scope) => void new ConfigMap(scope, 'text', {}) });
const home = { apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: {} };

it.each<[string, CallMatch]>([
  ['what fails for it', { verb: 'create', kind: ConfigMap }],
  ['that its status cannot be written', { verb: 'apply', kind: Page, subresource: 'status' }],
])('%s is told by an event on a custom resource, though one of its name failed so as it went', async (_, refused) => {
  const cluster = await startCluster();
  const controller = await cluster.run(page);
  controller.faults.refuse(refused, { code: 403, times: 1000 });
  await cluster.apply(home);
  await cluster.advance(30);
  // The next round of the one is under way while it goes, and another takes its place.
  let isSlow = true;
  controller.faults.slowDown((call, leg) => (isSlow && matches(refused, call) && leg === 'there' ? 20_000 : 0));
  await cluster.patch(Page, 'home', { metadata: { labels: { look: 'again' } } });
  await cluster.advance(2);
  await cluster.delete(Page, 'home');
  await cluster.advance(1);
  await cluster.apply(home);
  await cluster.advance(1);
  isSlow = false;
  await cluster.advance(120);
  const { uid } = (await cluster.get(Page, 'home')).metadata;
  const events = await cluster.list(Event);
  const told = events
    .filter((event) => event.type === 'Warning')
    .map((event) => (event as unknown as { involvedObject: { uid: string } }).involvedObject.uid);
  expect(told).toContain(uid);
  await cluster.stop();
});
