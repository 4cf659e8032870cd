import type { Cluster, Patch } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Clock, Random } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { Informer } from '../runtime/informer.js';
import type { Log } from '../runtime/log.js';

/** An object that says how the API server reaches webhooks, and what it has to say for that. */
export interface BundleHolder {
  readonly resource: ApiResource;
  readonly name: string;
  /** How `object` is to be changed; undefined when it says so already. */
  missing(object: KubeObject, connection: WebhookConnection): Patch | undefined;
}

/** How the API server verifies the webhooks, and reaches them where that is not by the Service. */
export interface WebhookConnection {
  /** PEM. */
  readonly ca: string;
  readonly url: string | undefined;
}

interface Following {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly fieldManager: string;
}

const retryMilliseconds = 5000;

/**
 * Tells the API server by which authority it verifies the webhooks, and tells it again when somebody takes that away. It is
 * never rendered: the authority is made in the cluster, and Git does not know it.
 */
export class CaBundle {
  readonly #informer: Informer;
  #connection: WebhookConnection;
  #cancel = () => {};

  constructor(
    private readonly holder: BundleHolder,
    connection: WebhookConnection,
    private readonly following: Following,
  ) {
    this.#connection = connection;
    const { cluster, clock, random, log } = following;
    const fieldSelector = `metadata.name=${holder.name}`;
    this.#informer = new Informer({ cluster, resource: holder.resource, fieldSelector, clock, random, log });
    this.#informer.subscribe(({ type }) => {
      if (type !== 'deleted') void this.#tell();
    });
  }

  /** Follows the object until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#cancel(), { once: true });
    return this.#informer.run(signal);
  }

  /** Another certificate is served from now on. */
  async change(connection: WebhookConnection): Promise<void> {
    this.#connection = connection;
    await this.#tell();
  }

  /** Resolves when the object is known, and says what it has to. */
  async told(): Promise<void> {
    await this.#informer.synced();
    await this.#tell();
  }

  async #tell(): Promise<void> {
    const { holder } = this;
    const { cluster, clock, log, fieldManager } = this.following;
    this.#cancel();
    const object = this.#informer.store.get(undefined, holder.name);
    const patch = object && holder.missing(object, this.#connection);
    if (!patch) return;
    try {
      await cluster.patch(holder.resource, { name: holder.name }, patch, { fieldManager });
      log.info('Told the API server how to verify webhooks', { object: show(refOf(object)) });
    } catch (error) {
      log.error('Failed to tell the API server how to verify webhooks', { object: show(refOf(object)), error });
      this.#cancel = clock.after(retryMilliseconds, () => void this.#tell());
    }
  }
}
