// Longer than most files: everything that a process needs, put together in one place.
import '../runtime/process/quick-compilers.js';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../client/cluster.js';
import type { ClusterConfig } from '../client/cluster-config.js';
import { environmentConfig } from '../client/environment-config.js';
import { connect, type HttpCluster } from '../client/http-cluster.js';
import type { Operator } from '../compose/operator.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import { keepAlive, othersTurn, systemClock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import { usualTimings } from '../kube/lease-timings.js';
import { tracesWanted } from '../kube/traces-wanted.js';
import { hostOfUrl } from '../kube/url-port.js';
import { version } from '../kube/version.js';
import { isReviewed } from '../kube/webhook.js';
import { lookout } from '../runtime/author/lookout.js';
import { tellStrays } from '../runtime/author/stray-owners.js';
import { authorMillisecondsOf, timeLimit } from '../runtime/author/time-limit.js';
import { pacedCluster } from '../runtime/informer/paced-cluster.js';
import { LeaderElection } from '../runtime/lease/leader-election.js';
import { leaderOnly } from '../runtime/lease/leader-only.js';
import { Breather } from '../runtime/process/breather.js';
import { forMany } from '../runtime/process/for-many.js';
import { giveBackMemory, processHeap } from '../runtime/process/give-back.js';
import { LoopWatch } from '../runtime/process/loop-watch.js';
import { loopUtilization, onceBusy } from '../runtime/process/once-busy.js';
import { optimizeLate, optimizeNow } from '../runtime/process/optimize-late.js';
import { serveProbes } from '../runtime/process/probes.js';
import { type Controller, runController } from '../runtime/run-controller.js';
import { linesInTime } from '../runtime/telemetry/lines-in-time.js';
import { createLog, type Log } from '../runtime/telemetry/log.js';
import type { Metrics } from '../runtime/telemetry/metrics/metrics.js';
import { silentTelemetry } from '../runtime/telemetry/telemetry.js';
import type { OpenTraces } from '../runtime/telemetry/traces/open-traces.js';
import type { ReviewedKind } from '../webhooks/reviewed-kind.js';
import type { Webhooks, WebhooksOptions } from '../webhooks/run-webhooks.js';
import { type Flags, leaseTimingsOf, readFlags } from './flags.js';

/** Writes under way get this long to finish when the process is asked to end. */
const graceMilliseconds = 5000;
/** After all has ended, for whatever is written to the log still. */
const lastMilliseconds = 500;

/**
 * The controller as a program: reads its flags, and runs `operators` until a signal, or until its Lease is lost. Resolves
 * with the exit code; half a second later the process ends with it, whatever holds it open. What an author's own entry calls:
 *
 *     process.exitCode = await runOperators([memcached]);
 */
export async function runOperators(
  operators: readonly Operator[],
  words: readonly string[] = process.argv.slice(2),
): Promise<number> {
  const read = readFlags(
    words,
    operators.map(({ name }) => name),
  );
  if (read.type === 'exit') {
    (read.code === 0 ? process.stdout : process.stderr).write(read.text);
    return read.code;
  }
  optimizeLate();
  return await main(operators, read.flags);
}

/** Runs until a signal, or until the Lease is lost. Resolves with the exit code. */
async function main(operators: readonly Operator[], flags: Flags): Promise<number> {
  const log: Log = createLog({
    level: flags.logLevel,
    format: flags.logFormat,
    write: linesInTime(process.stdout, (lines) => log.warn('Left out lines, since nobody read the log', { lines })),
  });
  const stop = new AbortController();
  forMany(stop.signal);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info('Stopping', { signal });
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  let isBroken = false;
  tellStrays((reason) => {
    isBroken = true;
    log.error('Failed to handle an error, and stops', { error: reason });
    stop.abort(reason);
    // Whatever waits in vain for what failed.
    systemClock.after(2 * graceMilliseconds, () => process.exit(1));
  });
  // Of what goes wrong now nobody would hear, and to say so would fail as well, again and again.
  process.stdout.on('error', (error) => {
    isBroken = true;
    stop.abort(error);
  });
  // While no connection is open, as when the API server is away, everybody waits for time.
  const letGo = keepAlive();
  const ended = await run(chosen(operators, flags), flags, log, stop).catch((error: unknown) => {
    tellFailure(log, error);
    stop.abort(error);
    return 1;
  });
  const exitCode = isBroken ? 1 : ended;
  letGo();
  // What an author's code holds open must keep nobody who waits for this process, nor go on without a Lease.
  systemClock.after(lastMilliseconds, () => process.exit(exitCode));
  return exitCode;
}

function tellFailure(log: Log, error: unknown): void {
  const hint = error instanceof OperatorError && error.hint ? { hint: error.hint } : {};
  log.error('Failed to start', { error: (error as Error).message, ...hint });
}

