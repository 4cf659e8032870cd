import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ClusterConfig } from '../client/cluster-config.js';
import { connect, type HttpCluster } from '../client/http-cluster.js';
import { systemClock } from '../kube/clock.js';
import { hostOfUrl } from '../kube/url-port.js';
import type { LoopWatch } from '../runtime/process/loop-watch.js';
import type { Log } from '../runtime/telemetry/log.js';
import type { Metrics } from '../runtime/telemetry/metrics/metrics.js';
import type { Flags } from './flags.js';

/** Loaded only where metrics are served, so that nobody else waits for it at start. */
export async function metricsOf(flags: Flags, config: ClusterConfig, loop: LoopWatch): Promise<Metrics | undefined> {
  if (flags.metricsBindAddress === '0') return undefined;
  const loaded = await import('../runtime/telemetry/metrics/metrics.js');
  const metrics = new loaded.Metrics({ clock: systemClock, apiServer: hostOfUrl(new URL(config.server)) });
  metrics.loop(loop);
  return metrics;
}

/** Serves metrics. Resolves with the connection that asks who may read them, if anybody has to. */
export async function serveMetricsOf(
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
