import type { PodLife } from '../embedded/controllers/kubelet.js';
import type { ControllerOptions } from '../embedded/controllers/start-controllers.js';
import { refuseUnknownOptions } from '../kube/unknown-options.js';
import { refuseEndless } from './refuse-endless.js';
import type { RunOptions } from './run-options.js';
import type { TestClusterOptions } from './test-cluster-options.js';

type Known<T> = Readonly<Record<keyof T, true>>;

const ofCluster: Known<TestClusterOptions> = { seed: true, startAt: true, controllers: true };

const ofControllers: Known<ControllerOptions> = {
  garbageCollector: true,
  namespaces: true,
  namespaceContents: true,
  deployments: true,
  replicaSets: true,
  statefulSets: true,
  daemonSets: true,
  jobs: true,
  cronJobs: true,
  serviceEndpoints: true,
  disruptionBudgets: true,
  volumeClaims: true,
  volumeProtection: true,
  scheduler: true,
  nodes: true,
  pods: true,
  more: true,
  rootCertificate: true,
  report: true,
};

const ofPods: Known<PodLife> = {
  readyAfterSeconds: true,
  succeedAfterSeconds: true,
  stopAfterSeconds: true,
  fails: true,
};

const ofRun: Known<RunOptions> = {
  leaderElect: true,
  identity: true,
  namespaces: true,
  settings: true,
  fetch: true,
  assumeConsent: true,
  rolloutLimit: true,
};

/**
 * Throws `DefinitionError` for a misspelt option, by which a test would try something else than it says: runners of tests take the
 * types away and look at none. And `OperatorError` for a life of Pods that is no time.
 */
export function refuseClusterOptions(options: TestClusterOptions): void {
  refuseUnknownOptions('startCluster', '', options, ofCluster);
  refuseUnknownOptions('startCluster', 'controllers.', options.controllers, ofControllers);
  const { pods } = options.controllers ?? {};
  if (!pods) return;
  refuseUnknownOptions('startCluster', 'controllers.pods.', pods, ofPods);
  const { fails: _, ...times } = pods;
  for (const [name, seconds] of Object.entries(times)) {
    if (seconds !== undefined) refuseEndless(`controllers.pods.${name}`, seconds, Number.MAX_VALUE, 0);
  }
}

/** Throws `DefinitionError` for a misspelt option. */
export function refuseRunOptions(options: RunOptions): void {
  refuseUnknownOptions('run', '', options, ofRun);
}
