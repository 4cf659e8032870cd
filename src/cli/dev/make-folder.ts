import { mkdir, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { OperatorError } from '../../kube/errors.js';

const ownName = '.kilter';

/**
 * Makes a folder, where it is missing. One called `.kilter`, or in one, is kept out of version control by itself.
 *
 * Throws `OperatorError` where that cannot be, as where all is read-only.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const parts = folder.split(sep);
    const own = parts.lastIndexOf(ownName);
    if (own >= 0) await writeFile(join(parts.slice(0, own + 1).join(sep), '.gitignore'), '*\n');
  } catch (cause) {
    throw new OperatorError(`making the folder ${folder} failed`, {
      cause,
      hint: 'the project has to be one that this user can write to: what is compiled is kept there, where it finds its packages',
    });
  }
}
