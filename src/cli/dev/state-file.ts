import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StateStorage } from '../../embedded/state/state-keeper.js';
import { OperatorError } from '../../kube/errors.js';
import { makeFolder } from './make-folder.js';

/** What a file system does for a state; in tests another, which fails. */
export interface Files {
  readonly rename: (from: string, to: string) => Promise<void>;
}

/** The locks that this process has. In a container its number is often that of the one before, which was killed. */
const held = new Set<string>();

/**
 * A file that is replaced whole or not at all, and that one process has at a time.
 *
 * **Guarantees.** A crash at any moment leaves the file as it was before a write, or as it is after. Only its owner can
 * read it: there are keys in it.
 */
export class StateFile implements StateStorage {
  readonly #temporary: string;
  readonly #lock: string;

  constructor(
    readonly path: string,
    private readonly files: Files = { rename },
  ) {
    this.#temporary = `${path}.new`;
    this.#lock = `${path}.lock`;
  }

  /** Takes the file for this process. Throws `OperatorError` when another has it, or where that cannot be. */
  async lock(): Promise<void> {
    await makeFolder(dirname(this.path));
    // Linked when it says whose it is: nobody sees it empty.
    const own = `${this.#lock}.${process.pid}`;
    try {
      await writeFile(own, String(process.pid), { mode: 0o600 });
      await this.#take(own);
      held.add(this.#lock);
    } catch (cause) {
      if (cause instanceof OperatorError) throw cause;
      throw new OperatorError(`locking the cluster state ${this.path} failed`, {
        cause,
        hint: 'name a file with --state in a folder that this user can write to',
      });
    } finally {
      await rm(own, { force: true }).catch(() => {});
    }
  }

  async #take(own: string): Promise<void> {
    for (;;) {
      try {
        return await link(own, this.#lock);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = await holderIn(this.#lock);
      if (holder === process.pid ? held.has(this.#lock) : isAlive(holder)) {
        throw new OperatorError(`the cluster state ${this.path} is in use by process ${holder}`, {
          hint: `end that one, or name another file with --state; if it is no kilter, remove ${this.#lock}`,
        });
      }
      await this.#clear(holder, `${own}.old`);
    }
  }

  /** Takes the lock of `holder` away, who is gone, and no other's: somebody may have taken it since it was looked at. */
  async #clear(holder: number, aside: string): Promise<void> {
    try {
      await this.files.rename(this.#lock, aside);
      if (!Object.is(await holderIn(aside), holder)) await link(aside, this.#lock);
    } catch (error) {
      // Gone, or there again: whoever was faster has it.
      if (!['ENOENT', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    } finally {
      await rm(aside, { force: true });
    }
  }

  async unlock(): Promise<void> {
    held.delete(this.#lock);
    await rm(this.#lock, { force: true });
  }

  /** Undefined when there is no such file. */
  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new OperatorError(`reading the cluster state ${this.path} failed`, { cause });
    }
  }

  async write(text: string): Promise<void> {
    try {
      await makeFolder(dirname(this.path));
      const handle = await open(this.#temporary, 'w', 0o600);
      try {
        await handle.writeFile(text);
        // Renamed before its content is on the disk, an empty file could take the place of a whole one.
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.files.rename(this.#temporary, this.path);
    } catch (cause) {
      if (cause instanceof OperatorError) throw cause;
      throw new OperatorError(`writing the cluster state ${this.path} failed`, { cause });
    }
  }
}

async function holderIn(lock: string): Promise<number> {
  return Number(await readFile(lock, 'utf8').catch(() => ''));
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
