import type { Problems } from '../problems.js';

/** A path inside a folder that must not lead out of it. */
export function relativePath(found: Problems, path: string, value: string): void {
  if (value.startsWith('/')) found.invalid(path, value, 'must be a relative path');
  noBacksteps(found, path, value);
}

/** The same, for a file that a volume holds: names that begin with two dots are the kubelet's. */
export function fileInVolume(found: Problems, path: string, value: string): void {
  relativePath(found, path, value);
  if (value.startsWith('..') && !value.startsWith('../')) found.invalid(path, value, "must not start with '..'");
}

export function noBacksteps(found: Problems, path: string, value: string): void {
  if (value.split('/').includes('..')) found.invalid(path, value, "must not contain '..'");
}

export function fileMode(found: Problems, path: string, mode: number | undefined): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    found.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}
