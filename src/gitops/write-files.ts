import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '../kube/errors.js';
import { kustomizationFile, renderedMark } from './kustomization.js';
import type { RenderedFile } from './render.js';

/**
 * Makes the folder `directory` hold exactly `files`.
 *
 * What an earlier render left is removed. A folder with other content is refused, so that a mistyped output directory
 * costs nothing.
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
  const mark = join(directory, kustomizationFile);
  if (existsSync(mark) && readFileSync(mark, 'utf8').startsWith(renderedMark)) return;
  throw new OperatorError(`writing to "${directory}" refused: it holds files that no render wrote`, {
    hint: 'choose an empty output directory, or empty this one',
  });
}
