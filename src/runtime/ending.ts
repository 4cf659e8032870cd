import { isNamespaceEnding } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import type { ChangeSet, ChangeSetEntry } from '../drift/change-set.js';
import { deletionPolicyOf } from '../kube/deletion-policy.js';
import type { KubeObject } from '../kube/manifest.js';
import type { AuthorCode } from './author/author-code.js';
import type { Occasion } from './author/occasions.js';
import type { FarChildren } from './children/far-children.js';
import { confirmEnd } from './confirmation.js';
import type { Externals } from './external/externals.js';
import type { Planner } from './planner.js';
import { reportWrites } from './report-changes.js';
import type { Round } from './round.js';
import type { RoundLimits } from './round-limits.js';
import type { Verdict } from './status/status.js';
import type { Events } from './telemetry/events.js';
import type { ControllerTelemetry } from './telemetry/telemetry.js';
import type { Executed } from './writes/execute.js';
import { isForced, removeFinalizer, unheededForce } from './writes/finalizer.js';

export interface EndingOptions {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
  readonly authorCode: AuthorCode;
  readonly externals: Externals;
  readonly limits: RoundLimits;
  readonly far: FarChildren;
  readonly planner: Pick<Planner, 'live'>;
}

/** What is to be done before a custom resource that is being deleted may go. */
export class Ending {
  constructor(private readonly options: EndingOptions) {}

  /** Lets `cr` go, or tells what keeps it. */
  async end(
    { key, log, discretion, signal }: Round,
    cr: KubeObject,
    reasons: readonly string[],
  ): Promise<Verdict | undefined> {
    const { operator, cluster, externals, events, telemetry, limits, far, planner } = this.options;
    const { name: manager, resource } = operator;
    const note = unheededForce(cr);
    const changes: ChangeSetEntry[] = [];
    let removed: ChangeSet = [];
    const came = (entry: ChangeSetEntry) => {
      changes.push(entry);
      telemetry.changed(entry);
    };
    try {
      if (isForced(cr)) events.warn(cr, 'ForceReleased', 'It may leave behind what it had beyond its reach');
      else if (deletionPolicyOf(cr) === 'delete') {
        const occasion = this.#occasion(key, cr);
        discretion.saw(Object.values(occasion.inputs).flat());
        const confirmed = async () => {
          await confirmEnd(cr, { cluster, resource }, signal);
          // By what was read before, what there is would be looked for where it is not, and left behind.
          const live = await planner.live(occasion, signal);
          discretion.saw(Object.values(live.inputs).flat());
          return live;
        };
        removed = await externals.remove(occasion, confirmed, signal);
      }
      // What was removed outside had its own time, however many there were.
      const limit = limits.begin(signal);
      try {
        const ending = isForced(cr) ? ({ type: 'ended' } as const) : await far.end(key, cr, limit.signal, came);
        if (ending.type === 'waiting') {
          return { type: 'ending', waitsFor: note ? `${ending.waitsFor}; ${note}` : ending.waitsFor };
        }
        await removeFinalizer(cr, { cluster, resource, manager, signal: limit.signal });
        // Asked in each round until then, and told once.
        removed.forEach(came);
      } finally {
        limit.end();
      }
      return undefined;
    } catch (thrown) {
      try {
        discretion.saw(far.of(key, cr));
      } catch {
        // It cannot be read, which is what was thrown, or comes next.
      }
      return { type: 'failed', error: discretion.error(thrown), step: 'prune', note };
    } finally {
      reportWrites(changes, log, reasons);
    }
  }

  /** Of one that has nothing outside no input is asked for. Throws what an author's code throws. */
  #occasion(key: string, cr: KubeObject): Occasion {
    const { operator, authorCode } = this.options;
    if (Object.keys(operator.external).length === 0) return { key, cr, inputs: {} };
    return authorCode.occasion(key, cr);
  }
}

/** Nothing can be made in its namespace any more, and the custom resource itself goes in a moment. */
export function endOfHome({ metadata }: KubeObject, executed: readonly Executed[]): Verdict | undefined {
  const home = metadata.namespace;
  const isEnding = executed.some((each) => isNamespaceEnding(each.error) && each.entry.ref.namespace === home);
  return isEnding ? { type: 'ending', waitsFor: `Namespace/${home} is being deleted` } : undefined;
}
