import type { Cluster } from '../../client/cluster.js';
import type { Operator } from '../../compose/operator.js';
import type { Clock } from '../../kube/clock.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { againAt, type Outcome } from '../outcome.js';
import type { Round } from '../round.js';
import type { Events } from '../telemetry/events.js';
import type { ControllerTelemetry } from '../telemetry/telemetry.js';
import type { Echoes } from '../writes/echoes.js';
import type { OwnWrites } from '../writes/own-writes.js';
import { isOfThisGeneration, withoutLost } from './own-status.js';
import { RefusedStatuses } from './refused-statuses.js';
import { afterClearing } from './stale-status.js';
import { StatusAnswers } from './status-answers.js';
import { isOnlyStatus } from './status-echo.js';
import { reportStatusFight, StatusFights } from './status-fights.js';

export interface StatusWriterOptions {
  readonly operator: Operator;
  /** The names that the operator has and had. */
  readonly managers: readonly string[];
  readonly cluster: Cluster;
  readonly custom: WatchedKind;
  readonly echoes: Echoes;
  readonly clock: Clock;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
  readonly writes: OwnWrites;
}

/** What of a status is to be written now; or until when, in milliseconds of the monotonic clock, it is too early for it. */
export interface Due {
  readonly status?: Manifest;
  readonly heldUntil?: number;
}

/**
 * Writes statuses, each of the very version of the custom resource that it was made for.
 *
 * **Guarantees.** What the API server answered with something else is not said again while that is shown; what somebody else
 * writes over each time, and what the API server refuses for good, less and less often.
 */
export class StatusWriter {
  readonly #fights = new StatusFights();
  readonly #answers = new StatusAnswers();
  readonly #refused: RefusedStatuses;

  constructor(private readonly options: StatusWriterOptions) {
    this.#refused = new RefusedStatuses(options.clock);
  }

  /** The custom resources whose status was refused, which from now on may be taken. */
  acceptable(): readonly string[] {
    return this.#refused.acceptable();
  }

  forget(key: string): void {
    this.#fights.forget(key);
    this.#answers.forget(key);
    this.#refused.forget(key);
  }

  /** What is due of what `cr` does not show yet. */
  due(key: string, cr: KubeObject, unsaid: Manifest | undefined): Due {
    if (!unsaid || this.#answers.isAnswered(key, cr, unsaid)) return {};
    const heldUntil = this.#fights.heldUntil(key, cr, unsaid, this.options.clock.monotonic());
    return heldUntil === undefined ? { status: unsaid } : { heldUntil };
  }

  /** Says `status` of `cr`, of whose round this is the end. `isShownBy` tells whether it is what was stored. */
  async say(round: Round, cr: KubeObject, status: Manifest, isShownBy: (stored: KubeObject) => boolean): Promise<void> {
    const { clock, events, managers, telemetry } = this.options;
    const { key, log } = round;
    const stored = await this.write(round, cr, status);
    // The first of a generation is none that is said again, and most are.
    if (isOfThisGeneration(cr)) this.#answers.answered(key, status, stored, isShownBy(stored));
    if (this.#fights.said(key, cr, status, clock.monotonic()))
      reportStatusFight(status, { cr, managers, log, events, telemetry });
  }

  /** Writes `status`, and answers what is stored then. */
  async write({ key, signal, patience }: Round, cr: KubeObject, status: Manifest): Promise<KubeObject> {
    const { operator, managers, cluster, custom, echoes, writes } = this.options;
    const { name: fieldManager, resource } = operator;
    const write = { fieldManager, subresource: 'status', signal } as const;
    const apply = (ready: Manifest) => cluster.apply(resource, ready, { ...write, force: true });
    const say = () => afterClearing(status, cr, managers, cluster, resource, write)?.then(apply) ?? apply(status);
    const applied = await patience.with(() => this.#refused.unlessVain(key, cr, status, say));
    const said = status['status'] as Readonly<Record<string, unknown>>;
    const stored = await withoutLost(applied, said, managers, cluster, resource, write);
    writes.wrote(key, custom, stored);
    writes.vouch(key);
    if (isOnlyStatus(cr, stored, status)) echoes.answered(key, stored);
    return stored;
  }

  /** `outcome`, or what comes sooner for a status that is held back, or was refused by the definition of before. */
  sooner(key: string, outcome: Outcome, heldUntil?: number): Outcome {
    const held = againAt(outcome, heldUntil, this.options.clock.monotonic(), 'its status is fought over');
    return this.#refused.sooner(key, held);
  }
}
