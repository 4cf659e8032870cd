import { Deployment, Pod, Service } from '../../../imports/k8s.js';
import type { Target } from '../../../src/client/cluster.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Memcached } from '../../../src/operators/memcached.js';
import type { Version } from './crew.js';
import { type Custom, type Deeds, type Hands, lasting, named, namespaces, readyOf } from './hands.js';

/** In each namespace: few enough that what is done to one meets what was done before. */
const most = 20;

interface Cache extends Custom {
  readonly spec: { readonly size: number; readonly image: string };
  readonly status?: Custom['status'] & { readonly nodes: readonly string[]; readonly readyReplicas: number };
}

interface Child extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: object;
    readonly template?: {
      readonly spec: { readonly containers: readonly { readonly image: string; readonly args?: readonly string[] }[] };
    };
  };
}

const [servers, servicesOf] = [/^m\d+-server$/, /^m\d+-service$/];

/** What people do to Memcacheds, and others to their children; each to one by chance. */
export function memcachedDeeds(hands: Hands): Deeds {
  const { cluster, dice } = hands;
  const place = () => ({ namespace: dice.one([lasting, ...namespaces]), name: `m${dice.whole(1, most)}` });
  const create = (target: Target) => hands.create(Memcached, target, { spec: { size: dice.whole(0, 1) } });
  const [cache, server, service] = [
    () => hands.some(Memcached),
    () => hands.some(Deployment, servers),
    () => hands.some(Service, servicesOf),
  ];
  const ending = () => ({ propagationPolicy: dice.one(['Background', 'Foreground'] as const) });
  const image = () => `memcached:1.${dice.whole(0, 999)}`;
  const { apiVersion, kind } = Deployment;
  return {
    'a creation': () => create(place()),
    'another creation': () => create(place()),
    'an edit': () => hands.merge(Memcached, cache(), { spec: { image: image() } }),
    'a size': () => hands.merge(Memcached, cache(), { spec: { size: dice.whole(0, 2) } }),
    'a label': () => hands.merge(Memcached, cache(), { metadata: { labels: { shade: `${dice.whole(0, 99)}` } } }),
    'an end': () => hands.delete(Memcached, cache(), ending()),
    'one that is made anew': () => hands.makeAnew(Memcached, create, ending()),
    'a Deployment that goes': () => hands.delete(Deployment, server(), ending()),
    'a Service that goes': () => hands.delete(Service, service()),
    'replicas that drift': () => hands.drift(Deployment, server(), { spec: { replicas: dice.whole(1, 2) } }),
    'a selector that drifts': () => hands.drift(Service, service(), { spec: { selector: { other: 'x' } } }),
    'a label of others': () =>
      hands.merge(Deployment, server(), { metadata: { labels: { theirs: `${dice.whole(0, 9)}` } } }),
    'managed fields that are reset': () => hands.merge(Deployment, server(), { metadata: { managedFields: [{}] } }),
    'an image that others apply': async () => {
      const metadata = { ...(await server()) };
      const spec = { template: { spec: { containers: [{ name: 'memcached', image: image() }] } } };
      await cluster.apply(Deployment, { apiVersion, kind, metadata, spec }, { ...hands.write, force: true });
    },
  };
}

/** What others keep from going for a while. */
export function heldDeeds(hands: Hands): Deeds {
  return {
    'a Memcached that is held': () => hands.deleteHeld(Memcached, hands.some(Memcached)),
    'a Deployment that is held': () => hands.deleteHeld(Deployment, hands.some(Deployment, servers)),
    'a Service that is held': () => hands.deleteHeld(Service, hands.some(Service, servicesOf)),
  };
}

/** How the cluster at rest is not as its Memcacheds desire it, and say that it is, by the controller of that version. */
export async function wrongMemcacheds(cluster: HttpCluster, version: Version): Promise<readonly string[]> {
  const [caches, deployments, services, pods] = await Promise.all(
    [Memcached, Deployment, Service, Pod].map(async (kind) => (await cluster.list(kind)).items),
  );
  const children = [...deployments!, ...services!].filter(({ metadata }) => /^m\d+-/.test(metadata.name)) as Child[];
  const uids = new Set(caches!.map(({ metadata }) => metadata.uid));
  const stray = children.filter(({ metadata }) => !uids.has(metadata.ownerReferences?.[0]?.uid ?? ''));
  return [
    ...stray.map((child) => `${named(child)} is left behind`),
    ...(caches as Cache[]).flatMap((cache) => wrongsOf(cache, children, pods!, version)),
  ];
}

function wrongsOf(
  cache: Cache,
  children: readonly Child[],
  pods: readonly KubeObject[],
  version: Version,
): readonly string[] {
  const { metadata, spec, status } = cache;
  const { namespace, name, uid } = metadata;
  const childOf = (kind: string, suffix: string) =>
    children.find(
      (child) =>
        child.kind === kind &&
        child.metadata.namespace === namespace &&
        child.metadata.name === `${name}-${suffix}` &&
        child.metadata.ownerReferences?.[0]?.uid === uid,
    );
  const deployment = childOf('Deployment', 'server');
  const [server, service] = [deployment?.spec, childOf('Service', 'service')?.spec];
  // What others added is left alone, and told while anybody knows whose it is: docs/drift.md.
  const mayBeTold = deployment?.metadata.labels?.['theirs'] === undefined ? [] : ['Drifted'];
  const nodes = pods
    .filter((pod) => pod.metadata.namespace === namespace)
    .filter((pod) => pod.metadata.labels?.['memcached.cache.example.com/name'] === name)
    .map((pod) => pod.metadata.name)
    .sort();
  const is = {
    image: server?.template?.spec.containers[0]?.image,
    replicas: server?.replicas,
    pods: nodes.length,
    selectors: Object.keys(service?.selector ?? {}).length,
    args: server?.template?.spec.containers[0]?.args?.length ?? 0,
    readers: childOf('Service', 'reader') ? 1 : 0,
    nodes: status?.nodes,
    readyReplicas: status?.readyReplicas,
    ready: readyOf(cache),
    conditions: status?.conditions?.map(({ type }) => type).filter((type) => !mayBeTold.includes(type)),
  };
  const { image, size } = spec;
  const isToBe = {
    image,
    replicas: size,
    pods: size,
    selectors: 1,
    ...(version.name === 'the next' ? { args: 2, readers: 1 } : { args: 0, readers: 0 }),
    nodes,
    readyReplicas: size,
    ready: 'Ready=True',
    conditions: ['Ready'],
  };
  const [found, desired] = [JSON.stringify(is), JSON.stringify(isToBe)];
  return found === desired ? [] : [`${named(cache)} is ${found}, and is to be ${desired}`];
}
