import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../src/kube/manifest.js';

/** Every object that was rendered into `directory`, by path. */
export function readManifests(directory: string): readonly Manifest[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => parse(readFileSync(join(directory, file), 'utf8')) as Manifest);
}
