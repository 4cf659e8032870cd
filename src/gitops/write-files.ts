import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../kube/errors.js';
import { kustomizationFile, renderedMark } from './kustomization.js';
import type { RenderedFile } from './render.js';

/**
 * Makes the folder `directory` hold exactly `files`.
 *
 * What an earlier render left is removed, and with it every `.yaml` beside it. A folder with other content is refused, so that
 * neither a mistyped output directory nor notes that somebody put there cost anything.
 */
export function writeFiles(directory: string, files: readonly RenderedFile[]): void {
  refuseForeign(directory);
  rmSync(directory, { recursive: true, force: true });
  for (const folder of new Set(files.map(({ path }) => dirname(path))))
    mkdirSync(join(directory, folder), { recursive: true });
  for (const { path, text } of files) writeFileSync(join(directory, path), text);
}

function refuseForeign(directory: string): void {
  if (!existsSync(directory) || readdirSync(directory).length === 0) return;
  if (!isRendered(directory)) {
    throw new OperatorError(`writing to "${directory}" refused: it holds files that no render wrote`, {
      hint: 'choose an empty output directory, or empty this one',
    });
  }
  const foreign = foreignIn(directory);
  if (foreign === undefined) return;
  throw new OperatorError(`writing to "${directory}" refused: no render wrote ${join(directory, foreign)}`, {
    hint: 'keep it elsewhere, or remove it: the output directory is written anew as a whole',
  });
}

/** What no render writes: all but folders with a kustomization of ours, in which there is YAML. Hidden files are the system's. */
function foreignIn(directory: string): string | undefined {
  for (const { name, isFolder } of entriesOf(directory)) {
    if (!isFolder && name === kustomizationFile) continue;
    if (!isFolder || !isRendered(join(directory, name))) return name;
    const strange = entriesOf(join(directory, name)).find(
      (each) => each.isFolder || !(each.name === kustomizationFile || each.name.endsWith('.yaml')),
    );
    if (strange) return join(name, strange.name);
  }
  return undefined;
}

function entriesOf(directory: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

function isRendered(directory: string): boolean {
  const mark = join(directory, kustomizationFile);
  return existsSync(mark) && readFileSync(mark, 'utf8').startsWith(renderedMark);
}
