import { setMaxListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Node } from '../../imports/k8s.js';
import { Memcached } from '../../src/operators/memcached.js';
import {
  type Connection,
  client,
  connect,
  FieldConflict,
  InvalidError,
  type KindClient,
  NotFoundError,
  type ObjectOf,
  OperatorError,
  type Scale,
  type WrittenOf,
} from '../../src/typed-client/index.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { untilServed } from '../cluster/until-served.js';

const manager = 'a-program';

onEveryCluster('a typed client', {}, (plane) => {
  let connection: Connection;
  let caches: KindClient<ObjectOf<typeof Memcached>, WrittenOf<typeof Memcached>>;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);

  beforeAll(async () => {
    connection = await connect({}, { kubeconfig: plane().kubeconfig });
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(Memcached.crd()) });
    await untilServed(plane(), Memcached.crd().metadata.name);
    caches = client(Memcached, connection, { manager });
  });
  afterAll(async () => {
    stop.abort();
    await connection.close();
  });

  it('applies, and gets what the server made of it, with its defaults', async () => {
    const made = await eventually(() =>
      caches.apply({ metadata: { name: 'cache', labels: { a: 'b' } }, spec: { size: 3 } }),
    );
    const image: string = made.spec.image;
    expect(image).toBe('memcached:1.6-alpine');
    expect((await caches.get('cache')).spec.size).toBe(3);
    expect(made.metadata.namespace).toBe('default');
  });

  it('changes a part', async () => {
    const { spec, metadata } = await caches.patch('cache', { spec: { size: 4 }, metadata: { labels: { c: 'd' } } });
    expect([spec.size, metadata.labels]).toEqual([4, { a: 'b', c: 'd' }]);
    expect((await caches.patch('cache', { status: { readyReplicas: 2 } }, { subresource: 'status' })).status).toEqual({
      readyReplicas: 2,
    });
  });

  it('scales, and gets a scale, whose replicas are absent where they are none', async () => {
    const scale: Scale = await caches.patch('cache', { spec: { replicas: 5 } }, { subresource: 'scale' });
    expect(scale).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'cache', namespace: 'default' },
      spec: { replicas: 5 },
      status: { replicas: 2 },
    });
    expect((await caches.get('cache')).spec.size).toBe(5);

    const deployments = client(Deployment, connection, { manager });
    const labels = { app: 'web' };
    const pod = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template: pod };
    await deployments.apply({ metadata: { name: 'web' }, spec });
    const none = await deployments.patch('web', { spec: { replicas: 0 } }, { subresource: 'scale' });
    expect([none.spec, none.status?.selector]).toEqual([{}, 'app=web']);
    expect((await deployments.get('web')).spec?.replicas).toBe(0);
    await deployments.delete('web');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('changes nothing to %s, which JSON cannot say', async (odd) => {
    const said = `Memcached/default/cache cannot be rendered: spec.replicas is ${odd}`;
    await expect(caches.patch('cache', { spec: { replicas: odd } }, { subresource: 'scale' })).rejects.toThrow(said);
    await expect(caches.patch('cache', { spec: { size: odd } })).rejects.toThrow(`spec.size is ${odd}`);
    expect((await caches.get('cache')).spec.size).toBe(5);
  });

  it('takes a field away by null, and leaves one that is undefined as it is', async () => {
    const metadata = { labels: { a: 'b', c: 'd' } };
    await caches.patch('cache', { metadata: { labels: { a: 'c', e: 'f' } } });
    const labels = { e: null, c: undefined, a: 'b' } as unknown as Record<string, string>;
    expect((await caches.patch('cache', { metadata: { labels } })).metadata).toMatchObject(metadata);
    expect((await caches.get('cache')).metadata.labels).toEqual(metadata.labels);
  });

  it('tells failures apart by what to do about them', async () => {
    await expect(caches.get('nowhere')).rejects.toThrow(NotFoundError);
    expect(await caches.find('nowhere')).toBeUndefined();
    await expect(caches.apply({ metadata: { name: 'bad' }, spec: { size: 99 } })).rejects.toThrow(InvalidError);
    const other = client(Memcached, connection, { manager: 'another-program' });
    await expect(other.apply({ metadata: { name: 'cache' }, spec: { size: 9 } })).rejects.toThrow(FieldConflict);
    expect((await other.apply({ metadata: { name: 'cache' }, spec: { size: 9 } }, { force: true })).spec.size).toBe(9);
  });

  it.each([{}, { metadata: {} }, { metadata: null }])(
    'applies nothing without a name, as in JavaScript: %j',
    async (nobody) => {
      const answer = caches.apply({ spec: { size: 1 }, ...nobody } as never);
      await expect(answer).rejects.toThrow('Memcached was asked for without a name');
      await expect(answer).rejects.toThrow(OperatorError);
    },
  );

  it('lists by labels, by namespace and everywhere, however many there are', async () => {
    await plane().kubectl(['create', 'namespace', 'elsewhere']);
    await caches.apply({ metadata: { name: 'far' }, spec: { size: 1 } }, { namespace: 'elsewhere' });
    await caches.apply({ metadata: { name: 'second' }, spec: { size: 1 } });
    const names = async (which?: Parameters<typeof caches.list>[0]) =>
      (await caches.list(which)).map(({ metadata }) => metadata.name).sort();
    expect(await names()).toEqual(['cache', 'second']);
    expect(await names({ labels: { a: 'b', c: 'd' } })).toEqual(['cache']);
    // Two requirements to the server, which `cache` meets.
    await expect(names({ labels: { a: 'b,c=d' } })).rejects.toThrow(OperatorError);
    await expect(names({ labels: { '!e,a': 'b' } })).rejects.toThrow('is no label that could be selected');
    expect(() => caches.informer({ labels: { a: 'b,c' } })).toThrow(OperatorError);
    expect(await names({ labels: { 'example.com/a': '' } })).toEqual([]);
    expect(await names({ namespace: 'elsewhere' })).toEqual(['far']);
    expect(await names({ all: true })).toEqual(['cache', 'far', 'second']);

    const maps = client(ConfigMap, connection, { manager, namespace: 'elsewhere' });
    const items = Array.from({ length: 600 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `many-${index}`, namespace: 'elsewhere', labels: { many: 'yes' } },
    }));
    await Promise.all(items.map((item) => connection.create(ConfigMap, item, { fieldManager: manager })));
    expect(await maps.list({ labels: { many: 'yes' } })).toHaveLength(600);
  });

  it('watches what there is and what comes', async () => {
    const seen: string[] = [];
    const end = new AbortController();
    const watching = (async () => {
      for await (const { type, object } of caches.watch({ signal: end.signal })) {
        seen.push(`${type} ${object.metadata.name} ${object.spec.size}`);
      }
    })().catch(() => {});
    await eventually(() => expect(seen.sort()).toEqual(['ADDED cache 9', 'ADDED second 1']));
    await caches.patch('second', { spec: { size: 2 } });
    await eventually(() => expect(seen).toContain('MODIFIED second 2'));
    end.abort();
    await watching;
  });

  it('follows a kind in memory', async () => {
    const informer = caches.informer({ all: true });
    const seen: string[] = [];
    informer.subscribe(({ type, object }) => seen.push(`${type} ${object.metadata.name}`));
    await informer.start(stop.signal);
    expect(informer.lister.get('cache', 'default')?.spec.size).toBe(9);
    expect(informer.lister.list({ namespace: 'elsewhere' }).map(({ metadata }) => metadata.name)).toEqual(['far']);
    expect(informer.lister.list({ labels: { a: 'b' } })).toHaveLength(1);

    await caches.delete('second');
    await eventually(() => expect(seen).toContain('deleted second'));
    expect(informer.lister.get('second', 'default')).toBeUndefined();
  });

  it('finds in memory by a name alone what is where the client or the informer says', async () => {
    const inElsewhere = client(Memcached, connection, { manager, namespace: 'elsewhere' });
    const namesOf = async (asked: KindClient<ObjectOf<typeof Memcached>, unknown>, which?: object) => {
      const informer = asked.informer(which);
      await informer.start(stop.signal);
      return ['cache', 'far'].filter((name) => informer.lister.get(name) !== undefined);
    };
    expect(await namesOf(caches)).toEqual(['cache']);
    expect(await namesOf(caches, { namespace: 'elsewhere' })).toEqual(['far']);
    expect(await namesOf(caches, { all: true })).toEqual(['cache']);
    expect(await namesOf(inElsewhere)).toEqual(['far']);
    expect(await namesOf(inElsewhere, { all: true })).toEqual(['far']);
  });

  it('deletes the very object that is meant, and no later one', async () => {
    await expect(caches.delete('cache', { uid: '00000000-0000-0000-0000-000000000000' })).rejects.toThrow();
    const { metadata } = await caches.get('cache');
    await caches.delete('cache', { uid: metadata.uid });
    await eventually(async () => expect(await caches.find('cache')).toBeUndefined());
  });

  it('serves kinds of imports/, also those without a namespace', async () => {
    const nodes = client(Node, connection, { manager });
    await nodes.apply({ metadata: { name: 'one' }, spec: { unschedulable: true } });
    expect((await nodes.get('one')).spec?.unschedulable).toBe(true);
    const informer = nodes.informer();
    await informer.start(stop.signal);
    expect(informer.lister.get('one')?.spec?.unschedulable).toBe(true);
    await nodes.delete('one');
  });

  it('is typed', () => {
    // @ts-expect-error A size is no text.
    const bad: WrittenOf<typeof Memcached> = { metadata: { name: 'bad' }, spec: { size: '3' } };
    // @ts-expect-error There is no object without a name.
    const nameless: WrittenOf<typeof Memcached> = { spec: { size: 3 } };
    expect([bad, nameless]).toHaveLength(2);
    const wrong = [
      // @ts-expect-error A scale knows replicas, whatever the kind calls them.
      () => caches.patch('cache', { spec: { size: 3 } }, { subresource: 'scale' }),
      // @ts-expect-error An object is no scale.
      (): Promise<Scale> => caches.patch('cache', { spec: { size: 3 } }),
      // @ts-expect-error A scale is none of the kind.
      async () => (await caches.patch('cache', { spec: { replicas: 3 } }, { subresource: 'scale' })).spec.size,
    ];
    expect(wrong).toHaveLength(3);
  });
});
