import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Cluster } from '../client/cluster.js';
import { environmentConfig } from '../client/environment-config.js';
import { connect } from '../client/http-cluster.js';
import { pacedCluster } from '../client/paced-cluster.js';
import type { Operator } from '../compose/operator.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import { othersTurn, systemClock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import { usualTimings } from '../kube/lease-timings.js';
import { version } from '../kube/version.js';
import { isReviewed } from '../kube/webhook.js';
import { lookout } from '../runtime/author/lookout.js';
import { authorMillisecondsOf, timeLimit } from '../runtime/author/time-limit.js';
import { Hangs } from '../runtime/informer/hangs.js';
import { NewestVersion } from '../runtime/informer/newest-version.js';
import { leaderOnly } from '../runtime/lease/leader-only.js';
import { Breather } from '../runtime/process/breather.js';
import { giveBackMemory, processHeap } from '../runtime/process/give-back-memory.js';
import { LoopWatch } from '../runtime/process/loop-watch.js';
import { loopUtilization, onceBusy } from '../runtime/process/once-busy.js';
import { optimizeNow } from '../runtime/process/optimize-late.js';
import { serveProbes } from '../runtime/process/probes.js';
import { type Controller, runController } from '../runtime/run-controller.js';
import type { Log } from '../runtime/telemetry/log.js';
import { silentTelemetry } from '../runtime/telemetry/telemetry.js';
import { electionOf } from './election-of.js';
import { type Flags, leaseTimingsOf } from './flags.js';
import { metricsOf, serveMetricsOf } from './metrics-of.js';
import { tracesOf } from './traces-of.js';
import { serveWebhooksOf } from './webhooks-of.js';

/** Writes under way get this long to finish when the process is asked to end. */
export const graceMilliseconds = 5000;

/**
 * Puts together what `operators` need, runs them until `stop` aborts, and lets all of it end. Aborts `stop` itself where they
 * cannot go on. Resolves with the exit code; rejects where there is no API server to be found, or nothing can be served.
 */
export async function runUntilStopped(
  operators: readonly Operator[],
  flags: Flags,
  log: Log,
  stop: AbortController,
): Promise<number> {
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
  const newest = new NewestVersion();
  const hangs = new Hangs(systemClock);
  const election = flags.leaderElect ? electionOf(flags, cluster, { identity, log, newest, hangs }) : undefined;
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
      newest,
      hangs,
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

function pacedBy({ kubeApiQps, kubeApiBurst }: Flags, cluster: Cluster) {
  if (kubeApiQps === undefined) return cluster;
  const burst = kubeApiBurst ?? Math.ceil(1.5 * kubeApiQps);
  return pacedCluster(cluster, { perSecond: kubeApiQps, burst, clock: systemClock });
}

export function tellFailure(log: Log, error: unknown): void {
  const hint = error instanceof OperatorError && error.hint ? { hint: error.hint } : {};
  log.error('Failed to start', { error: (error as Error).message, ...hint });
}
