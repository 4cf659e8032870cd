/** Longer than most files: one page, and all that a late store may say of what is read for it. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, RoleBinding } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

/** What a store that is late says of what is read, or of whom that is shared with, deletes nothing. */
const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ from: s.string() }),
});
const page = operator(Page, {
  owns: [RoleBinding, ConfigMap],
  reads: { rights: one(ConfigMap, ({ spec }) => ({ name: 'rights', namespace: spec.from })) },
  reach: 'consent',
  recreate: [RoleBinding],
  allowEmpty: true,
  compose(scope, _, { rights }) {
    const name = rights?.data?.['role'];
    if (name === undefined) return;
    const apiGroup = 'rbac.authorization.k8s.io';
    new ConfigMap(scope, 'notice', { metadata: { name: 'notice' }, data: { name } });
    new RoleBinding(scope, 'keys', { metadata: { name: 'keys' }, roleRef: { apiGroup, kind: 'Role', name } });
  },
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } });
});
afterEach(() => cluster.stop());

const share = 'kilter.dev/share-with';
const rights = (role: string, annotations: Readonly<Record<string, string>> = {}, namespace = 'shared') =>
  cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'rights', namespace, annotations },
    data: { role },
  });
const home = (from: string) =>
  cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: { from } });
const keys = () => cluster.find(RoleBinding, 'keys');
const versions = async () => (await cluster.list(ConfigMap)).map(({ metadata }) => metadata.resourceVersion);

it('no child goes on the word of a store of Namespaces that does not know who shares by now', async () => {
  const controller = await cluster.run(page);
  await rights('reader', { [share]: 'default' });
  await home('shared');
  await cluster.settled();
  const before = await keys();
  expect(before?.roleRef.name).toBe('reader');

  const letGo = controller.faults.holdWatch('Namespace');
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shared', annotations: { [share]: 'default' } },
  });
  // All of it is shared by now.
  await rights('reader');
  await cluster.advance(5);
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);
  letGo();
  await cluster.settled();
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);

  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } });
  await cluster.settled();
  expect(await keys()).toBeUndefined();
});
it('no child is written or made anew as an older input would have it, by who comes to lead with stores that are late', async () => {
  const leader = await cluster.run(page, { leaderElect: true });
  const standby = await cluster.run(page, { leaderElect: true });
  await rights('reader', {}, 'default');
  await home('default');
  await cluster.settled();
  const letGo = standby.faults.holdWatch(ConfigMap);
  await rights('writer', {}, 'default');
  await cluster.settled();
  const before = await keys();
  expect(before?.roleRef.name).toBe('writer');
  const written = await versions();

  leader.crash();
  await cluster.advance(20);
  expect(standby.leads).toBe(true);
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);
  expect(await versions()).toEqual(written);
  letGo();
  await cluster.settled();
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);

  await rights('reader', {}, 'default');
  await cluster.settled();
  expect((await keys())?.roleRef.name).toBe('reader');
});

it('an input that changes all the time keeps nobody from putting right what is not', async () => {
  const controller = await cluster.run(page);
  await rights('reader', {}, 'default');
  await home('default');
  await cluster.settled();
  controller.crash();
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'notice', namespace: 'default' },
    data: { name: 'drifted' },
  });
  let changes = 0;
  const end = controller.faults.observe(({ verb, kind }) => {
    if (verb === 'list' && kind === 'ConfigMap') void rights('reader', { changes: String(changes++) }, 'default');
  });
  controller.restart();
  await cluster.advance(60);
  expect(changes).toBeGreaterThan(0);
  end();
  expect((await cluster.get(ConfigMap, 'notice')).data).toEqual({ name: 'reader' });
});

it('no child is made anew for want of an input that is there, and that the store does not show yet', async () => {
  const otherwise = operator(Page, {
    owns: [RoleBinding],
    reads: { rights: one(ConfigMap, ({ spec }) => ({ name: spec.from })) },
    recreate: [RoleBinding],
    compose(scope, _, { rights }) {
      const name = rights?.data?.['role'] ?? 'none';
      const apiGroup = 'rbac.authorization.k8s.io';
      new RoleBinding(scope, 'keys', { metadata: { name: 'keys' }, roleRef: { apiGroup, kind: 'Role', name } });
    },
  });
  const given = (name: string, role = 'reader') =>
    cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { role } });
  const controller = await cluster.run(otherwise);
  await given('one', 'writer');
  await home('one');
  await cluster.settled();
  await given('one');
  await cluster.settled();
  const before = await keys();
  expect(before?.roleRef.name).toBe('reader');

  const letGo = controller.faults.holdWatch(ConfigMap);
  // The same by another name: what is applied first is heard of last.
  await given('other');
  await home('other');
  await cluster.advance(5);
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);
  letGo();
  await cluster.settled();
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);

  await given('other', 'writer');
  await cluster.settled();
  expect((await keys())?.roleRef.name).toBe('writer');
});

