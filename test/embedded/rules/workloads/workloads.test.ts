import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onRealCluster } from '../../../cluster/on-real-cluster.js';
import { asJson, nameIn } from '../bodies/judged.js';
import { type Both, SideBySide } from '../side-by-side.js';
import { cronJobs, jobs } from './bodies/jobs.js';
import { pods } from './bodies/pods.js';
import {
  controllerRevisions,
  daemonSets,
  deployments,
  podTemplates,
  replicaSets,
  replicationControllers,
  statefulSets,
} from './bodies/replicas.js';

const ofPods = [pods, podTemplates];
const ofReplicas = [deployments, replicaSets, statefulSets, daemonSets, replicationControllers, controllerRevisions];
const all = [...ofPods, ...ofReplicas, jobs, cronJobs];

onRealCluster('the rules of workloads, beside the real API server', {}, (plane) => {
  let servers: SideBySide;
  beforeAll(async () => {
    servers = new SideBySide(plane());
    // What controllers make in every namespace, and Pods need.
    await servers.create('ServiceAccount', { metadata: { name: 'default' } });
  });
  afterAll(async () => {
    await servers.close();
  });

  describe.each(all)('of $kind', ({ kind, bodies, changes = [], statuses = [] }) => {
    it.each(bodies)('judges as new: %s', async (_, body) => {
      agree(await servers.judge(kind, asJson(body)));
    });

    const updates = [
      ...changes.map(([title, body, change]) => [title, body, change, undefined] as const),
      ...statuses.map(([title, body, change]) => [title, body, change, 'status'] as const),
    ];
    it.each(updates)('judges a change: %s', async (_, body, change, subresource) => {
      agree(await servers.create(kind, asJson(body)));
      try {
        agree(await servers.update(kind, nameIn(body), asJson(change), subresource));
      } finally {
        await servers.delete(kind, nameIn(body));
      }
    });
  });
});

function agree({ real, embedded }: Both): void {
  expect(settled(embedded)).toEqual(settled(real));
}

/** Names and uids that were made at random, and the times of conditions, are the same to us. */
function settled(said: Both['real']): unknown {
  const text = JSON.stringify(said);
  return JSON.parse(
    text
      .replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<random>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/("lastTransitionTime":)"[^"]*"/g, '$1"<now>"'),
  );
}
