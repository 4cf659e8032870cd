import type { ChangeSetEntry } from '../../drift/change-set.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Outcome } from '../outcome.js';

/**
 * What the runtime tells of itself while it works. `Metrics` listens; whoever does not care hands over `silentTelemetry`.
 *
 * Every word comes from a small set: the names of operators, kinds, reasons and actions. Nobody is told the name of an
 * object, nor a value of one. What listens is called on hot paths: it is quick, and never throws.
 */
export interface Telemetry {
  /** An operator's loop begins. */
  controller(name: string, facts: ControllerFacts): ControllerTelemetry;
  /** A kind begins to be watched. */
  kind(resource: ApiResource): InformerTelemetry;
  /** Reviews begin to be answered at this path. */
  webhook(path: string): WebhookTelemetry;
}

/** What of an operator's loop can be read at any time. */
export interface ControllerFacts {
  /** The kind of its custom resources. */
  readonly kind: string;
  readonly workers: number;
  /** How many keys are ready and wait for a worker. */
  readonly depth: () => number;
  /** How many custom resources there are, by the status of their condition `Ready`. */
  readonly customResources: () => ReadonlyMap<string, number>;
  /** How many children there are of each kind that it owns. */
  readonly children: () => ReadonlyMap<string, number>;
  /** How many custom resources wait for their turn in a rollout; undefined where there is no limit. */
  readonly rolloutWaiting: () => number | undefined;
}

export interface ControllerTelemetry extends QueueTelemetry {
  /** A reconcile begins. Its end is told to what is returned. */
  reconciling(): RoundTelemetry;
  /** A child of this kind is not as it was left, and is put back: somebody changed it. */
  drifted(kind: string): void;
  /** Something became of a child, or its drift is reported; nothing is told of those that are as they should be. */
  changed(entry: ChangeSetEntry): void;
  /** It was recognised that somebody fights with us over a child of this kind. */
  fought(kind: string): void;
  /** A reconcile failed, with the reason that the condition `Ready` has. */
  failed(reason: string): void;
}

/** One reconcile, until it ends. */
export interface RoundTelemetry {
  /** `thrown`: it ended by an error that nobody foresaw. */
  ended(outcome: Outcome | 'thrown'): void;
}

export interface QueueTelemetry {
  /** A key became ready that was not. */
  added(): void;
  /** A worker took a key that was ready for so long. */
  taken(waitedMilliseconds: number): void;
  /** A key that failed is to be tried again. */
  retried(): void;
}

/** Why a watch began anew. */
export type RestartReason = 'gone' | 'failed' | 'history-lost' | 'not-served' | 'not-streamed' | 'silent';

export interface InformerTelemetry {
  /** A complete list became the content of a store. */
  listed(): void;
  /** An event of a watch came. */
  heard(): void;
  restarted(reason: RestartReason): void;
}

export interface WebhookTelemetry {
  /** A review begins. Its end is told to what is returned. */
  reviewing(): ReviewRound;
}

/** One review, until it is answered. */
export interface ReviewRound {
  /** With this HTTP code. `isThrown`: by an error that nobody foresaw. */
  ended(code: number, isThrown: boolean): void;
}

const silentRound: RoundTelemetry = { ended() {} };
const silentController: ControllerTelemetry = {
  reconciling: () => silentRound,
  drifted() {},
  changed() {},
  fought() {},
  failed() {},
  added() {},
  taken() {},
  retried() {},
};
const silentInformer: InformerTelemetry = { listed() {}, heard() {}, restarted() {} };
const silentWebhook: WebhookTelemetry = { reviewing: () => ({ ended() {} }) };

/** Tells nobody. */
export const silentTelemetry: Telemetry = {
  controller: () => silentController,
  kind: () => silentInformer,
  webhook: () => silentWebhook,
};
