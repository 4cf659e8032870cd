import { readFileSync } from 'node:fs';
import { OperatorError } from '../kube/errors.js';

/** The folder of kilter's own package.json, which lies at different distances from sources, from compiled code and in a bundle. */
export function packageFolder(): { readonly folder: URL; readonly version: string } {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const { name, version } = manifestIn(folder);
    if (name === 'kilter' && version !== undefined) return { folder, version };
    if (folder.href === new URL('../', folder).href) {
      throw new OperatorError('kilter does not find its own package.json', { hint: 'install the package again' });
    }
  }
}

function manifestIn(folder: URL): { readonly name?: string; readonly version?: string } {
  try {
    return JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { name?: string; version?: string };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
