import type { Cluster } from '../../src/client/cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { KubeObject } from '../../src/kube/manifest.js';

/** What is seen of one object at one moment; undefined once it is deleted. */
export type Sight = KubeObject | undefined;
type Claim = (object: Sight) => boolean;

interface Waiter {
  readonly name: string;
  readonly claims: Claim[];
  readonly moments: number[];
  readonly resolve: (moments: readonly number[]) => void;
}

/**
 * Watches one kind in one namespace with a connection of its own, so that what the controller claims can be checked
 * against what the API server shows to others, with the time at which it shows it.
 */
export class Witness {
  readonly #objects = new Map<string, KubeObject>();
  readonly #waiters = new Set<Waiter>();

  private constructor() {}

  /** Begins to watch; resolves when the present state is known. Ends when `signal` aborts. */
  static async of(cluster: Cluster, resource: ApiResource, namespace: string, signal: AbortSignal): Promise<Witness> {
    const witness = new Witness();
    const { items, resourceVersion } = await cluster.list(resource, { namespace, signal });
    for (const object of items) witness.#objects.set(object.metadata.name, object);
    witness.#follow(cluster, resource, { namespace, resourceVersion, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return witness;
  }

  /**
   * Resolves when each claim has come true of the object `name`, one after the other, with the moment of each in
   * milliseconds of `performance.now()`. A first claim that is true already counts as seen now.
   */
  sees(name: string, ...claims: Claim[]): Promise<readonly number[]> {
    return new Promise((resolve) => {
      const waiter: Waiter = { name, claims: [...claims], moments: [], resolve };
      this.#waiters.add(waiter);
      this.#show(waiter, this.#objects.get(name));
    });
  }

  async #follow(
    cluster: Cluster,
    resource: ApiResource,
    options: { namespace: string; resourceVersion: string; signal: AbortSignal },
  ): Promise<void> {
    for await (const event of cluster.watch(resource, options)) {
      if (event.type === 'BOOKMARK') continue;
      const { name } = event.object.metadata;
      if (event.type === 'DELETED') this.#objects.delete(name);
      else this.#objects.set(name, event.object);
      for (const waiter of this.#waiters) if (waiter.name === name) this.#show(waiter, this.#objects.get(name));
    }
  }

  #show(waiter: Waiter, sight: Sight): void {
    if (!waiter.claims[0]?.(sight)) return;
    waiter.claims.shift();
    waiter.moments.push(performance.now());
    if (waiter.claims.length > 0) return;
    this.#waiters.delete(waiter);
    waiter.resolve(waiter.moments);
  }
}
