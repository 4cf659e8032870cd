import type { HttpCluster } from '../client/http-cluster.js';
import { systemClock } from '../kube/clock.js';
import type { ReviewedKind } from '../webhooks/reviewed-kind.js';
import type { Webhooks, WebhooksOptions } from '../webhooks/run-webhooks.js';
import type { Flags } from './flags.js';
import { ownNamespace } from './own-namespace.js';

/** Loaded only where an operator has webhooks. */
export async function serveWebhooksOf(
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
