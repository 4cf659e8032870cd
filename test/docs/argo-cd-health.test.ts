import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ConfigMap, Service } from '../../imports/k8s.js';
import { ConfigMapSync, configMapSync } from '../../src/operators/config-map-sync.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { packageRoot } from '../cluster/package-root.js';
import { healthByLua } from './health-by-lua.js';

const page = readFileSync(join(packageRoot, 'docs/argo-cd.md'), 'utf8');
const [, settings = ''] = /```yaml\n(data:\n {2}resource\.customizations\.health\.[\s\S]*?)```/.exec(page) ?? [];
const [script] = Object.values(parse(settings).data) as [string];

const { apiVersion, kind } = Memcached;
const suspended = { [`${apiVersion.split('/')[0]}/reconcile`]: 'suspended' };
const cache = (annotations = {}) => ({ apiVersion, kind, metadata: { name: 'cache', annotations }, spec: { size: 3 } });

describe('the health check of the page about Argo CD', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster({ controllers: { pods: { readyAfterSeconds: 60 } } });
    controller = await cluster.run(memcached);
  });
  afterEach(() => cluster.stop());

  const health = async () => healthByLua(script, await cluster.get(Memcached, 'cache'));
  const resized = () => cluster.patch(Memcached, 'cache', { spec: { size: 5 } });
  const ready = { status: 'Healthy', message: 'All children are applied and ready' };
  const unseen = { status: 'Progressing', message: 'The controller has not looked yet' };
  const paused = { status: 'Suspended', message: 'Reconciling is suspended by an annotation' };

  it('waits for a controller that has not come to it, and says so', async () => {
    controller.crash();
    await cluster.apply(cache());
    expect(await health()).toEqual(unseen);
  });

  it('waits for children until they are ready, and says for which', async () => {
    await cluster.apply(cache());
    await cluster.advance(5);
    expect(await health()).toEqual({
      status: 'Progressing',
      message: expect.stringContaining('Deployment/default/cache-server'),
    });
    await cluster.settled();
    expect(await health()).toEqual(ready);
  });

  it('takes nothing for healthy that was edited since', async () => {
    await cluster.apply(cache());
    await cluster.settled();
    controller.crash();
    await resized();
    expect(await health()).toEqual(unseen);
    controller.restart();
    await cluster.settled();
    expect(await health()).toEqual(ready);
  });

  it('calls degraded what waits for a person, until it is helped', async () => {
    const taken = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cache-service' } };
    await cluster.apply({ ...taken, spec: { clusterIP: 'None', selector: { app: 'other' } } });
    await cluster.apply(cache());
    await cluster.settled();
    expect(await health()).toEqual({
      status: 'Degraded',
      message: expect.stringContaining('Service/default/cache-service'),
    });
    await cluster.delete(Service, 'cache-service');
    await cluster.settled();
    expect(await health()).toEqual(ready);
  });

  it('calls suspended what a person suspended, whether it was looked at before, or was edited since', async () => {
    await cluster.apply(cache(suspended));
    await cluster.settled();
    expect(await health()).toEqual(paused);
    await cluster.patch(Memcached, 'cache', { metadata: { annotations: null } });
    await cluster.settled();
    expect(await health()).toEqual(ready);
    await cluster.patch(Memcached, 'cache', { metadata: { annotations: suspended } });
    await resized();
    await cluster.settled();
    expect(await health()).toEqual(paused);
  });

  it('is not asked about what is being deleted, whose condition says what that waits for', async () => {
    await cluster.run(configMapSync);
    const accepting = { annotations: { 'kilter.dev/accept-from': 'default' } };
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', ...accepting } });
    const settingsMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'b' } };
    await cluster.apply(settingsMap);
    await cluster.apply({
      apiVersion: ConfigMapSync.apiVersion,
      kind: ConfigMapSync.kind,
      metadata: { name: 'copy' },
      spec: {
        sourceNamespace: 'default',
        destinationNamespace: 'shop',
        configMapName: 'settings',
        deletionPolicy: 'Delete',
      },
    });
    await cluster.settled();
    expect(await healthByLua(script, await cluster.get(ConfigMapSync, 'copy'))).toEqual(ready);
    const shop = { namespace: 'shop' };
    await cluster.patch(ConfigMap, 'settings', { metadata: { finalizers: ['example.com/held'] } }, shop);
    await cluster.delete(ConfigMapSync, 'copy');
    await cluster.settled();
    const copy = await cluster.get(ConfigMapSync, 'copy');
    expect(await healthByLua(script, copy)).toEqual({ status: 'Progressing', message: 'Pending deletion' });
    expect(copy.status?.conditions?.[0]?.message).toContain('ConfigMap/shop/settings');
  });
});
