import { mkdir, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

const ownName = '.kilter';

/** Makes a folder, where it is missing. One called `.kilter`, or in one, is kept out of version control by itself. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const parts = folder.split(sep);
  const own = parts.lastIndexOf(ownName);
  if (own >= 0) await writeFile(join(parts.slice(0, own + 1).join(sep), '.gitignore'), '*\n');
}
