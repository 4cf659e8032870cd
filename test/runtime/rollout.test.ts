// Longer than most files: what a rollout holds up, and whom it lets through, are stories of one operator on one cluster.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Pod, type PodObject, Service } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const App = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'App',
  spec: s.object({ replicas: s.int32({ default: 1 }) }),
});
/** The operator as of one version, which the image of its children tells. */
const apps = (image: string) =>
  operator(App, {
    owns: [Deployment, Service, ConfigMap],
    reads: { settings: one(ConfigMap, (cr) => ({ name: `${cr.metadata.name}-image` })) },
    compose(scope, { metadata: { name }, spec: { replicas } }, { settings }) {
      if (settings !== undefined && settings.data?.['image'] === undefined) throw new Error('no image is set');
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image }] } };
      const server = new Deployment(scope, 'server', {
        spec: {
          replicas: Number(settings?.data?.['replicas'] ?? replicas),
          selector: { matchLabels: labels },
          template,
        },
      });
      new Service(scope, 'service', { spec: { selector: labels, ports: [{ port: 80 }] } });
      if (image !== 'app:1') new ConfigMap(scope, 'more', { data: { image } });
      return { server };
    },
  });
const names = ['a', 'b', 'c', 'd', 'e'];
const app = (name: string, spec: object = {}) => ({
  apiVersion: App.apiVersion,
  kind: 'App',
  metadata: { name },
  spec,
});

