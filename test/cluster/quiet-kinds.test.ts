import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { systemClock } from '../../src/kube/clock.js';
import { Informer } from '../../src/runtime/informer/informer.js';
import { type Health, healthOf } from '../../src/runtime/process/probes.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { eventually } from './eventually.js';
import { onRealCluster } from './on-real-cluster.js';

/** Nobody has made any of them, and the etcd of the test tells of its progress every ten minutes. */
const kinds = [
  { apiVersion: 'apps/v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', plural: 'statefulsets', namespaced: true },
  { apiVersion: 'batch/v1', kind: 'CronJob', plural: 'cronjobs', namespaced: true },
  { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', plural: 'ingresses', namespaced: true },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true },
];

onRealCluster('kinds that nobody changes', {}, (plane) => {
  const stop = new AbortController();
  let cluster: HttpCluster;
  let informers: readonly Informer[];
  let ended: Promise<unknown>;

  beforeAll(async () => {
    cluster = connect(await kubeConfig({ path: plane().kubeconfig }));
    informers = kinds.map(
      (resource) => new Informer({ cluster, resource, clock: systemClock, random: Math.random, log: silentLog }),
    );
    ended = Promise.all(informers.map((informer) => informer.run(stop.signal)));
    await Promise.all(informers.map((informer) => informer.synced()));
  });
  afterAll(async () => {
    stop.abort(new Error('the test is over'));
    await ended;
    await cluster.close();
  });

  it('show life within three minutes, though there are no bookmarks of them, and never fail a probe', async () => {
    const start = performance.now();
    const loop = { worstMilliseconds: 0 };
    const failed = new Set<Health['text']>();
    await eventually(() => {
      for (const probe of ['/healthz', '/readyz']) {
        const { code, text } = healthOf(probe, { informers: () => informers, loop });
        if (code !== 200) failed.add(text);
      }
      const silent = informers.filter((each) => each.silentMilliseconds + 1000 > performance.now() - start);
      expect(silent.map(({ resource }) => resource.plural)).toEqual([]);
    }, 180);
    expect([...failed]).toEqual([]);
  }, 200_000);
});
