import type { HttpCluster } from '../client/http-cluster.js';
import { systemClock } from '../kube/clock.js';
import type { NewestVersion } from '../runtime/informer/newest-version.js';
import { LeaderElection } from '../runtime/lease/leader-election.js';
import type { LeaseClient } from '../runtime/lease/lease-lock.js';
import type { Log } from '../runtime/telemetry/log.js';
import { type Flags, leaseTimingsOf } from './flags.js';
import { ownNamespace } from './own-namespace.js';

export function electionOf(
  flags: Flags,
  cluster: HttpCluster,
  { identity, log, newest }: { readonly identity: string; readonly log: Log; readonly newest: NewestVersion },
): LeaderElection {
  return new LeaderElection({
    cluster: telling(cluster.lease(), newest),
    clock: systemClock,
    random: Math.random,
    log,
    namespace: flags.leaderElectionNamespace ?? ownNamespace() ?? cluster.namespace,
    id: flags.leaderElectionId,
    identity,
    timings: leaseTimingsOf(flags),
  });
}

/** `lease`, which `newest` hears of each time that it is renewed: it goes by another connection than watches, and maybe to another server. */
function telling(lease: LeaseClient, newest: NewestVersion): LeaseClient {
  return {
    get: (...call) => lease.get(...call),
    create: (...call) => lease.create(...call),
    watch: (...call) => lease.watch(...call),
    async update(...call) {
      const written = await lease.update(...call);
      newest.saw(written.metadata.resourceVersion);
      return written;
    },
  };
}
