import type { ClusterConfig } from '../client/cluster-config.js';
import { tracesWanted } from '../kube/traces-wanted.js';
import type { Log } from '../runtime/telemetry/log.js';
import type { OpenTraces } from '../runtime/telemetry/traces/open-traces.js';
import type { Flags } from './flags.js';

/** Loaded only where the environment asks for traces. A controller without them is worth more than none. */
export async function tracesOf(
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
