import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { parseAllDocuments } from 'yaml';
import { NotFoundError } from '../client/api-error.js';
import { definitionKind } from '../kube/definition-kind.js';
import { isDns1123Subdomain } from '../kube/dns-names.js';
import { OperatorError } from '../kube/errors.js';
import { harmless } from '../kube/json-escapes.js';
import { type ConnectionOptions, withCluster, withConnectionOptions } from './connection.js';
import { crdModule } from './import/crd-module.js';
import { definitionsIn, type SourceDocument } from './import/definition.js';
import { emit } from './output.js';
import type { Terminal } from './terminal.js';

interface Options extends ConnectionOptions {
  readonly output?: string;
  readonly from: string;
}

/** How long a URL may take to answer. */
const patienceMilliseconds = 30_000;

/** `kilter import crd`. */
export function addImportCrd(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('crd')
    .description('constructs of custom resources, from their CustomResourceDefinitions')
    .argument('<source>', 'a YAML or JSON file, - for standard input, a URL, or the name of one in the cluster')
    .option('-o, --output <file>', 'where to write; default: standard output')
    .option('--from <module>', 'what the generated module imports kilter from', 'kilter')
    .addHelpText(
      'after',
      `
Examples:
  kilter import crd crds/certificates.yaml -o imports/cert-manager.ts
  kilter import crd https://example.com/crds.yaml -o imports/example.ts
  kilter import crd certificates.cert-manager.io --context staging
  kubectl get crds -o yaml | kilter import crd -`,
    );
  withConnectionOptions(command).action(async (source: string, { output, from, ...connection }: Options) => {
    const documents = await documentsOf(source, connection, terminal);
    const definitions = definitionsIn(documents, (words) => terminal.log(`${harmless(words)}\n`));
    await emit(output, crdModule(definitions, from), terminal);
  });
}

async function documentsOf(
  source: string,
  connection: ConnectionOptions,
  terminal: Terminal,
): Promise<SourceDocument[]> {
  if (source === '-') return parsed(await terminal.read(), 'standard input');
  if (/^https?:\/\//i.test(source)) return parsed(await download(source), source);
  if (/\.(ya?ml|json)$/i.test(source) || /[/\\]/.test(source) || (await isFile(source))) {
    const text = await readFile(source, 'utf8').catch((cause: unknown) => {
      throw new OperatorError(`reading ${source} failed`, { cause });
    });
    return parsed(text, source);
  }
  // Its name is that of its kinds and their group.
  if (!source.includes('.') || !isDns1123Subdomain(source)) {
    throw new OperatorError(`${source} is neither a file nor the name of a CustomResourceDefinition`, {
      hint: 'name a file, and no folder, or one in the cluster as certificates.cert-manager.io',
    });
  }
  const content = await withCluster(connection, (cluster) => cluster.get(definitionKind, { name: source })).catch(
    (cause: unknown) => {
      if (!(cause instanceof NotFoundError)) throw cause;
      throw new OperatorError(`CustomResourceDefinition/${source} is not in the cluster`, {
        hint: `"kubectl get crds" lists those that are; and there is no file ${source} here`,
      });
    },
  );
  return [{ subject: `CustomResourceDefinition/${source}`, content }];
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function download(url: string): Promise<string> {
  const failed = (cause: unknown) => {
    // The reason is one below: fetch itself says only that it failed.
    throw new OperatorError(`reading ${url} failed`, { cause: (cause as Error).cause ?? cause });
  };
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMilliseconds) }).catch(failed);
  if (!response.ok) throw new OperatorError(`reading ${url} failed: the server answered ${response.status}`);
  return response.text().catch(failed);
}

/** Without the lines that are quoted after it. */
function faultOf({ message }: Error): string {
  return message.split('\n', 1)[0]!.replace(/:$/, '');
}

/** Documents without content do not count among the numbered. */
function parsed(text: string, source: string): SourceDocument[] {
  return parseAllDocuments(text, { merge: true }).flatMap((document, index): SourceDocument[] => {
    const subject = `document ${index + 1} of ${source}`;
    const [broken] = document.errors;
    if (broken) throw new OperatorError(`${subject} cannot be read: ${faultOf(broken)}`);
    try {
      const content = document.toJS() as unknown;
      return content === null || content === undefined ? [] : [{ subject, content }];
    } catch (cause) {
      throw new OperatorError(`${subject} cannot be read`, { cause });
    }
  });
}
