import type { Caller } from '../../../src/embedded/api-server.js';
import { Authorizer } from '../../../src/embedded/auth/authorizer.js';
import { Tokens } from '../../../src/embedded/auth/tokens.js';
import type { VirtualDesk } from '../../../src/embedded/auth/virtual-kind.js';
import { ask, virtualKinds } from '../../../src/embedded/auth/virtual-kinds.js';
import { ObjectStore } from '../../../src/embedded/object-store.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Clock } from '../../../src/kube/clock.js';
import type { Json, KubeObject, Manifest } from '../../../src/kube/manifest.js';

export const admin: Caller = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** A store with all that answers questions about it, at a time that tests set. */
export class TestDesk implements VirtualDesk {
  readonly store = new ObjectStore();
  readonly authorizer = new Authorizer(this.store);
  seconds = Date.parse('2030-01-01T00:00:00Z') / 1000;
  readonly clock: Clock = {
    now: () => this.seconds * 1000,
    monotonic: () => this.seconds * 1000,
    after: () => () => undefined,
  };
  #chance = 0;
  readonly tokens = new Tokens({
    store: this.store,
    clock: this.clock,
    random: () => (this.#chance++ % 97) / 97,
    known: { secret: { name: 'admin', uid: 'admin', groups: ['system:masters'] } },
  });

  pass(seconds: number): void {
    this.seconds += seconds;
  }

  /** One that comes to the store as it is now. */
  another(): Authorizer {
    return new Authorizer(this.store);
  }

  put(manifest: Manifest, uid = `uid of ${manifest.metadata.name}`): KubeObject {
    return this.store.put(storageOf(manifest), {
      ...manifest,
      metadata: { uid, resourceVersion: '', ...manifest.metadata },
    } as KubeObject);
  }

  /** The answer, or the status of a refusal. */
  ask(key: string, body: Json, caller = admin, at: { namespace?: string; name?: string } = {}): Json {
    const kind = virtualKinds.get(key);
    if (!kind) throw new Error(`there is no ${key}`);
    try {
      const { object } = ask(kind, body, { caller, fieldManager: 'test', ...at }, this);
      return JSON.parse(JSON.stringify(object)) as Json;
    } catch (error) {
      if (error instanceof StatusError) return error.status as unknown as Json;
      throw error;
    }
  }
}

export function storageOf({ apiVersion, kind }: Manifest): string {
  const plural = `${kind.toLowerCase()}s`;
  return apiVersion.includes('/') ? `${plural}.${apiVersion.replace(/\/.*/, '')}` : plural;
}
