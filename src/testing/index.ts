/** `kilter/testing`: a Kubernetes cluster for tests, in this process, on virtual time. */
export type { EmbeddedCluster } from '../embedded/embedded-cluster.js';
export type { EmbeddedServer } from '../embedded/embedded-server.js';
export type { Appliable, KindOf } from './appliable.js';
export type { Call, CallMatch, ControllerWrite } from './call.js';
export type { Faults, Refusal } from './faults.js';
export type { LogLine } from './line-log.js';
export type { RunOptions } from './run-options.js';
export { startCluster, type TestCluster } from './test-cluster.js';
export type { SettleOptions, TestClusterOptions, UntilOptions } from './test-cluster-options.js';
export type { TestController } from './test-controller.js';
