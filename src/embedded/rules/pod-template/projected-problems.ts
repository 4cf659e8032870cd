import type { Problems } from '../problems.js';
import { fileInVolume, fileMode } from './path-problems.js';
import { downwardFile, keyToPath } from './volume-files.js';
import type { Source } from './volume-source.js';

type Projection = NonNullable<Source<'projected'>['sources']>[number];

/** https://kubernetes.io/docs/concepts/storage/projected-volumes/ */
export function projectedProblems(found: Problems, path: string, projected: Source<'projected'>): void {
  fileMode(found, `${path}.defaultMode`, projected.defaultMode);
  const files = new Set<string>();
  projected.sources?.forEach((source, index) => {
    sourceProblems(found, path, `${path}.sources[${index}]`, source, (file, shown) => {
      if (files.has(file)) found.invalid(path, shown, 'conflicting duplicate paths');
      files.add(file);
    });
  });
}

function sourceProblems(
  found: Problems,
  whole: string,
  path: string,
  source: Projection,
  take: (file: string, shown: string) => void,
): void {
  let sources = 0;
  for (const field of ['secret', 'configMap'] as const) {
    const named = source[field];
    if (named === undefined) continue;
    sources++;
    if (!named.name) found.required(`${path}.${field}.name`);
    named.items?.forEach((item, index) => {
      keyToPath(found, `${path}.${field}.items[${index}]`, item);
      if (item.path) take(item.path, named.name ?? '');
    });
  }
  if (source.downwardAPI) {
    sources++;
    for (const file of source.downwardAPI.items ?? []) {
      downwardFile(found, `${path}.downwardAPI`, file);
      if (file.path) take(file.path, file.path);
    }
  }
  if (source.serviceAccountToken) {
    sources++;
    tokenProblems(found, whole, `${path}.serviceAccountToken`, source.serviceAccountToken);
  }
  if (sources > 1) found.forbidden(path, 'may not specify more than 1 volume type per source');
}

function tokenProblems(
  found: Problems,
  whole: string,
  path: string,
  { expirationSeconds = 0, path: file = '' }: NonNullable<Projection['serviceAccountToken']>,
): void {
  const at = `${path}.expirationSeconds`;
  if (expirationSeconds < 600) {
    found.invalid(at, expirationSeconds, 'may not specify a duration less than 10 minutes');
  }
  if (expirationSeconds > 2 ** 32) {
    found.invalid(at, expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  }
  if (file === '') found.required(`${whole}.path`);
  else fileInVolume(found, `${whole}.path`, file);
}
