import type { ControllerOptions } from '../embedded/controllers/start-controllers.js';

/** How a cluster for tests begins. */
export interface TestClusterOptions {
  /** Decides uids, generated names and jitter: equal seeds give equal runs. Default: 1. */
  readonly seed?: number;
  /** The wall clock at the start, as RFC 3339. Default: some moment in 2026. */
  readonly startAt?: string;
  /** What stands for kube-controller-manager, scheduler and kubelets: how long Pods take to be ready, and which fail. */
  readonly controllers?: ControllerOptions;
}

/** When `settled` takes a cluster to be at rest. */
export interface SettleOptions {
  /** Nothing may have been written for so long. Default: 60. */
  readonly quietSeconds?: number;
  /** How long all may take. Default: an hour; it is the cluster's time, and costs little of yours. */
  readonly timeoutSeconds?: number;
}

/** What `patch` may be told. */
export interface PatchOptions {
  /** Default: `default`; none for a cluster-scoped kind. */
  readonly namespace?: string;
  /** The field manager. Default: `kubectl-patch`. */
  readonly manager?: string;
  readonly subresource?: 'status' | 'scale';
}
