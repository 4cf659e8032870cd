import type { Problems } from '../problems.js';
import { fieldRef, resourceFieldRef } from './downward-problems.js';
import { fileInVolume, fileMode } from './path-problems.js';
import type { Source } from './volume-source.js';

/** Which keys of a ConfigMap or Secret become which files. */
export function keysToPaths(found: Problems, path: string, items: Source<'secret'>['items'] = []): void {
  items.forEach((item, index) => {
    keyToPath(found, `${path}[${index}]`, item);
  });
}

export function keyToPath(
  found: Problems,
  path: string,
  { key = '', path: file = '', mode }: NonNullable<Source<'secret'>['items']>[number],
): void {
  if (key === '') found.required(`${path}.key`);
  if (file === '') found.required(`${path}.path`);
  fileInVolume(found, `${path}.path`, file);
  fileMode(found, `${path}.mode`, mode);
}

/** The server gives the path of the volume, not of the file. */
export function downwardFile(
  found: Problems,
  path: string,
  file: NonNullable<Source<'downwardAPI'>['items']>[number],
): void {
  if (!file.path) found.required(`${path}.path`);
  fileInVolume(found, `${path}.path`, file.path ?? '');
  if (file.fieldRef) {
    fieldRef(found, `${path}.fieldRef`, file.fieldRef, 'volume');
    if (file.resourceFieldRef) {
      found.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (file.resourceFieldRef) {
    resourceFieldRef(found, `${path}.resourceFieldRef`, file.resourceFieldRef, 'volume');
  } else {
    found.required(path, 'one of fieldRef and resourceFieldRef is required');
  }
  fileMode(found, `${path}.mode`, file.mode);
}
