import type { HttpCluster } from '../client/http-cluster.js';
import { systemClock } from '../kube/clock.js';
import { LeaderElection } from '../runtime/lease/leader-election.js';
import type { Log } from '../runtime/telemetry/log.js';
import { type Flags, leaseTimingsOf } from './flags.js';
import { ownNamespace } from './own-namespace.js';

export function electionOf(flags: Flags, cluster: HttpCluster, identity: string, log: Log): LeaderElection {
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
