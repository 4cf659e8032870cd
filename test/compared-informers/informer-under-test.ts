import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Clock } from '../../src/kube/clock.js';

/** How an informer reaches the API server. Token and authority are in files, which may change. */
export interface Reach {
  readonly url: string;
  readonly tokenFile: string;
  readonly caFile: string;
}

export interface Watched {
  readonly resource: ApiResource;
  readonly namespace: string;
}

/** An object as an informer shows it: no more than what the suite asks about. */
export interface Shown {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  readonly data?: Readonly<Record<string, string>>;
}

export type Told = (type: 'added' | 'updated' | 'deleted', object: Shown) => void;

/** An informer that the suite was started on. */
export interface RunningInformer {
  /** What its store holds now. */
  list(): readonly Shown[];
  /** True once it says that its store is complete. */
  readonly isSynced: boolean;
  stop(): Promise<void>;
}

/** A kind of informer: what the suite has to know to try it. */
export interface InformerUnderTest {
  readonly title: string;
  /** `clock` is for those that take their time from outside. `tell` hears each change. */
  start(reach: Reach, watched: Watched, tell: Told, clock: Clock): Promise<RunningInformer>;
}
