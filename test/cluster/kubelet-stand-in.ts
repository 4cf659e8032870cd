import { Pod } from '../../imports/k8s.js';
import type { Cluster } from '../../src/client/cluster.js';

/** Says of every Pod of a namespace what a kubelet says when its containers run. There are no nodes on a control plane. */
export async function markPodsReady(cluster: Cluster, namespace: string): Promise<void> {
  const { items } = await cluster.list(Pod, { namespace });
  const now = new Date().toISOString();
  const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: now });
  for (const { metadata, ...pod } of items) {
    const { status } = pod as { status?: { phase?: string } };
    if (status?.phase === 'Running' || metadata.deletionTimestamp !== undefined) continue;
    await cluster.patch(
      Pod,
      { namespace, name: metadata.name },
      {
        type: 'merge',
        body: { status: { phase: 'Running', conditions: ['Initialized', 'ContainersReady', 'Ready'].map(condition) } },
      },
      { fieldManager: 'kubelet', subresource: 'status' },
    );
  }
}
