import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../kube/errors.js';
import { kustomizationFile, renderedMark } from './kustomization.js';
import type { RenderedFile } from './render.js';

/**
 * Makes the folder `directory` hold exactly `files`.
 *
 * What an earlier render left is removed, and with it every `.yaml` beside it. A folder with other content is refused, so that
 * neither a mistyped output directory nor notes that somebody put there cost anything. Hidden files stay: they are those of the
 * system, of Git, or of Argo CD (`.argocd-source-*.yaml`). So does the folder itself, which may be mounted or behind a link.
 */
export function writeFiles(directory: string, files: readonly RenderedFile[]): void {
  refuseForeign(directory);
  clear(directory);
  for (const folder of new Set(files.map(({ path }) => dirname(path))))
    mkdirSync(join(directory, folder), { recursive: true });
  for (const { path, text } of files) writeFileSync(join(directory, path), text);
}

/** Only what `refuseForeign` lets pass: files, and folders of files. */
function clear(directory: string): void {
  if (!existsSync(directory)) return;
  for (const { name, isFolder } of entriesOf(directory)) {
    const path = join(directory, name);
    for (const each of isFolder ? entriesOf(path) : []) rmSync(join(path, each.name));
    if (!isFolder) rmSync(path);
    else if (readdirSync(path).length === 0) rmdirSync(path);
  }
}

function refuseForeign(directory: string): void {
  if (!existsSync(directory) || entriesOf(directory).length === 0) return;
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

/** What no render writes: all but folders with a kustomization of ours, in which there is YAML, and what is hidden. */
function foreignIn(directory: string): string | undefined {
  for (const { name, isFolder } of entriesOf(directory)) {
    if (!isFolder && name === kustomizationFile) continue;
    const entries = isFolder ? entriesOf(join(directory, name)) : [];
    // Where a chart went, files that are hidden keep its folder.
    if (isFolder && entries.length === 0) continue;
    if (!isFolder || !isRendered(join(directory, name))) return name;
    const strange = entries.find(
      (each) => each.isFolder || !(each.name === kustomizationFile || each.name.endsWith('.yaml')),
    );
    if (strange) return join(name, strange.name);
  }
  return undefined;
}

/** What is not hidden. */
function entriesOf(directory: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

function isRendered(directory: string): boolean {
  const mark = join(directory, kustomizationFile);
  return existsSync(mark) && readFileSync(mark, 'utf8').startsWith(renderedMark);
}
