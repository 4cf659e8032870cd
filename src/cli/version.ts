import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../kube/errors.js';
import type { Terminal } from './terminal.js';

/** `kilter version`. */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description('print the version of kilter')
    .action(() => terminal.write(`${version()}\n`));
}

function version(): string {
  // From sources and from compiled code the package lies at different distances.
  for (const folder of ['../../', '../../../']) {
    try {
      const text = readFileSync(new URL(`${folder}package.json`, import.meta.url), 'utf8');
      const { name, version } = JSON.parse(text) as { name?: string; version?: string };
      if (name === 'kilter' && version !== undefined) return version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new OperatorError('reading the version failed: the package has no package.json');
}
