import type { NewestVersion } from '../informer/newest-version.js';
import type { LeaseClient } from './lease-lock.js';

/** `lease`, which `newest` hears of each time that it is renewed: it goes by another connection than watches, and maybe to another server. */
export function tellingLease(lease: LeaseClient, newest: NewestVersion): LeaseClient {
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
