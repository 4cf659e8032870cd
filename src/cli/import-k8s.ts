import { type Command, Option } from 'commander';
import { NotFoundError } from '../client/api-error.js';
import { OperatorError } from '../kube/errors.js';
import { type ConnectionOptions, withCluster, withConnectionOptions } from './connection.js';
import { k8sModule } from './import/k8s-module.js';
import { readApi } from './import/openapi.js';
import { quantityModule } from './import/quantity-module.js';
import { emit } from './output.js';
import type { Terminal } from './terminal.js';

interface Options extends ConnectionOptions {
  readonly output?: string;
  readonly from: string;
  readonly quantities?: string;
}

/** `kilter import k8s`. */
export function addImportK8s(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('k8s')
    .description("constructs of all built-in kinds of stable versions, from a running API server's OpenAPI")
    .option('-o, --output <file>', 'where to write; default: standard output')
    .option('--from <module>', 'what the generated module imports kilter from', 'kilter')
    // For kilter itself, whose compose knows where quantities stand.
    .addOption(new Option('--quantities <file>', 'also write where quantities stand in each kind').hideHelp())
    .addHelpText('after', '\nExample:\n  kilter import k8s --context staging -o imports/k8s.ts');
  withConnectionOptions(command).action(async ({ output, from, quantities, ...connection }: Options) => {
    const api = await withCluster(connection, (cluster) => readApi((path) => cluster.request('GET', path))).catch(
      (cause: unknown) => {
        if (!(cause instanceof NotFoundError)) throw cause;
        throw new OperatorError('reading OpenAPI v3 of the API server failed', {
          cause,
          hint: 'Kubernetes serves it from version 1.27 on',
        });
      },
    );
    await emit(output, k8sModule(api, from), terminal);
    if (quantities !== undefined) await emit(quantities, quantityModule(api), terminal);
  });
}
