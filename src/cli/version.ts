import type { Command } from 'commander';
import { packageFolder } from './package-folder.js';
import type { Terminal } from './terminal.js';

/** `kilter version`. */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description('print the version of kilter')
    .action(() => terminal.write(`${packageFolder().version}\n`));
}