async function run(operators: readonly Operator[], flags: Flags, log: Log, stop: AbortController): Promise<number> {
  log.info('Starting', { version, node: process.version, operators: operators.map(({ name }) => name) });
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
    if (stop.signal.aborted) resolve();
  });
  // A plugin may ask a person, who has minutes for it.
  const config = await Promise.race([environmentConfig(process.env, flags), stopped]);
  if (!config) {
    log.info('Stopped', { exitCode: 0 });
    return 0;
  }
  const loop = new LoopWatch(systemClock);
  loop.start(stop.signal);
  giveBackMemory(systemClock, processHeap, stop.signal);
  onceBusy(systemClock, loopUtilization(), optimizeNow, stop.signal);
  const metrics = await metricsOf(flags, config, loop);
  // As client-go: machines may be called alike, and in containers all processes have one number.
  const identity = process.env['POD_NAME'] || `${hostname()}_${randomUUID()}`;
  const open = await tracesOf(flags, config, identity, log);
  const tracing = open?.traces;
  const cluster = connect(config, { ...(metrics ? { observe: metrics.observe } : {}), trace: tracing?.call });

  let controller: Controller | undefined;
  const reviewed = flags.webhooks ? operators.map(({ resource }) => resource).filter(isReviewed) : [];
  const converted = new Set(reviewed.filter(({ isConvertible }) => isConvertible).map(groupKindOf));
  const converts = (resource: ApiResource) => converted.has(groupKindOf(resource));
  const looking = { informers: () => controller?.informers, loop, converts };
  const probes = await serveProbes(flags.healthProbeBindAddress, looking, stop.signal);
  if (probes) log.info('Serving probes', { address: probes.address });
  const reviewer = metrics && (await serveMetricsOf(flags, config, metrics, log, stop.signal));
  const election = flags.leaderElect ? electionOf(flags, cluster, identity, log) : undefined;
  metrics?.leadership(flags.leaderElectionId, () => election?.leads ?? true);
  const breather = new Breather({ clock: systemClock, othersTurn, leadership: election });
  // Before anything is watched: the API server may have to convert what it shows us.
  const limit = timeLimit(authorMillisecondsOf(flags.leaderElect ? leaseTimingsOf(flags) : usualTimings));
  const beside = { log, breather, limit, telemetry: metrics ?? silentTelemetry, tracing };
  let failed = false;
  const serving = serveWebhooksOf(reviewed, flags, cluster, beside, stop.signal).catch((error: unknown) => {
    // Whoever is told to end meanwhile ends in good order, as at any other time.
    if (stop.signal.aborted) return undefined;
    failed = true;
    tellFailure(log, error);
    stop.abort(error);
    return undefined;
  });
  let isLost = false;
  let renewing: Promise<void> | undefined;
  const lead = async (): Promise<void> => {
    const leading = election?.acquire(stop.signal);
    renewing = leading?.then(() =>
      election?.renew(stop.signal, (error) => {
        // Whoever leads now must not find our writes.
        cluster.fence(error);
        isLost = true;
        stop.abort(error);
      }),
    );
    renewing?.catch(() => {});
    await leading;
  };
  // Who cannot begin to work keeps no Lease from somebody who can.
  await Promise.race([serving, stopped]);
  election?.follow(stop.signal);
  controller = runController(
    {
      operators,
      cluster: pacedBy(flags, election ? leaderOnly(cluster, election) : cluster),
      clock: systemClock,
      random: Math.random,
      log,
      namespaces: flags.watchNamespaces,
      maxConcurrentReconciles: flags.maxConcurrentReconciles,
      driftMode: flags.driftMode,
      assumeConsent: flags.assumeConsent,
      settings: process.env,
      resyncSeconds: flags.syncPeriod,
      rolloutLimit: flags.rolloutLimit,
      instance: identity,
      lead,
      leadership: election,
      limit,
      lookout: lookout(systemClock, log),
      breather,
      historyLost() {
        if (stop.signal.aborted) return;
        failed = true;
        log.error('Lost the history of the API server, as after a restore, and stops to begin anew');
        stop.abort(new Error('the API server has lost what it knew'));
      },
      ...(metrics ? { telemetry: metrics } : {}),
      ...(tracing ? { tracing, fetch: tracing.fetching(globalThis.fetch) } : {}),
    },
    stop.signal,
  );
  const { informers } = controller;
  metrics?.watch(() => informers);

  await stopped;
  const late = new Promise((resolve) => setTimeout(resolve, graceMilliseconds).unref());
  await Promise.race([Promise.all([controller.stopped, renewing?.catch(() => {})]), late]);
  if (!isLost) await election?.release();
  const webhooks = await Promise.race([serving, othersTurn()]);
  await Promise.race([webhooks?.ended, late]);
  await Promise.all([cluster.close(), reviewer?.close(), Promise.race([open?.end(), late])]);
  const exitCode = isLost || failed ? 1 : 0;
  log.info('Stopped', { exitCode });
  return exitCode;
}

