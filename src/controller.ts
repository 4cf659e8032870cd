#!/usr/bin/env node
/** The entry that runs in the cluster: watches custom resources and reconciles them. */
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { connect, type HttpCluster } from './client/http-cluster.js';
import { inClusterConfig } from './client/in-cluster-config.js';
import { kubeConfig } from './client/kube-config.js';
import { systemClock } from './kube/clock.js';
import { OperatorError } from './kube/errors.js';
import { operators } from './operators/all.js';
import { LeaderElection } from './runtime/leader-election.js';
import { createLog, type Log, type LogLevel, logLevels } from './runtime/log.js';
import { serveProbes } from './runtime/probes.js';
import { type Controller, runController } from './runtime/run-controller.js';

/** Writes under way get this long to finish when the process is asked to end. */
const graceMilliseconds = 5000;

interface Flags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly watchNamespaces?: string;
  readonly operators?: string;
  readonly maxConcurrentReconciles?: number;
  readonly leaderElect: boolean;
  readonly leaderElectionId: string;
  readonly leaderElectionNamespace?: string;
  readonly healthProbeBindAddress: string;
  readonly logLevel: LogLevel;
  readonly logFormat: 'json' | 'text';
}

const command = new Command('controller')
  .description('Watches custom resources and keeps their children true.')
  .option('--kubeconfig <file>', 'outside a cluster; default: KUBECONFIG, then ~/.kube/config')
  .option('--context <name>', 'a context of the kubeconfig')
  .addOption(new Option('--watch-namespaces <names>', 'only these, separated by commas').env('WATCH_NAMESPACE'))
  .option('--operators <names>', 'only these of the operators, separated by commas')
  .option('--max-concurrent-reconciles <number>', 'custom resources of a kind reconciled at once', positive)
  .option('--leader-elect', 'let one of several replicas work, by a Lease', false)
  .option('--leader-election-id <name>', 'the name of the Lease', 'kilter')
  .option('--leader-election-namespace <name>', 'where the Lease is; default: the namespace of the account')
  .option('--health-probe-bind-address <address>', 'where /healthz and /readyz are served; 0 for nowhere', ':8081')
  .addOption(new Option('--metrics-bind-address <address>', 'where metrics are served').choices(['0']).default('0'))
  .addOption(
    new Option('--log-level <level>', 'the least level that is logged')
      .choices(logLevels)
      .default('info')
      .env('LOG_LEVEL'),
  )
  .addOption(
    new Option('--log-format <format>', 'one object or one line of text').choices(['json', 'text']).default('json'),
  )
  .action(async (flags: Flags) => {
    process.exitCode = await main(flags);
  });

await command.parseAsync();

/** Runs until a signal, or until the Lease is lost. Resolves with the exit code. */
async function main(flags: Flags): Promise<number> {
  const log = createLog({
    level: flags.logLevel,
    format: flags.logFormat,
    write: (line) => process.stdout.write(line),
  });
  const stop = new AbortController();
  // Node takes more than ten listeners for a leak; here every watch and every call under way is one.
  setMaxListeners(0, stop.signal);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info('Stopping', { signal });
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  let cluster: HttpCluster;
  try {
    cluster = connect(await configOf(flags));
  } catch (error) {
    log.error((error as Error).message, error instanceof OperatorError && error.hint ? { hint: error.hint } : {});
    return 1;
  }

  let controller: Controller | undefined;
  serveProbes(flags.healthProbeBindAddress, { clock: systemClock, informers: () => controller?.informers });
  const identity = process.env['POD_NAME'] ?? `${hostname()}-${process.pid}`;
  const election = flags.leaderElect ? electionOf(flags, cluster, identity, log) : undefined;
  const leading = election?.acquire(stop.signal) ?? Promise.resolve();
  leading.catch(() => {});

  let exitCode = 0;
  controller = runController(
    {
      operators: chosen(flags.operators),
      cluster,
      clock: systemClock,
      random: Math.random,
      log,
      namespaces: flags.watchNamespaces?.split(',').filter((name) => name !== ''),
      maxConcurrentReconciles: flags.maxConcurrentReconciles,
      instance: identity,
      mayWrite: leading,
    },
    stop.signal,
  );
  const renewing = leading.then(() =>
    election?.renew(stop.signal, (error) => {
      // Whoever leads now must not find our writes.
      cluster.fence(error);
      exitCode = 1;
      stop.abort(error);
    }),
  );
  renewing.catch(() => {});

  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
  const late = new Promise((resolve) => setTimeout(resolve, graceMilliseconds).unref());
  await Promise.race([Promise.all([controller.stopped, renewing.catch(() => {})]), late]);
  if (exitCode === 0) await election?.release();
  await cluster.close();
  log.info('Stopped');
  return exitCode;
}

/** In a Pod its files, unless a kubeconfig is named; elsewhere a kubeconfig. */
async function configOf({ kubeconfig, context }: Flags) {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, KUBECONFIG } = process.env;
  const isInPod = host !== undefined && kubeconfig === undefined && context === undefined && KUBECONFIG === undefined;
  return isInPod ? inClusterConfig({ host, port }) : kubeConfig({ path: kubeconfig ?? KUBECONFIG, context });
}

function chosen(names: string | undefined) {
  if (names === undefined) return operators;
  return names.split(',').map((name) => {
    const found = operators.find((operator) => operator.name === name);
    if (found) return found;
    throw new OperatorError(`there is no operator "${name}"`, {
      hint: `choose from ${operators.map((operator) => operator.name).join(', ')}`,
    });
  });
}

function electionOf(flags: Flags, cluster: HttpCluster, identity: string, log: Log): LeaderElection {
  return new LeaderElection({
    cluster: cluster.lease(),
    clock: systemClock,
    random: Math.random,
    log,
    namespace: flags.leaderElectionNamespace ?? process.env['POD_NAMESPACE'] ?? ownNamespace() ?? cluster.namespace,
    id: flags.leaderElectionId,
    identity,
  });
}

function ownNamespace(): string | undefined {
  try {
    return readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/namespace', 'utf8').trim();
  } catch {
    return undefined;
  }
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It is no whole number above 0.');
}
