import type { Clock } from '../../kube/clock.js';
import type { ObjectStore } from '../object-store.js';
import type { ClusterIdentity, ClusterState } from './cluster-state.js';
import { textOf } from './state-text.js';

/** Where a state is kept. */
export interface StateStorage {
  /** Replaces what is there, whole or not at all. */
  write(text: string): Promise<void>;
}

export interface StateKeeperOptions {
  readonly store: ObjectStore;
  readonly identity: ClusterIdentity;
  readonly storage: StateStorage;
  readonly clock: Clock;
  /** Told of a save that failed; it is tried again. */
  readonly report?: (error: unknown) => void;
}

/** How long changes wait for others that are saved together with them. */
const gatherMilliseconds = 500;
/** How long a failed save waits for its next try. */
const retryMilliseconds = 5000;
/** Saving takes at most one of so many parts of the time. */
const share = 10;

/**
 * Saves the objects of a store as they change.
 *
 * **Guarantees.** What is saved is a state that the store was in, no part older than another. Saves never overlap. What
 * had changed before `stop` is saved when that resolves.
 */
export class StateKeeper {
  #isDirty = true;
  #cancel: (() => void) | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isSaving = false;
  #costMilliseconds = 0;
  #isStopped = false;
  readonly #stopListening: () => void;

  constructor(private readonly options: StateKeeperOptions) {
    this.#stopListening = options.store.listen(() => this.#touch());
    this.#wait(0);
  }

  /** Saves for the last time. Rejects when that fails. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    this.#cancel?.();
    await this.#saving;
    await this.options.storage.write(this.#text(true));
  }

  #touch(): void {
    this.#isDirty = true;
    if (!this.#cancel && !this.#isSaving) this.#wait(Math.max(gatherMilliseconds, this.#costMilliseconds * share));
  }

  #wait(milliseconds: number): void {
    this.#cancel = this.options.clock.after(milliseconds, () => {
      this.#cancel = undefined;
      this.#saving = this.#save();
    });
  }

  async #save(): Promise<void> {
    const { storage, clock, report } = this.options;
    const start = clock.monotonic();
    this.#isDirty = false;
    this.#isSaving = true;
    let hasFailed = false;
    try {
      await storage.write(this.#text(false));
    } catch (error) {
      hasFailed = true;
      this.#isDirty = true;
      report?.(error);
    }
    this.#costMilliseconds = clock.monotonic() - start;
    this.#isSaving = false;
    if (this.#isStopped || !this.#isDirty) return;
    if (hasFailed) this.#wait(retryMilliseconds);
    else this.#touch();
  }

  #text(isEnd: boolean): string {
    const { store, identity } = this.options;
    const objects: ClusterState['objects'] = store.resources
      .toSorted()
      .flatMap((resource) => store.list(resource).map((object) => [resource, object] as const));
    return textOf({ revision: store.revision, objects, identity, isEnd });
  }
}
