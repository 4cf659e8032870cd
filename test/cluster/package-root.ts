import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, from the sources as well as from what is compiled of them. */
export const packageRoot = find(import.meta.dirname);

function find(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
  return find(parent);
}
