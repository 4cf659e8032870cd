import { Deployment, Service } from '../../../imports/k8s.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { Json } from '../../../src/kube/manifest.js';
import { Memcached } from '../../../src/operators/memcached.js';
import type { Dice } from '../../simulation/dice.js';

const write = { fieldManager: 'somebody' };
/** So many custom resources there are at most: few enough that what is done to one meets what was done before. */
const most = 60;
/** Of one child; what is changed back more often is a fight, which takes its time on purpose: docs/drift.md. */
const mostDrifts = 2;

/** What people do to custom resources, and others to their children; each to one by chance. What there is not to do fails. */
export function deedsOf(cluster: HttpCluster, dice: Dice): Readonly<Record<string, () => Promise<unknown>>> {
  const place = (suffix = '') => ({ namespace: 'default', name: `m${dice.whole(1, most)}${suffix}` });
  const merge = (kind: ApiResource, suffix: string, body: Json) =>
    cluster.patch(kind, place(suffix), { type: 'merge', body }, write);
  const drifts = new Map<string, number>();
  const drift = async (resource: ApiResource, suffix: string, body: Json) => {
    const target = place(suffix);
    const times = (drifts.get(target.name) ?? 0) + 1;
    if (times > mostDrifts) throw new Error(`${target.name} has drifted often enough`);
    drifts.set(target.name, times);
    await cluster.patch(resource, target, { type: 'merge', body }, write);
  };
  const { apiVersion, kind } = Memcached;
  return {
    'a creation': () => cluster.create(Memcached, { apiVersion, kind, metadata: place(), spec: { size: 0 } }, write),
    'an edit': () => merge(Memcached, '', { spec: { image: `memcached:1.${dice.whole(0, 999)}` } }),
    'a label': () => merge(Memcached, '', { metadata: { labels: { shade: `${dice.whole(0, 99)}` } } }),
    'an end': () => cluster.delete(Memcached, place()),
    'a Deployment that goes': () => cluster.delete(Deployment, place('-server')),
    'a Service that goes': () => cluster.delete(Service, place('-service')),
    'replicas that drift': () => drift(Deployment, '-server', { spec: { replicas: dice.whole(1, 2) } }),
    'a selector that drifts': () => drift(Service, '-service', { spec: { selector: { other: 'x' } } }),
    'managed fields that are reset': () => merge(Deployment, '-server', { metadata: { managedFields: [{}] } }),
  };
}
