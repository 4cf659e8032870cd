import { type Command, Option } from 'commander';
import type { HttpCluster } from '../client/http-cluster.js';
import { keepAlive, systemClock } from '../kube/clock.js';
import { type DriftMode, driftModes } from '../kube/drift-mode.js';
import { harmless } from '../kube/json-escapes.js';
import { type ConnectionOptions, withCluster, withConnectionOptions } from './connection.js';
import type { DriftRow } from './drift/drift-row.js';
import type { Found } from './drift/look-for-drift.js';
import { nextChange } from './drift/next-change.js';
import type { ExitCode } from './exit-code.js';
import { kindAndName } from './kind-and-name.js';
import { entryOf, loadOperators, usualEntry } from './load-operators.js';
import { resourceNamed } from './resource-named.js';
import type { Terminal } from './terminal.js';

interface Options extends ConnectionOptions {
  readonly namespace?: string;
  readonly entry: string;
  readonly output: 'table' | 'json' | 'yaml';
  readonly watch?: boolean;
  readonly driftMode?: DriftMode;
  readonly assumeConsent?: boolean;
}

/** `kilter drift`: 0 when there is none, 1 when there is some, more when it could not be found out, as `kubectl diff`. */
export function addDrift(program: Command, terminal: Terminal, exitCode: ExitCode): void {
  const command = program
    .command('drift')
    .description('show what somebody changed of what operators applied, and who it was')
    .argument('[kind/name]', 'one custom resource; all if not given')
    .option(
      '-n, --namespace <name>',
      'only custom resources of this namespace; default: all, and of one that of the context',
    )
    .option('--entry <module>', 'the module that exports your operators', usualEntry)
    .addOption(
      new Option('-o, --output <format>', 'how it is shown').choices(['table', 'json', 'yaml']).default('table'),
    )
    .addOption(new Option('--drift-mode <mode>', 'as the controller was told by its flag').choices(driftModes))
    .option('--assume-consent', 'as the controller was told by its flag: no namespace is asked for its consent')
    .option('-w, --watch', 'show it again whenever it changes, until Ctrl-C')
    .addHelpText(
      'after',
      `
It reads, and writes nothing. Exit codes: 0 no drift, 1 drift, 2 it could not be found out.

Examples:
  kilter drift
  kilter drift memcached/cache -n prod -o yaml`,
    );
  withConnectionOptions(command).action(async (said: string | undefined, options: Options) => {
    exitCode.ofFailure = 2;
    const operators = await loadOperators(entryOf(options.entry), terminal.colors);
    const { lookForDrift } = await import('./on-cluster.js');
    await withCluster(options, async (cluster) => {
      const only = said === undefined ? undefined : await named(cluster, said);
      const namespace = options.namespace ?? (only?.resource.namespaced ? cluster.namespace : undefined);
      const look = () =>
        lookForDrift({
          cluster,
          operators,
          clock: systemClock,
          namespace,
          only,
          mode: options.driftMode,
          assumeConsent: options.assumeConsent,
        });
      let found = await look();
      // Before anything is shown: whoever has seen it may end it.
      const interrupted = options.watch ? terminal.interrupted() : undefined;
      await tell(found, options, terminal);
      if (interrupted) {
        // Watches that have ended keep nothing alive.
        const letGo = keepAlive();
        try {
          while (!interrupted.aborted) {
            await nextChange(cluster, found, interrupted);
            if (interrupted.aborted) break;
            const now = await look();
            if (wordsOf(now) !== wordsOf(found)) await tell(now, options, terminal);
            found = now;
          }
        } finally {
          letGo();
        }
      }
      exitCode.ofSuccess = found.problems.length > 0 ? 2 : found.rows.length > 0 ? 1 : 0;
    });
  });
}

async function named(cluster: HttpCluster, said: string) {
  const [kind, name] = kindAndName(said);
  return { resource: await resourceNamed(cluster, kind), name };
}

async function tell({ rows, problems }: Found, { output }: Options, terminal: Terminal): Promise<void> {
  for (const problem of problems) terminal.log(`not looked at: ${harmless(problem)}\n`);
  terminal.write(await textOf(rows, output));
  const where = problems.length > 0 ? ' in what was looked at' : '';
  if (rows.length === 0 && output === 'table') terminal.log(`no drift${where}\n`);
}

const wordsOf = ({ rows, problems }: Found) => JSON.stringify([rows, problems]);

async function textOf(rows: readonly DriftRow[], output: Options['output']): Promise<string> {
  if (output === 'yaml') return (await import('../gitops/yaml.js')).toYaml(rows);
  const { driftTable } = await import('./on-cluster.js');
  if (output === 'json') return `${harmless(JSON.stringify(rows, undefined, 2))}\n`;
  return rows.length === 0 ? '' : driftTable(rows);
}
