import type { Cluster } from '../../client/cluster.js';
import type { External } from '../../compose/external.js';
import type { ChangeSet, ChangeSetEntry } from '../../drift/change-set.js';
import { missing } from '../../drift/plan.js';
import { groupOf } from '../../kube/api-resource.js';
import type { DriftMode } from '../../kube/drift-mode.js';
import { asError } from '../../kube/errors.js';
import { frozen } from '../../kube/frozen.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { ObjectRef } from '../../kube/object-ref.js';
import type { Occasion } from '../author/occasions.js';
import { addFinalizer } from '../writes/finalizer.js';
import { ExternalCalls, type ExternalCallsOptions } from './external-calls.js';
import { onceOverdue } from './once-overdue.js';

export interface ExternalsOptions extends ExternalCallsOptions {
  readonly cluster: Cluster;
}

/** What a round says of a custom resource before it turns to what that has outside. */
export interface Terms {
  /** Only where it is `enforce` anything outside is changed. */
  readonly mode: DriftMode;
  /** Throws unless the API server has the custom resource, as it is known here or was `held` just now, and what it reads. */
  readonly confirm: (held: KubeObject) => Promise<void>;
  /** Throws a `LateStoreError` unless the API server has the custom resource now as it is known here. */
  readonly confirmOwner: () => Promise<void>;
  /**
   * Says on the custom resource that `name` has not answered for a second, and resolves with it as it is then. Never rejects.
   * Undefined where there is nothing to say.
   */
  readonly overdue?: ((cr: KubeObject, name: string) => Promise<KubeObject>) | undefined;
}

/** What is outside the cluster after a round. */
export interface Outside {
  /** By name; without those that could not be looked at. */
  readonly states: Readonly<Record<string, unknown>>;
  /** True when all could be looked at, whatever could not be changed. */
  readonly isSeen: boolean;
  /** What is missing, and only reported; of each that could be looked at there is an entry. */
  readonly drift: ChangeSet;
  /** The custom resource after whatever was written to it. */
  readonly cr: KubeObject;
  /** All that failed. */
  readonly errors: readonly Error[];
  /** How soon the rest is to be looked at again: what failed says in its error when it is tried again. */
  readonly pollSeconds: number | undefined;
}

/**
 * What belongs to custom resources outside the cluster.
 *
 * **Guarantees.** The finalizer is there before anything is made, so that nothing is ever left behind, and a process that begins
 * with late stores acts on nothing that is gone, and on no older edit or input. Each look is a new one. What fails keeps neither other
 * externals nor children from being brought up to date. The custom resource is never written to twice at a time.
 */
export class Externals {
  readonly #calls: ExternalCalls;

  constructor(private readonly options: ExternalsOptions) {
    this.#calls = new ExternalCalls(options);
  }

  /** Brings everything outside to what is desired, where that is enforced. Throws nothing: what failed is in the result. */
  async ensure({ key, cr, inputs }: Occasion, terms: Terms, signal: AbortSignal): Promise<Outside> {
    const { operator, cluster, clock } = this.options;
    const { mode, confirm, confirmOwner, overdue } = terms;
    const externals = Object.entries(operator.external);
    const states: Record<string, unknown> = {};
    const drift: ChangeSetEntry[] = [];
    const errors: Error[] = [];
    let pollSeconds: number | undefined;
    if (externals.length === 0) return { states, isSeen: true, drift, cr, errors, pollSeconds };
    const writer = { cluster, resource: operator.resource, manager: operator.name, signal };
    let held = cr;
    try {
      if (mode === 'enforce') held = await addFinalizer(cr, writer);
      await confirm(held);
    } catch (error) {
      return { states, isSeen: false, drift, cr: held, errors: [asError(error)], pollSeconds };
    }
    const isHeldSinceNow = held !== cr;
    const stray = this.#calls.takeStray(key, cr);
    const shown = frozen(held);
    let asked = '';
    const say = async () => {
      if (overdue) held = await overdue(held, asked);
    };
    const said = overdue ? onceOverdue(clock, say) : async () => {};
    for (const [name, external] of externals) {
      asked = name;
      try {
        states[name] = await this.#calls.call({ key, cr: shown, inputs }, name, signal, async (call) => {
          const observed = await external.observe(shown, call);
          // Where it was given up meanwhile, a later round knows better what there is to do.
          call.signal.throwIfAborted();
          // What is there is known, though it may not come to be what it should.
          states[name] = observed;
          drift.push(entryOf(name, mode === 'report' && observed === undefined));
          if (mode !== 'enforce') return observed;
          // Nobody would remove what is made for one that somebody let go by hand, and of which no watch has told that it is gone.
          if (observed === undefined && !isHeldSinceNow) await confirmOwner();
          await this.#calls.mayAct();
          call.signal.throwIfAborted();
          return external.ensure(shown, observed, call);
        });
        pollSeconds = Math.min(external.pollSeconds, pollSeconds ?? external.pollSeconds);
      } catch (error) {
        errors.push(error as Error);
      }
    }
    await said();
    if (Object.values(states).some((state) => state !== undefined)) {
      // Where nothing is made it may be held by nothing so far, and what is there is not to be left behind.
      held = await addFinalizer(held, writer).catch((error: unknown) => {
        errors.push(asError(error));
        return held;
      });
    }
    if (stray) errors.push(stray);
    if (errors.length === 0) this.#calls.well(key);
    const isSeen = externals.every(([name]) => Object.hasOwn(states, name));
    return { states, isSeen, drift, cr: held, errors, pollSeconds };
  }

  /**
   * Removes everything that `cr` has outside, and resolves with an entry of each. Throws `ExternalError` for the first that cannot
   * be removed now, and what `confirmed` throws, before each, unless the API server says as well that all is to go; it resolves
   * with what that has of the inputs.
   */
  async remove({ cr }: Occasion, confirmed: () => Promise<Occasion>, signal: AbortSignal): Promise<ChangeSet> {
    const externals: readonly [string, External<KubeObject, unknown>][] = Object.entries(
      this.options.operator.external,
    );
    for (const [name, external] of externals.toReversed()) {
      // Before each, for the one before may have taken half a minute, in which somebody has thought better of it.
      const occasion = await confirmed();
      await this.#calls.call(occasion, name, signal, (call) => external.remove(frozen(cr), call), {
        hint: `its deletion waits for that; to give ${name} up, and lose it, set the annotation ${groupOf(cr.apiVersion)}/force-release to "true"`,
      });
    }
    return externals.toReversed().map(([name]) => ({ ref: refOfExternal(name), action: 'pruned' }));
  }

  /** The `StrayError` of the last `ensure` was told. */
  told(key: string): void {
    this.#calls.told(key);
  }

  forget(key: string): void {
    this.#calls.forget(key);
  }
}

/** It is no object: an entry has a name for people, and a kind for what counts by kinds. */
function refOfExternal(name: string): ObjectRef {
  return { apiVersion: '', kind: 'external', name };
}

function entryOf(name: string, isMissing: boolean): ChangeSetEntry {
  return { ref: refOfExternal(name), action: 'unchanged', ...(isMissing ? { reported: [missing] } : {}) };
}
