import { join, relative } from 'node:path';
import type { Clock } from '../../kube/clock.js';
import { OperatorError } from '../../kube/errors.js';
import type { Terminal } from '../terminal.js';
import { Bundler } from './bundler.js';
import { DevCluster } from './dev-cluster.js';
import { DevSession } from './dev-session.js';
import { StateFile } from './state-file.js';

/** All paths are absolute but `samples`, which is as the author wrote it. */
export interface DevOptions {
  readonly entry: string;
  /** The folder of the author's package.json. */
  readonly root: string;
  readonly stateFile: string;
  /** Written at the start, and removed at the end. */
  readonly kubeconfig: string;
  readonly fresh: boolean;
  readonly port: number | undefined;
  readonly samples: string | undefined;
  readonly clock: Clock;
}

/** Runs until `interrupted` aborts; then everything has stopped, and the cluster is saved. */
export async function runDev(options: DevOptions, terminal: Terminal, interrupted: AbortSignal): Promise<void> {
  const { entry, root, stateFile, kubeconfig, samples, clock, fresh, port } = options;
  const say = (text: string) => terminal.write(sayings(text, clock));
  const cluster = await DevCluster.start({
    stateFile: new StateFile(stateFile),
    kubeconfig,
    fresh,
    port,
    clock,
    report: (error) => say(error instanceof OperatorError ? messageOf(error) : `fault of the server: ${String(error)}`),
  });
  const here = (path: string) => relative('', path) || '.';
  terminal.write(
    [
      '',
      `  cluster   ${cluster.url}, ${cluster.found === undefined ? 'new' : `with ${cluster.found} objects of last time`}`,
      `  state     ${here(stateFile)}`,
      `  kubectl   export KUBECONFIG=${shellWord(kubeconfig)}`,
      `  stop      Ctrl-C`,
      '',
      '',
    ].join('\n'),
  );
  const bundler = new Bundler({
    entry,
    root,
    folder: join(root, `.kilter/dev-${process.pid}`),
    colors: terminal.colors,
  });
  const session = new DevSession({
    cluster,
    bundler,
    entry: here(entry),
    samples,
    clock,
    say,
    line: (line) => terminal.write(`${line}\n`),
  });
  try {
    await Promise.race([session.start(), aborted(interrupted)]);
    await aborted(interrupted);
    say('stopping');
  } finally {
    await session.close();
    await cluster.close();
  }
  say(`saved the cluster in ${here(stateFile)}`);
}

/** As a shell takes it for one word, in quotes only where it has to be. */
function shellWord(text: string): string {
  return /^[\w/.,:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** With the time in the way of the controller's log, which stands beside it; further lines are indented. */
function sayings(text: string, clock: Clock): string {
  const time = new Date(clock.now()).toISOString().slice(11, 23);
  return `${time} DEV   ${text.trimEnd().replaceAll('\n', '\n                   ')}\n`;
}

function messageOf({ message, cause }: OperatorError): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
