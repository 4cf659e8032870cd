#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { OperatorError } from '../kube/errors.js';
import { importCommand } from './import.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('kilter')
  .description('Kubernetes operators as cdk8s constructs')
  .version(version, '--version', 'print the version')
  .addCommand(importCommand())
  .addCommand(
    new Command('version').description('print the version').action(() => void process.stdout.write(`${version}\n`)),
  );

try {
  await program.parseAsync();
} catch (error) {
  const hint = error instanceof OperatorError ? error.hint : undefined;
  process.stderr.write(
    `kilter: ${error instanceof Error ? error.message : String(error)}\n${hint ? `hint: ${hint}\n` : ''}`,
  );
  process.exitCode = 1;
}
