import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { OperatorError } from '../../kube/errors.js';
import type { Manifest } from '../../kube/manifest.js';

/** What others need before they can be. */
const first = ['Namespace', 'CustomResourceDefinition'];

/**
 * The manifests in a YAML or JSON file, or in all of a folder and those below it, in an order in which they can be applied.
 *
 * Throws `OperatorError` for what cannot be read or is no manifest.
 */
export async function manifestsIn(path: string): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of await filesOf(path)) manifests.push(...(await read(file)));
  const rank = ({ kind }: Manifest) => (first.includes(kind) ? first.indexOf(kind) : first.length);
  return manifests.sort((a, b) => rank(a) - rank(b));
}

/** The folders in which a change may change what `manifestsIn` gives. */
export async function foldersOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return [join(path, '..')];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return [
    path,
    ...entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name)),
  ];
}

async function filesOf(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: true });
    return names
      .filter((name) => /\.(ya?ml|json)$/i.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    throw new OperatorError(`reading the samples ${path} failed`, { cause });
  }
}

async function read(file: string): Promise<readonly Manifest[]> {
  const text = await readFile(file, 'utf8');
  return parseAllDocuments(text, { merge: true }).flatMap((document, index) => {
    const subject = `document ${index + 1} of ${file}`;
    const [broken] = document.errors;
    if (broken) throw new OperatorError(`${subject} cannot be read: ${broken.message.split('\n')[0]}`);
    const value = document.toJS() as unknown;
    if (value === null || value === undefined) return [];
    return itemsOf(value).map((each) => {
      if (isManifest(each)) return each;
      throw new OperatorError(`${subject} is no manifest`, { hint: 'it needs apiVersion, kind and metadata.name' });
    });
  });
}

/** A List stands for what is in it. */
function itemsOf(value: unknown): readonly unknown[] {
  const { kind, items } = value as { readonly kind?: unknown; readonly items?: unknown };
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? (items as unknown[]) : [value];
}

function isManifest(value: unknown): value is Manifest {
  const { apiVersion, kind, metadata } = value as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}
