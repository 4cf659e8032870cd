import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { GoneError } from '../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { systemClock } from '../../src/kube/clock.js';
import { Informer } from '../../src/runtime/informer/informer.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { onRealCluster } from './on-real-cluster.js';
import { refusal } from './proxy-rules.js';

const namespace = 'default';
const by = { fieldManager: 'test' };
const configMaps = { path: '/configmaps' };

onRealCluster('an informer whose server has lost history', {}, (plane) => {
  let proxy: FaultProxy;
  let direct: HttpCluster;
  let cluster: HttpCluster;
  let informer: Informer;
  let heard: string[];
  let stop: AbortController;
  let ended: Promise<void>;

  beforeEach(async () => {
    direct = connect(await kubeConfig({ path: plane().kubeconfig }));
    for (const name of ['goes', 'stays']) await create(name);
    proxy = await FaultProxy.start(plane());
    cluster = connect(proxy.config(plane().adminToken));
    informer = new Informer({
      cluster,
      resource: ConfigMap,
      clock: systemClock,
      random: Math.random,
      log: silentLog,
      labelSelector: 'test',
    });
    heard = [];
    stop = new AbortController();
    ended = informer.run(stop.signal);
    await informer.synced();
    informer.subscribe(({ type, object }) => heard.push(`${type} ${object.metadata.name}`));
  });
  afterEach(async () => {
    stop.abort(new Error('the test is over'));
    await ended;
    await cluster.close();
    await proxy.close();
    await direct.close();
  });

  const create = (name: string) => {
    const metadata = { name, namespace, labels: { test: '' } };
    return direct.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, by);
  };
  const stored = () =>
    informer.store
      .list()
      .map(({ metadata }) => metadata.name)
      .sort();
  const remove = (name: string) => direct.delete(ConfigMap, { namespace, name });

  it('C-01: etcd was compacted while nobody watched: lists anew, loses nothing, and tells nothing twice', async () => {
    const { resourceVersion } = await direct.list(ConfigMap, { namespace });
    const away = proxy.on({ ...configMaps, times: Number.POSITIVE_INFINITY }, refusal(503, 'ServiceUnavailable'));
    proxy.end({ ...configMaps, watch: true }, 'reset');
    await remove('goes');
    const changed = { type: 'merge', body: { data: { value: 'new' } } } as const;
    await direct.patch(ConfigMap, { namespace, name: 'stays' }, changed, by);
    for (const name of ['comes', 'passes']) await create(name);
    await remove('passes');
    await plane().compact();
    await plane().restart();
    const watch = async () => {
      for await (const _ of direct.watch(ConfigMap, { namespace, resourceVersion })) return;
    };
    await expect(watch()).rejects.toThrow(GoneError);
    expect(heard).toEqual([]);
    away.release();
    await eventually(() => expect(stored()).toEqual(['comes', 'stays']), 60);
    expect(heard.toSorted()).toEqual(['added comes', 'deleted goes', 'updated stays']);
  }, 180_000);
});
