import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../../kube/clock.js';

/** An editor writes a file in several steps. */
const gatherMilliseconds = 60;

/** Something was written; or a folder is watched from now on, into which something may have come before. */
export type Change = 'changed' | 'opened';

/** Tells when something in a number of folders has changed: once for changes that come together. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  #gathered: Change = 'opened';
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (how: Change) => void,
  ) {}

  /** Watches these folders, each without those below it, and no others. A folder that is not there is left out. */
  follow(folders: Iterable<string>): void {
    // Whoever was on the way to say what to watch must not keep the process.
    if (this.#isClosed) return;
    const wanted = new Set(folders);
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#open(folder);
  }

  close(): void {
    this.follow([]);
    this.#isClosed = true;
    this.#cancel?.();
  }

  #open(folder: string): void {
    try {
      const watcher = watch(folder, () => this.#gather('changed'));
      // A folder that goes takes its watcher with it; it may come back.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#gather('changed');
      });
      this.#watchers.set(folder, watcher);
      this.#gather('opened');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  #gather(how: Change): void {
    if (how === 'changed') this.#gathered = how;
    this.#cancel?.();
    this.#cancel = this.clock.after(gatherMilliseconds, () => {
      const gathered = this.#gathered;
      this.#gathered = 'opened';
      this.tell(gathered);
    });
  }
}
