import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CoreV1Api, KubeConfig, KubernetesObjectApi, Watch } from '@kubernetes/client-node';
import { ConfigMap, Deployment } from '../../../imports/k8s.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import { connect } from '../../../src/client/http-cluster.js';
import { eventually } from '../../cluster/eventually.js';
import { withServed } from './served.js';

describe('@kubernetes/client-node', () => {
  const served = withServed();
  const config = () => {
    const made = new KubeConfig();
    made.loadFromString(served().kubeconfig(served().token));
    return made;
  };

  it('creates, lists, patches, watches and deletes', async () => {
    const api = config().makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const watching = new Promise<AbortController>((resolve, reject) => {
      const watch = new Watch(config());
      const done = (error: unknown) => (error ? reject(error) : undefined);
      const started = watch.watch(
        '/api/v1/namespaces/default/configmaps',
        {},
        (type, { metadata }) => {
          seen.push(`${type} ${metadata.name}`);
          if (type === 'DELETED') void started.then(resolve);
        },
        done,
      );
    });
    await api.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'one' }, data: { a: 'b' } },
    });
    await eventually(() => expect(seen).toContain('ADDED one'));
    const { items } = await api.listNamespacedConfigMap({ namespace: 'default' });
    expect(items.map(({ data }) => data)).toEqual([{ a: 'b' }]);
    await api.replaceNamespacedConfigMap({
      namespace: 'default',
      name: 'one',
      body: { metadata: { name: 'one' }, data: { a: 'c' } },
    });
    await api.deleteNamespacedConfigMap({ namespace: 'default', name: 'one' });
    (await watching).abort();
    expect(seen.slice(-1)).toEqual(['DELETED one']);
    await expect(api.readNamespacedConfigMap({ namespace: 'default', name: 'one' })).rejects.toMatchObject({
      code: 404,
    });
  });

  it('finds the resource of any object by discovery', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config());
    await objects.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any', namespace: 'default' } });
    const read = await objects.read({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'any', namespace: 'default' },
    });
    expect(read.metadata?.uid).toMatch(/-/);
  });
});

describe('the HTTP client of the controller', () => {
  const served = withServed();
  let cluster: HttpCluster;
  beforeAll(() => {
    const { url, ca, token } = served();
    const tls = ca === undefined ? {} : { ca };
    cluster = connect({
      server: url,
      namespace: 'default',
      tls: async () => tls,
      authorization: async () => `Bearer ${token}`,
    });
  });
  afterAll(() => cluster.close());

  it('applies, reads, watches and deletes', async () => {
    const manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'mine', namespace: 'default' },
      data: { a: 'b' },
    };
    const applied = await cluster.apply(ConfigMap, manifest, { fieldManager: 'me', force: true });
    expect(await cluster.get(ConfigMap, { namespace: 'default', name: 'mine' })).toEqual(applied);
    const { resourceVersion, items } = await cluster.list(ConfigMap, { namespace: 'default' });
    expect(items).toHaveLength(1);
    const abort = new AbortController();
    const events = cluster.watch(ConfigMap, { resourceVersion, signal: abort.signal })[Symbol.asyncIterator]();
    const next = events.next();
    await cluster.delete(ConfigMap, { namespace: 'default', name: 'mine' });
    expect((await next).value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'mine' } } });
    abort.abort();
    await expect(cluster.get(Deployment, { namespace: 'default', name: 'none' })).rejects.toThrow(
      'deployments.apps "none" not found',
    );
  });
});
