import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Site = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ places: s.array(s.string()) }),
});
/** A ConfigMap in each place. */
const site = operator(Site, {
  owns: [ConfigMap],
  reach: 'cluster',
  allowEmpty: true,
  compose(scope, { spec }) {
    for (const namespace of spec.places) new ConfigMap(scope, `in-${namespace}`, { metadata: { namespace } });
  },
});
const blog = (...places: readonly string[]) => ({
  apiVersion: Site.apiVersion,
  kind: Site.kind,
  metadata: { name: 'blog' },
  spec: { places },
});

const far = { namespace: 'a' };

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const made = async () =>
  (await cluster.list(ConfigMap, { labelSelector: 'app.kubernetes.io/managed-by=site' })).map(
    ({ metadata }) => metadata.namespace,
  );

it.each([
  ['is gone', [], () => cluster.delete(Site, 'blog')],
  ['has moved on', ['b'], () => cluster.apply(blog('b'))],
])('nothing is made far away for whom %s by a process that does not know it yet', async (_, left, meanwhile) => {
  const controller = await cluster.run(site);
  for (const name of ['a', 'b']) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await cluster.apply(blog('a'));
  await cluster.settled();
  const untilNow = controller.faults.goBack(Site);
  await meanwhile();
  await cluster.settled();
  const letGo = controller.faults.holdWatch(Site);
  controller.restart();
  await cluster.advance(20);
  expect(await made()).toEqual(left);
  untilNow();
  letGo();
  await cluster.settled();
  expect(await made()).toEqual(left);
});

/** A controller, and what it has made far away. */
const begin = async () => {
  const controller = await cluster.run(site);
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
  await cluster.apply(blog('a'));
  await cluster.settled();
  return controller;
};

it('what is far away goes, and its custom resource after it, though the first delete meets a conflict', async () => {
  const controller = await begin();
  controller.faults.refuse({ verb: 'delete', kind: 'ConfigMap' }, { code: 409 });
  await cluster.delete(Site, 'blog');
  await cluster.advance(20);
  expect(await cluster.find(ConfigMap, 'blog-in-a', far)).toBeUndefined();
  expect(await cluster.find(Site, 'blog')).toBeUndefined();
});

it('what is far away goes, though it was seen last without its labels, and the answer of who put them back is lost', async () => {
  const controller = await begin();
  let letGo: (() => void) | undefined;
  controller.faults.observe(({ verb, kind }) => {
    if (verb === 'apply' && kind === 'ConfigMap') letGo ??= controller.faults.holdWatch(ConfigMap);
  });
  controller.faults.loseAnswer({ verb: 'apply', kind: 'ConfigMap' }, 1000);
  await cluster.patch(ConfigMap, 'blog-in-a', { metadata: { labels: null } }, far);
  await cluster.advance(1);
  await cluster.delete(Site, 'blog');
  await cluster.advance(20);
  letGo?.();
  await cluster.settled();
  expect(await cluster.find(ConfigMap, 'blog-in-a', far)).toBeUndefined();
});

it('what is far away goes, though a late list shows none, for another of its name has gone before it', async () => {
  const controller = await begin();
  const { metadata, ...before } = (await cluster.get(ConfigMap, 'blog-in-a', far)) as KubeObject;
  const letGo = controller.faults.holdWatch(ConfigMap);
  await cluster.delete(ConfigMap, 'blog-in-a', far);
  const untilNow = controller.faults.goBack(ConfigMap);
  await cluster.apply({ ...before, metadata: { ...far, name: 'blog-in-a', labels: metadata.labels ?? {} } });
  controller.faults.refuse({ verb: 'watch', kind: 'ConfigMap' }, { code: 410 });
  await cluster.delete(Site, 'blog');
  controller.faults.breakWatch(ConfigMap);
  await cluster.advance(20);
  untilNow();
  letGo();
  await cluster.settled();
  expect(await made()).toEqual([]);
  expect(await cluster.find(Site, 'blog')).toBeUndefined();
});

it('nothing stays far away that was made late, after the server was asked for it and before that was answered', async () => {
  const { faults } = await cluster.run(site);
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
  await cluster.settled();
  // The create is given up after 30 s, and carried out all the same.
  faults.slowDown(({ verb, kind }, leg) => {
    if (kind !== 'ConfigMap') return 0;
    if (verb === 'create' && leg === 'there') return 33_000;
    return verb === 'list' && leg === 'back' ? 5000 : 0;
  });
  await cluster.apply(blog('a'));
  await cluster.advance(1);
  await cluster.delete(Site, 'blog');
  await cluster.advance(31);
  expect(await made()).toEqual([]);
  await cluster.advance(60);
  expect(await cluster.find(Site, 'blog')).toBeUndefined();
  expect(await made()).toEqual([]);
});

it('nothing is made anew far away for whom was let go by hand, and what it had there deleted, before the store shows it', async () => {
  const controller = await begin();
  const letGo = controller.faults.holdWatch(Site);
  await cluster.patch(Site, 'blog', { metadata: { finalizers: null } });
  await cluster.delete(Site, 'blog');
  await cluster.delete(ConfigMap, 'blog-in-a', far);
  await cluster.advance(20);
  letGo();
  await cluster.settled();
  expect(await cluster.find(Site, 'blog')).toBeUndefined();
  expect(await made()).toEqual([]);
});
