import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../kube/clock.js';

/** An editor writes a file in several steps. */
const gatherMilliseconds = 60;

/** Something was written; or a folder is watched from now on, into which something may have come before. */
export type Change = 'changed' | 'opened';

/** Tells when something in a number of folders has changed: once for changes that come together. */
export class FolderWatch {
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly stamp: string | undefined }>();
  #gathered: Change = 'opened';
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (how: Change) => void,
  ) {}

  /**
   * Watches these folders, each without those below it, and no others; in the place of one that is not there what there is of
   * the way to it, where it may come.
   */
  follow(folders: Iterable<string>): void {
    // Whoever was on the way to say what to watch must not keep the process.
    if (this.#isClosed) return;
    const wanted = new Set([...folders].map(nearest));
    for (const [folder, { watcher, stamp }] of this.#watchers) {
      // Of a folder that went and came back the watcher is that of the one before, and hears nothing.
      if (wanted.has(folder) && stampOf(folder) === stamp) continue;
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
      const stamp = stampOf(folder);
      const watcher = watch(folder, () => this.#gather('changed'));
      // A folder that goes takes its watcher with it; it may come back.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#gather('changed');
      });
      this.#watchers.set(folder, { watcher, stamp });
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

function nearest(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Another for each folder that comes by one name. */
function stampOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}
