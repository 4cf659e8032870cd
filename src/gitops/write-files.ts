import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { causeText, OperatorError } from '../kube/errors.js';
import { kustomizationFile, renderedMark } from './kustomization.js';
import type { RenderedFile } from './render.js';

/**
 * Makes the folder `directory` hold exactly `files`.
 *
 * What an earlier render left is removed, and with it every `.yaml` beside it. A folder with other content is refused, so that
 * neither a mistyped output directory nor notes that somebody put there cost anything. Hidden files stay: they are those of the
 * system, of Git, or of Argo CD (`.argocd-source-*.yaml`). So does the folder itself, which may be mounted or behind a link.
 *
 * **Guarantees.** When it fails, or is interrupted at any moment, a further render is not refused for what this one left.
 *
 * **Errors.** `OperatorError` for a folder with other content, and for what the file system has against it.
 */
export function writeFiles(directory: string, files: readonly RenderedFile[]): void {
  try {
    replace(directory, files);
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(`writing to "${directory}" failed: ${causeText(cause)}`, {
      cause,
      hint: 'choose an output directory that can be made, and that this user can write to',
    });
  }
}

function replace(directory: string, files: readonly RenderedFile[]): void {
  refuseForeign(directory);
  const kept = new Set(files.map(({ path }) => path));
  // What cannot be made fails before anything is removed, and what was removed as one of another case is made again.
  makeFolders(directory, kept);
  clear(directory, kept);
  makeFolders(directory, kept);
  for (const { path, text } of files) write(join(directory, path), text);
}

function makeFolders(directory: string, paths: Iterable<string>): void {
  for (const folder of new Set([...paths].map(dirname))) mkdirSync(join(directory, folder), { recursive: true });
}

function write(file: string, text: string): void {
  // What is behind a link is somebody else's.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
  writeFileSync(file, text);
}

/** Removes all but `kept` of what `refuseForeign` lets pass: files, and folders of files, each with its mark at last. */
function clear(directory: string, kept: ReadonlySet<string>): void {
  for (const { name, isFolder } of entriesOf(directory)) {
    if (!isFolder) continue;
    const gone = entriesOf(join(directory, name)).filter((each) => !kept.has(`${name}/${each.name}`));
    const marks = gone.filter((each) => each.name === kustomizationFile);
    for (const each of [...gone.filter((other) => !marks.includes(other)), ...marks]) {
      rmSync(join(directory, name, each.name));
    }
    if (readdirSync(join(directory, name)).length === 0) rmdirSync(join(directory, name));
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