describe('peers 18: an upgrade that may change two at once', () => {
  let cluster: TestCluster;
  let controller: TestController;
  /** How the names of Pods begin that fail, whatever their image is. */
  let failing: string | undefined;

  beforeEach(async () => {
    failing = undefined;
    const fails = ({ metadata, spec }: PodObject) =>
      spec?.containers?.[0]?.image === 'app:broken' || (failing && metadata?.name?.startsWith(failing))
        ? 'ImagePullBackOff'
        : undefined;
    cluster = await startCluster({ controllers: { pods: { readyAfterSeconds: 30, fails } } });
    controller = await cluster.run(apps('app:1'));
    for (const name of names) await cluster.apply(app(name));
    await cluster.settled();
    await controller.stop();
  });
  afterEach(() => cluster.stop());

  const upgrade = async (image: string) => {
    controller = await cluster.run(apps(image), { rolloutLimit: 2 });
    await cluster.advance(5);
  };
  const imageOf = async (name: string) =>
    (await cluster.get(Deployment, `${name}-server`)).spec?.template?.spec?.containers?.[0]?.image;
  const changed = async () => {
    const images = await Promise.all(names.map(imageOf));
    return names.filter((_, index) => images[index] !== 'app:1');
  };
  const readyOf = async (name: string) => conditionIn(await cluster.get(App, name))?.status;

  it('reaches the next when one of the two is ready, and all in the end', async () => {
    await upgrade('app:2');
    const seen = [(await changed()).length];
    const more = (await cluster.list(ConfigMap)).filter(({ metadata }) => metadata.name.endsWith('-more'));
    expect(more).toHaveLength(2);
    for (let second = 0; second < 150; second += 5) {
      await cluster.advance(5);
      seen.push((await changed()).length);
    }
    expect([...new Set(seen)]).toEqual([2, 4, 5]);
    for (const name of names) expect([await imageOf(name), await readyOf(name)]).toEqual(['app:2', 'True']);
  });

  it('stops where these do not get ready, and says nothing of the others', async () => {
    await upgrade('app:broken');
    const first = await changed();
    expect(first).toHaveLength(2);
    const others = names.filter((name) => !first.includes(name));
    const before = cluster.writes().filter(({ name }) => others.some((other) => name?.startsWith(other)));
    await cluster.advance(3600);
    expect(await changed()).toEqual(first);
    expect(cluster.writes().filter(({ name }) => others.some((other) => name?.startsWith(other)))).toEqual(before);
    for (const name of others) expect([await imageOf(name), await readyOf(name)]).toEqual(['app:1', 'True']);

    // A version that is mended begins with what is broken.
    await controller.stop();
    await upgrade('app:2');
    for (const name of first) expect(await imageOf(name)).toBe('app:2');
    await cluster.advance(300);
    for (const name of names) expect([await imageOf(name), await readyOf(name)]).toEqual(['app:2', 'True']);
  });

  it('holds up neither what a user changes, nor what is drifted or deleted', async () => {
    await upgrade('app:broken');
    const [edited = '', drifted = '', robbed = ''] = names.filter((name) => name > 'b');
    expect(await changed()).toEqual(['a', 'b']);
    await cluster.apply(app(edited, { replicas: 3 }));
    await cluster.patch(Deployment, `${drifted}-server`, { spec: { replicas: 7 } }, { manager: 'somebody' });
    await cluster.delete(Service, `${robbed}-service`);
    await cluster.advance(5);
    expect((await cluster.get(Deployment, `${edited}-server`)).spec?.replicas).toBe(3);
    expect((await cluster.get(Deployment, `${drifted}-server`)).spec?.replicas).toBe(1);
    expect(await cluster.find(Service, `${robbed}-service`)).toBeDefined();
  });

  it('holds up nobody for whom a person asks, and answers him', async () => {
    await upgrade('app:broken');
    expect(await changed()).toEqual(['a', 'b']);
    await cluster.patch(App, 'd', { metadata: { annotations: { 'x.example.com/requested-at': 'now' } } });
    await cluster.advance(5);
    expect(await changed()).toEqual(['a', 'b', 'd']);
    expect((await cluster.get(App, 'd')).status?.lastHandledReconcileAt).toBe('now');
  });

  it('holds up nobody of whom a person says what is to become of its children', async () => {
    await upgrade('app:broken');
    await cluster.patch(App, 'd', { metadata: { annotations: { 'x.example.com/deletion-policy': 'orphan' } } });
    await cluster.patch(App, 'e', { metadata: { annotations: { 'someone.else/note': 'x' } } });
    await cluster.advance(5);
    const ownersOf = async (name: string) =>
      (await cluster.get(Deployment, `${name}-server`)).metadata.ownerReferences?.length ?? 0;
    expect([await ownersOf('d'), await ownersOf('e')]).toEqual([0, 1]);
    expect(await changed()).toEqual(['a', 'b', 'd']);
  });

  it('holds up nobody whom a person resumes, and says so', async () => {
    const say = (reconcile: string | null) =>
      cluster.patch(App, 'd', { metadata: { annotations: { 'x.example.com/reconcile': reconcile } } } as never);
    const before = await cluster.run(apps('app:1'));
    await say('suspended');
    await before.stop();
    await upgrade('app:broken');
    expect(await changed()).toEqual(['a', 'b']);
    await say(null);
    await cluster.advance(5);
    expect(await changed()).toEqual(['a', 'b', 'd']);
    expect(conditionIn(await cluster.get(App, 'd'), 'Paused')).toBeUndefined();
  });

  it('holds up nobody who was changed or not ready before it began', async () => {
    failing = 'c-server';
    const before = await cluster.run(apps('app:1'));
    for (const { metadata } of await cluster.list(Pod, { labelSelector: 'app=c' }))
      await cluster.delete(Pod, metadata.name);
    await cluster.advance(60);
    expect(await readyOf('c')).toBe('False');
    await before.stop();
    await cluster.apply(app('d', { replicas: 3 }));
    await upgrade('app:broken');
    expect(await changed()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('holds up whoever was asked for before, and answered', async () => {
    const before = await cluster.run(apps('app:1'));
    const ask = (name: string, at: string | null) =>
      cluster.patch(App, name, { metadata: { annotations: { 'x.example.com/requested-at': at } } } as never);
    await ask('d', 'now');
    await ask('e', 'now');
    await cluster.settled();
    await ask('e', null);
    await cluster.settled();
    await before.stop();
    await upgrade('app:broken');
    expect(await changed()).toEqual(['a', 'b']);
  });

  it('holds up nothing that is changed once it is over', async () => {
    await upgrade('app:2');
    await cluster.advance(300);
    expect(await changed()).toEqual(names);
    for (const name of names) {
      const data = { image: 'x', replicas: '2' };
      await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-image` }, data });
    }
    await cluster.advance(5);
    const servers = await Promise.all(names.map((name) => cluster.get(Deployment, `${name}-server`)));
    expect(servers.map(({ spec }) => spec?.replicas)).toEqual([2, 2, 2, 2, 2]);
  });

  it('holds up who is scaled by an autoscaler, for that is no drift', async () => {
    await upgrade('app:broken');
    const scaled = { spec: { replicas: 4 } };
    const autoscaler = { subresource: 'scale', manager: 'kube-controller-manager' } as const;
    await cluster.patch(Deployment, 'd-server', scaled, autoscaler);
    await cluster.advance(60);
    expect(await changed()).toEqual(['a', 'b']);
    expect((await cluster.get(Deployment, 'd-server')).spec?.replicas).toBe(4);
    await cluster.patch(Deployment, 'e-server', { metadata: { labels: { 'app.kubernetes.io/part-of': 'x' } } });
    await cluster.advance(5);
    expect(await changed()).toEqual(['a', 'b', 'e']);
  });

  it('holds up nobody whose inputs ask for something else, and whoever has inputs that ask for nothing new', async () => {
    const settings = (name: string, data: object) =>
      cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-image` }, data });
    await upgrade('app:broken');
    expect(await changed()).toEqual(['a', 'b']);
    await settings('d', { image: 'x', replicas: '2' });
    await settings('e', { image: 'x' });
    await cluster.advance(5);
    expect((await cluster.get(Deployment, 'd-server')).spec?.replicas).toBe(2);
    expect(await changed()).toEqual(['a', 'b', 'd']);
  });

  it('holds up whoever has children that fail meanwhile, and says so', async () => {
    await upgrade('app:broken');
    const [sick = ''] = names.filter((name) => name > 'd');
    failing = `${sick}-server`;
    for (const { metadata } of await cluster.list(Pod, { labelSelector: `app=${sick}` }))
      await cluster.delete(Pod, metadata.name);
    await cluster.advance(60);
    expect(conditionIn(await cluster.get(App, sick))).toMatchObject({
      status: 'False',
      message: `Deployment/default/${sick}-server is rolling out`,
    });
    expect(await changed()).toEqual(['a', 'b']);
    failing = undefined;
    await cluster.advance(600);
    expect([await readyOf(sick), await readyOf('c')]).toEqual(['True', 'True']);
    expect(await changed()).toEqual(['a', 'b']);
  });

  it('holds up whoever has a child that is being deleted, and says so', async () => {
    await upgrade('app:broken');
    await cluster.patch(Service, 'e-service', { metadata: { finalizers: ['x.example.com/kept'] } });
    await cluster.delete(Service, 'e-service');
    await cluster.advance(60);
    expect(conditionIn(await cluster.get(App, 'e'))).toMatchObject({
      status: 'False',
      message: 'Service/default/e-service is being deleted',
    });
    expect(await changed()).toEqual(['a', 'b']);
  });

  it('waits for no one whose turn has come, and whose children cannot be told any more', async () => {
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c-image' },
      data: { image: 'app:1' },
    });
    controller = await cluster.run(apps('app:broken'), { rolloutLimit: 2 });
    await cluster.advance(5);
    expect(await changed()).toEqual(['a', 'b']);
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c-image' }, data: {} });
    await cluster.advance(5);
    await cluster.delete(App, 'a');
    await cluster.advance(5);
    const images = await Promise.all(['b', 'c', 'd', 'e'].map(imageOf));
    expect(images).toEqual(['app:broken', 'app:1', 'app:broken', 'app:1']);
  });

  it('goes on when whoever it waits for goes, or is suspended', async () => {
    await upgrade('app:broken');
    await cluster.delete(App, 'a');
    await cluster.advance(5);
    await cluster.patch(App, 'b', { metadata: { annotations: { 'x.example.com/reconcile': 'suspended' } } });
    await cluster.advance(5);
    const images = await Promise.all(names.slice(1).map(imageOf));
    expect(images.filter((image) => image === 'app:broken')).toHaveLength(3);
  });
});

