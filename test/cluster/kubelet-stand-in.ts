import { Pod, type PodObject } from '../../imports/k8s.js';
import { NotFoundError } from '../../src/client/api-error.js';
import type { Cluster } from '../../src/client/cluster.js';
import type { HttpCluster } from '../../src/client/http-cluster.js';
import type { Observed } from '../../src/index.js';

/** Says of every Pod of a namespace what a kubelet says when its containers run. There are no nodes on a control plane. */
export async function markPodsReady(cluster: Cluster, namespace: string): Promise<void> {
  for (const { metadata, status } of await podsIn(cluster, namespace)) {
    if (status?.phase === 'Running' || metadata.deletionTimestamp !== undefined) continue;
    await markReady(cluster, { namespace, name: metadata.name });
  }
}

/**
 * Has every Pod of a namespace run on one node, which is there, with the address of this machine: what listens at a port of a
 * Pod is what listens here.
 */
export async function runPodsHere(
  cluster: HttpCluster,
  namespace: string,
  node: string,
  address: string,
): Promise<void> {
  for (const { metadata, spec } of await podsIn(cluster, namespace)) {
    const target = { namespace, name: metadata.name };
    if (!spec?.nodeName) await bind(cluster, target, node);
    await markReady(cluster, target, { podIP: address, podIPs: [{ ip: address }] });
  }
}

/**
 * Does to the Pods of DaemonSets what a scheduler and a kubelet do: they get their nodes, and end when they are told to.
 * Where Pods cannot be bound, as on the embedded API server, its own controllers do not ask for it.
 */
export async function placeDaemonPods(cluster: HttpCluster, namespace: string): Promise<void> {
  for (const { metadata, spec } of await podsIn(cluster, namespace)) {
    const { name } = metadata;
    const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const node = required?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0];
    if (metadata.deletionTimestamp !== undefined) {
      await cluster.delete(Pod, { namespace, name }, { gracePeriodSeconds: 0 }).catch(unlessGone);
    } else if (node !== undefined && !spec?.nodeName) {
      await bind(cluster, { namespace, name }, node).catch(unlessGone);
    }
  }
}

interface Target {
  readonly namespace: string;
  readonly name: string;
}

async function markReady(cluster: Cluster, target: Target, more: object = {}): Promise<void> {
  const now = new Date().toISOString();
  const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: now });
  const conditions = ['Initialized', 'ContainersReady', 'Ready'].map(condition);
  const running = { type: 'merge', body: { status: { phase: 'Running', conditions, ...more } } } as const;
  await cluster.patch(Pod, target, running, { fieldManager: 'kubelet', subresource: 'status' });
}

async function bind(cluster: HttpCluster, { namespace, name }: Target, node: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } };
  await cluster.request('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, { body });
}

async function podsIn(cluster: Cluster, namespace: string): Promise<readonly Observed<PodObject>[]> {
  const { items } = await cluster.list(Pod, { namespace });
  return items as unknown as readonly Observed<PodObject>[];
}

function unlessGone(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}
