import type { HttpCluster } from '../client/http-cluster.js';
import { systemClock } from '../kube/clock.js';
import type { Hangs } from '../runtime/informer/hangs.js';
import type { NewestVersion } from '../runtime/informer/newest-version.js';
import { LeaderElection } from '../runtime/lease/leader-election.js';
import { tellingLease } from '../runtime/lease/telling-lease.js';
import type { Log } from '../runtime/telemetry/log.js';
import { type Flags, leaseTimingsOf } from './flags.js';
import { ownNamespace } from './own-namespace.js';

export function electionOf(
  flags: Flags,
  cluster: HttpCluster,
  {
    identity,
    log,
    newest,
    hangs,
  }: { readonly identity: string; readonly log: Log; readonly newest: NewestVersion; readonly hangs: Hangs },
): LeaderElection {
  return new LeaderElection({
    cluster: tellingLease(cluster.lease(), newest),
    clock: systemClock,
    random: Math.random,
    log,
    namespace: flags.leaderElectionNamespace ?? ownNamespace() ?? cluster.namespace,
    id: flags.leaderElectionId,
    identity,
    timings: leaseTimingsOf(flags),
    hangs,
  });
}
