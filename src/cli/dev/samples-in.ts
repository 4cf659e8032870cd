import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, parseAllDocuments } from 'yaml';
import { yamlRules } from '../../embedded/http/yaml-rules.js';
import { OperatorError } from '../../kube/errors.js';
import type { Manifest } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';

/** What others need before they can be. */
const first = ['Namespace', 'CustomResourceDefinition'];

/** A manifest, and where it is written. */
export interface Sample {
  readonly manifest: Manifest;
  readonly file: string;
}

/**
 * The manifests in a YAML or JSON file, or in all of a folder and those below it, in an order in which they can be applied.
 * What is written in YAML says what it says to kubectl.
 *
 * Throws `OperatorError` for what cannot be read or is no manifest; where there is somebody to be told of it, the file that
 * it is in is left out.
 */
export async function samplesIn(path: string, tell?: (error: unknown) => void): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const file of await filesOf(path)) {
    try {
      for (const manifest of await read(file)) samples.push({ manifest, file });
    } catch (error) {
      if (!tell) throw error;
      tell(error);
    }
  }
  const rank = ({ manifest: { kind } }: Sample) => (first.includes(kind) ? first.indexOf(kind) : first.length);
  return samples.sort((a, b) => rank(a) - rank(b));
}

/** The folders in which a change may change what `samplesIn` gives. */
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
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && /\.(ya?ml|json)$/i.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
  } catch (cause) {
    throw new OperatorError(`reading the samples ${path} failed`, { cause });
  }
}

async function read(file: string): Promise<readonly Manifest[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`reading the sample ${file} failed`, { cause });
  });
  return parseAllDocuments(text, yamlRules).flatMap((document, index) => {
    const subject = `document ${index + 1} of ${file}`;
    const [broken] = document.errors;
    // The lines that follow show the place, which the first one names.
    if (broken)
      throw new OperatorError(`${subject} cannot be read: ${broken.message.split('\n')[0]?.replace(/:$/, '')}`);
    const value = contentOf(document, subject);
    return value === null || value === undefined ? [] : manifestsOf(value, subject);
  });
}

/** Some faults show only here, such as an alias of what is nowhere. */
function contentOf(document: Document.Parsed, subject: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new OperatorError(`${subject} cannot be read`, { cause });
  }
}

/** A List stands for what is in it. */
function manifestsOf(value: unknown, subject: string): readonly Manifest[] {
  const isList = isMap(value) && String(value['kind']).endsWith('List') && Array.isArray(value['items']);
  const items = isList ? (value['items'] as readonly unknown[]) : [value];
  return items.map((item, index) => {
    if (isManifest(item)) return item;
    throw new OperatorError(`${isList ? `items[${index}] of ` : ''}${subject} is no manifest`, {
      hint: 'it needs apiVersion, kind and metadata.name',
    });
  });
}

function isManifest(value: unknown): value is Manifest {
  if (!isMap(value) || !isMap(value['metadata'])) return false;
  return [value['apiVersion'], value['kind'], value['metadata']['name']].every((text) => typeof text === 'string');
}