function chosen(operators: readonly Operator[], { operators: names }: Flags): readonly Operator[] {
  return names === undefined ? operators : operators.filter(({ name }) => names.includes(name));
}

/** Loaded only where the environment asks for traces. A controller without them is worth more than none. */
async function tracesOf(
  { leaderElectionId }: Flags,
  { server }: ClusterConfig,
  instance: string,
  log: Log,
): Promise<OpenTraces | undefined> {
  const wanted = tracesWanted(process.env);
  if (wanted.type === 'none') return undefined;
  if (wanted.type === 'impossible') {
    const { setting, because, hint } = wanted;
    log.warn('Ignored a setting, and exports no traces', { setting, because, hint });
    return undefined;
  }
  const { openTraces } = await import('../runtime/telemetry/traces/open-traces.js');
  const { protocol } = wanted;
  const { POD_NAME: pod, POD_NAMESPACE: namespace } = process.env;
  return openTraces({ protocol, log, service: leaderElectionId, instance, pod, namespace, server });
}

function pacedBy({ kubeApiQps, kubeApiBurst }: Flags, cluster: Cluster) {
  if (kubeApiQps === undefined) return cluster;
  const burst = kubeApiBurst ?? Math.ceil(1.5 * kubeApiQps);
  return pacedCluster(cluster, { perSecond: kubeApiQps, burst, clock: systemClock });
}

/** Loaded only where an operator has webhooks. */
async function serveWebhooksOf(
  kinds: readonly ReviewedKind[],
  { webhookPort, webhookUrl: url, webhookCertPath: certificateFolder, leaderElectionId }: Flags,
  cluster: HttpCluster,
  beside: Pick<WebhooksOptions, 'log' | 'breather' | 'limit' | 'telemetry' | 'tracing'>,
  signal: AbortSignal,
): Promise<Webhooks | undefined> {
  if (kinds.length === 0) return undefined;
  const { runWebhooks } = await import('../webhooks/run-webhooks.js');
  const home = process.env['POD_NAMESPACE'] || (ownNamespace() ?? cluster.namespace);
  const machine = { clock: systemClock, random: Math.random, ...beside };
  const place = { namespace: home, name: `${leaderElectionId}-webhook`, address: `:${webhookPort}` };
  return runWebhooks({ kinds, cluster, url, certificateFolder, ...machine, ...place }, signal);
}

/** Loaded only where metrics are served, so that nobody else waits for it at start. */
async function metricsOf(flags: Flags, config: ClusterConfig, loop: LoopWatch): Promise<Metrics | undefined> {
  if (flags.metricsBindAddress === '0') return undefined;
  const loaded = await import('../runtime/telemetry/metrics/metrics.js');
  const metrics = new loaded.Metrics({ clock: systemClock, apiServer: hostOfUrl(new URL(config.server)) });
  metrics.loop(loop);
  return metrics;
}

/** Serves metrics. Resolves with the connection that asks who may read them, if anybody has to. */
async function serveMetricsOf(
  { metricsBindAddress: address, metricsSecure, metricsCertPath: folder, metricsCertName, metricsCertKey }: Flags,
  config: ClusterConfig,
  metrics: Metrics,
  log: Log,
  signal: AbortSignal,
): Promise<HttpCluster | undefined> {
  const [{ serveMetrics }, { MetricsAccess }, { ServingCertificate }] = await Promise.all([
    import('../runtime/telemetry/metrics/serve-metrics.js'),
    import('../runtime/telemetry/metrics/access.js'),
    import('../tls/serving-certificate.js'),
  ]);
  if (!metricsSecure) {
    await serveMetrics({ address, metrics, log }, signal);
    return undefined;
  }
  const certificate = await ServingCertificate.open({
    clock: systemClock,
    subject: 'kilter metrics',
    names: ['localhost', hostname(), '127.0.0.1', '::1'],
    files:
      folder === undefined ? undefined : { cert: join(folder, metricsCertName), key: join(folder, metricsCertKey) },
  });
  // Of its own, so that neither a fence nor a busy API server keeps scrapes from being judged.
  const reviewer = connect(config, { observe: metrics.observe });
  const access = new MetricsAccess({ reviewer, clock: systemClock, log });
  await serveMetrics({ address, metrics, log, secure: { access, certificate } }, signal);
  return reviewer;
}

function electionOf(flags: Flags, cluster: HttpCluster, identity: string, log: Log): LeaderElection {
  return new LeaderElection({
    cluster: cluster.lease(),
    clock: systemClock,
    random: Math.random,
    log,
    namespace: flags.leaderElectionNamespace ?? ownNamespace() ?? cluster.namespace,
    id: flags.leaderElectionId,
    identity,
    timings: leaseTimingsOf(flags),
  });
}

function ownNamespace(): string | undefined {
  try {
    return readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/namespace', 'utf8').trim();
  } catch {
    return undefined;
  }
}
