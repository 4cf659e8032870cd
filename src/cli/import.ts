import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { parseAllDocuments } from 'yaml';
import { connect, type HttpCluster } from '../client/http-cluster.js';
import { kubeConfig } from '../client/kube-config.js';
import { OperatorError } from '../kube/errors.js';
import { crdModule } from './import/crd-module.js';
import { k8sModule } from './import/k8s-module.js';
import { readApi } from './import/openapi.js';
import { quantityModule } from './import/quantity-module.js';

interface Options {
  readonly output?: string;
  readonly from: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** `kilter import`: typed constructs from a cluster or from definitions. */
export function importCommand(): Command {
  const command = new Command('import').description('generate typed constructs');
  withOptions(command.command('k8s'))
    .description("constructs of all built-in kinds, from a running API server's OpenAPI")
    .option('--quantities <file>', 'also write where quantities stand in each kind')
    .action(async (options: Options & { readonly quantities?: string }) => {
      await withCluster(options, async (cluster) => {
        const api = await readApi((path) => cluster.request('GET', path));
        await emit(options.output, k8sModule(api, options.from));
        if (options.quantities !== undefined) await emit(options.quantities, quantityModule(api));
      });
    });
  withOptions(command.command('crd'))
    .description('constructs of custom resources, from a file, a URL, or by name from the cluster')
    .argument('<source>', 'for example crd.yaml, https://example.com/crd.yaml or routes.route.openshift.io')
    .action(async (source: string, options: Options) => {
      await emit(options.output, crdModule(await documentsOf(source, options), source, options.from));
    });
  return command;
}

function withOptions(command: Command): Command {
  return command
    .option('-o, --output <file>', 'where to write; default: standard output')
    .option('--from <module>', 'where generated code imports kilter from', 'kilter')
    .option('--kubeconfig <file>', 'default: KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'a context of the kubeconfig');
}

async function documentsOf(source: string, options: Options): Promise<unknown[]> {
  if (/^https?:\/\//.test(source)) {
    const response = await fetch(source);
    if (!response.ok) throw new OperatorError(`reading ${source} failed: the server answered ${response.status}`);
    return parsed(await response.text(), source);
  }
  if (/\.(ya?ml|json)$/i.test(source) || source.includes('/')) {
    const text = await readFile(source, 'utf8').catch((cause: Error) => {
      throw new OperatorError(`reading ${source} failed: ${cause.message}`, { cause });
    });
    return parsed(text, source);
  }
  let found: unknown;
  await withCluster(options, async (cluster) => {
    found = await cluster.get(crds, { name: source });
  });
  return [found];
}

const crds = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

function parsed(text: string, source: string): unknown[] {
  const documents = parseAllDocuments(text);
  const broken = [...documents].flatMap(({ errors }) => errors)[0];
  if (broken) throw new OperatorError(`reading ${source} failed: ${broken.message.split('\n')[0]}`);
  return [...documents].map((document) => document.toJS() as unknown).filter((document) => document !== null);
}

async function withCluster(
  { kubeconfig, context }: Options,
  use: (cluster: HttpCluster) => Promise<void>,
): Promise<void> {
  const cluster = connect(await kubeConfig({ path: kubeconfig, context }));
  try {
    await use(cluster);
  } finally {
    await cluster.close();
  }
}

async function emit(file: string | undefined, text: string): Promise<void> {
  if (file === undefined) process.stdout.write(text);
  else await writeFile(file, text);
}
