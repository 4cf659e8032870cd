import { afterAll, beforeAll } from '@jest/globals';
import { onRealCluster } from '../../../cluster/on-real-cluster.js';
import { judgeAlike } from '../judge-alike.js';
import { SideBySide } from '../side-by-side.js';
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

  judgeAlike(all, () => servers, withoutChance);
});

/** Names and uids that were made at random, and the times of conditions, are the same to us. */
function withoutChance(text: string): string {
  return text
    .replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<random>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/("lastTransitionTime":)"[^"]*"/g, '$1"<now>"');
}
