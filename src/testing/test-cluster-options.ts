import type { ControllerOptions } from '../embedded/controllers/start-controllers.js';

/** How a cluster for tests begins. */
export interface TestClusterOptions {
  /** Decides uids, generated names and jitter: equal seeds give equal runs. Default: 1. */
  readonly seed?: number;
  /** The wall clock at the start, as RFC 3339. Default: `2026-01-02T03:04:05Z`. */
  readonly startAt?: string;
  /** What stands for kube-controller-manager, scheduler and kubelets: how long Pods take to be ready, and which fail. */
  readonly controllers?: ControllerOptions;
}

/** When `settled` takes a cluster to be at rest. Seconds are of the cluster's own time, which costs a test next to nothing. */
export interface SettleOptions {
  /** Nothing may have been written for so long. Default: 60. */
  readonly quietSeconds?: number;
  /** After so long it throws. Default: 3600. */
  readonly timeoutSeconds?: number;
}

/** How long `until` waits, by the cluster's own time. */
export interface UntilOptions {
  /** After so long it throws. Default: 3600. */
  readonly timeoutSeconds?: number;
  /** It is asked after each thing that happens, and after so long at most where nothing does; above 0. Default: 1. */
  readonly stepSeconds?: number;
}

/** Where and as whom `patch` patches. */
export interface PatchOptions {
  /** Default: `default`; none for a cluster-scoped kind. */
  readonly namespace?: string;
  /** The field manager. Default: `kubectl-patch`. */
  readonly manager?: string;
  readonly subresource?: 'status' | 'scale';
}