it('what a rollout holds up says of children that are only reported whether they are ready', async () => {
  const cluster = await startCluster();
  /** The second version has what never gets ready. */
  const shops = (version: 1 | 2) =>
    operator(App, {
      owns: [Service, Deployment],
      drift: { rules: [{ kind: Service, mode: version === 1 ? 'enforce' : 'report' }] },
      compose(scope, { metadata: { name } }) {
        new Service(scope, 'door', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
        if (version === 1) return;
        const labels = { app: name };
        const template = { metadata: { labels }, spec: { containers: [{ name: 'shop', image: 'shop:2' }] } };
        new Deployment(scope, 'shop', { spec: { paused: true, selector: { matchLabels: labels }, template } });
      },
    });
  const opened = (name: string, ingress: object[]) =>
    cluster.patch(Service, `${name}-door`, { status: { loadBalancer: { ingress } } }, { subresource: 'status' });
  const first = await cluster.run(shops(1));
  for (const name of ['a', 'b']) await cluster.apply(app(name));
  await cluster.settled();
  for (const name of ['a', 'b']) await opened(name, [{ ip: '192.0.2.1' }]);
  await cluster.settled();
  await first.stop();
  await cluster.run(shops(2), { rolloutLimit: 1 });
  await cluster.settled();
  await opened('b', []);
  await cluster.settled();
  expect((await cluster.list(Deployment)).map(({ metadata }) => metadata.name)).toEqual(['a-shop']);
  expect(conditionIn(await cluster.get(App, 'b'))).toMatchObject({
    status: 'False',
    message: 'Service/default/b-door has no load balancer yet',
  });
  await cluster.stop();
});
