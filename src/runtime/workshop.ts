import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import type { DriftPolicy } from '../drift/drift-policy.js';
import type { ApiResource, KindName } from '../kube/api-resource.js';
import type { FarChildren } from './children/far-children.js';
import type { Recreations } from './children/recreations.js';
import type { RefusedWrites } from './children/refused-writes.js';
import type { ToldDrift } from './children/told-drift.js';
import type { WatchedKind } from './informer/watched-kind.js';
import type { ControllerTelemetry } from './telemetry/telemetry.js';
import type { Echoes } from './writes/echoes.js';
import type { OwnWrites } from './writes/own-writes.js';

/** What the plans of an operator are carried out with, and what is remembered from one to the next. */
export interface Workshop {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly custom: WatchedKind;
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  /** The kind of a child among those that the operator owns. */
  readonly resourceOf: (child: KindName) => ApiResource;
  readonly policy: DriftPolicy;
  readonly far: FarChildren;
  readonly writes: OwnWrites;
  readonly recreations: Recreations;
  readonly refused: RefusedWrites;
  /** The drift that is to be put back, and was counted. */
  readonly found: ToldDrift;
  readonly echoes: Echoes;
  readonly telemetry: ControllerTelemetry;
}