it('no child is made anew for an edit that is past, on the word of a store that does not know so', async () => {
  const controller = await cluster.run(page);
  await rights('reader', {}, 'default');
  await rights('reader', { [share]: 'default' });
  await home('default');
  await cluster.settled();
  const before = await keys();
  const letGo = controller.faults.holdWatch(Page);
  await home('shared');
  await rights('writer', {}, 'default');
  await cluster.advance(5);
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);
  letGo();
  await cluster.settled();
  expect((await keys())?.metadata.uid).toBe(before?.metadata.uid);
});

it('a child is made anew though a store is late about an input of which nothing follows for it', async () => {
  const asked = operator(Page, {
    owns: [RoleBinding],
    reads: { rights: one(ConfigMap, () => ({ name: 'rights' })) },
    recreate: [RoleBinding],
    compose(scope, { spec }, { rights }) {
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: spec.from };
      new RoleBinding(scope, 'keys', { metadata: { name: 'keys' }, roleRef });
      new RoleBinding(scope, 'more', {
        metadata: { name: 'more' },
        roleRef: { ...roleRef, name: rights?.data?.['role'] ?? 'none' },
      });
    },
  });
  const controller = await cluster.run(asked);
  await rights('one', {}, 'default');
  await home('reader');
  await cluster.settled();
  expect((await keys())?.roleRef.name).toBe('reader');

  const letGo = controller.faults.holdWatch(ConfigMap);
  await rights('two', {}, 'default');
  await home('writer');
  await cluster.advance(5);
  expect((await keys())?.roleRef.name).toBe('writer');
  letGo();
  await cluster.settled();
  expect((await cluster.find(RoleBinding, 'more'))?.roleRef.name).toBe('two');
});

it('a child is made anew, too, of what is composed otherwise each time', async () => {
  let times = 0;
  const unsteady = operator(Page, {
    owns: [RoleBinding],
    reads: { rights: one(ConfigMap, ({ spec }) => ({ name: spec.from })) },
    recreate: [RoleBinding],
    compose(scope) {
      const apiGroup = 'rbac.authorization.k8s.io';
      const name = `role-${times++}`;
      new RoleBinding(scope, 'keys', { metadata: { name: 'keys' }, roleRef: { apiGroup, kind: 'Role', name } });
    },
  });
  await cluster.run(unsteady);
  await rights('reader', {}, 'default');
  await home('rights');
  await cluster.advance(1);
  const before = await keys();
  expect(before).toBeDefined();
  await rights('writer', {}, 'default');
  await cluster.advance(1);
  expect((await keys())?.metadata.uid).not.toBe(before?.metadata.uid);
});

const Told = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Told',
  plural: 'tolds',
  spec: s.object({ from: s.string({ default: 'word' }) }),
  status: s.object({ word: s.string() }),
});
const told = operator(Told, {
  owns: [ConfigMap],
  reads: { word: one(ConfigMap, ({ spec }) => ({ name: spec.from })) },
  allowEmpty: true,
  compose() {},
  status: (_, { word }) => ({ word: word?.data?.['word'] ?? '' }),
});
const say = (word: string, name = 'word') =>
  cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { word } });
const ask = (from = 'word') =>
  cluster.apply({ apiVersion: Told.apiVersion, kind: Told.kind, metadata: { name: 'home' }, spec: { from } });
const heard = async () => (await cluster.get(Told, 'home')).status?.word;

it('no status says what an older input said, by who comes to lead with stores that are late', async () => {
  const leader = await cluster.run(told, { leaderElect: true });
  const standby = await cluster.run(told, { leaderElect: true });
  await say('first');
  await ask();
  await cluster.settled();
  const letGo = standby.faults.holdWatch(ConfigMap);
  await say('second');
  await cluster.settled();
  expect(await heard()).toBe('second');

  leader.crash();
  await cluster.advance(20);
  expect(standby.leads).toBe(true);
  expect(await heard()).toBe('second');
  letGo();
  await say('third');
  await cluster.settled();
  expect(await heard()).toBe('third');
});

it('nor where it followed for a while from something else, of which that store is not late', async () => {
  const leader = await cluster.run(told, { leaderElect: true });
  const standby = await cluster.run(told, { leaderElect: true });
  await say('aside', 'other');
  await say('first');
  await ask();
  await cluster.settled();
  const letGo = standby.faults.holdWatch(ConfigMap);
  await say('second');
  await cluster.settled();
  expect(await heard()).toBe('second');

  leader.crash();
  await cluster.advance(20);
  await ask('other');
  await cluster.advance(5);
  expect(await heard()).toBe('aside');
  await ask();
  await cluster.advance(5);
  expect(await heard()).not.toBe('first');
  letGo();
  await cluster.settled();
  expect(await heard()).toBe('second');
});

it('a status waits for what it follows from to be asked for, and is no mistake of its author where that fails', async () => {
  const controller = await cluster.run(told);
  await say('first');
  await ask();
  await cluster.settled();
  controller.crash();
  await say('second');
  controller.faults.loseCall({ verb: 'list', kind: ConfigMap }, 2);
  controller.restart();
  await cluster.advance(60);
  expect(controller.faults.pending).toEqual([]);
  expect((await cluster.get(Told, 'home')).status).toMatchObject({
    word: 'second',
    conditions: [{ type: 'Ready', status: 'True' }],
  });
});
