import { join, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../kube/clock.js';
import { entryOf, rootOf, usualEntry } from './load-operators.js';
import type { Terminal } from './terminal.js';

interface Options {
  readonly fresh?: boolean;
  readonly port?: number;
  readonly samples?: string;
  readonly state?: string;
}

const [usualState, usualKubeconfig] = ['.kilter/dev-cluster.json', '.kilter/kubeconfig'];

/** `kilter dev`. */
export function addDev(program: Command, terminal: Terminal): void {
  program
    .command('dev')
    .description('run your operators on a cluster in this process, and again whenever you save')
    .argument('[entry]', 'the module that exports them, each by itself or in lists', usualEntry)
    .option('--samples <path>', 'a file or a folder of manifests to apply, at the start and when they change')
    .option(
      '--state <file>',
      `where the cluster is kept between two runs (default: "${usualState}" beside package.json)`,
    )
    .option('--fresh', 'start with an empty cluster, and forget what was kept')
    .option('--port <number>', 'where the cluster is served; default: where it was, or one that is free', port)
    .addHelpText(
      'after',
      `
It starts a Kubernetes API server of its own, which needs neither containers nor a
network, installs the CustomResourceDefinitions and the rights of your operators, and
runs their controller with these rights. When you save a source, the controller is
compiled, loaded and started anew; the cluster stays as it is. When the new version does
not compile or load you are told why, and the one before goes on running. Types are not
checked here: your editor and tsc do that.

Use any client on it, such as kubectl, with the KUBECONFIG that is printed. Ctrl-C ends
it and saves the cluster.

Examples:
  kilter dev
  kilter dev src/my-operator.ts --samples samples/
  kilter dev --fresh --port 6443`,
    )
    .action(async (named: string, options: Options) => {
      const entry = entryOf(named);
      // Most of kilter is needed for this, and nothing of it by other commands.
      const { runDev } = await import('./dev/run-dev.js');
      const interrupted = terminal.interrupted();
      const root = rootOf(resolve(entry));
      await runDev(
        {
          entry: resolve(entry),
          root,
          stateFile: options.state === undefined ? join(root, usualState) : resolve(options.state),
          // Beside a state of one's own it has its name: what is called `kubeconfig` there may be somebody else's.
          kubeconfig:
            options.state === undefined ? join(root, usualKubeconfig) : `${resolve(options.state)}.kubeconfig`,
          fresh: options.fresh ?? false,
          port: options.port,
          samples: options.samples === undefined ? undefined : relative('', resolve(options.samples)) || '.',
          clock: systemClock,
        },
        terminal,
        interrupted,
      );
    });
}

function port(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError('It is no port: a whole number below 65536.');
}
