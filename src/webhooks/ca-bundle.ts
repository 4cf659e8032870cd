import type { Cluster, Patch } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Clock, Random } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { type ObjectRef, refOf, show } from '../kube/object-ref.js';
import { Informer } from '../runtime/informer/informer.js';
import { BackOff } from '../runtime/queue/back-off.js';
import type { Log } from '../runtime/telemetry/log.js';
import { ToldTrouble } from '../runtime/telemetry/told-trouble.js';

/** An object that says how the API server reaches webhooks, and what it has to say for that. */
export interface BundleHolder {
  readonly resource: ApiResource;
  readonly name: string;
  /** How `object` is to be changed; undefined when it says so already. */
  missing(object: KubeObject, connection: WebhookConnection): Patch | undefined;
  /** How what was said is taken back from `object`, where nobody needs it any more; undefined when there is nothing of it. */
  superfluous?(object: KubeObject, connection: WebhookConnection): Patch | undefined;
  /** Whether what is superfluous by `object` is so by all else that the API server has. Throws what its calls throw. */
  isFree?(cluster: Cluster, signal: AbortSignal): Promise<boolean>;
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
  /** Looks which certificate the replicas have by now, and says by `change` if it is another. Never rejects. */
  readonly renew: () => Promise<void>;
}

const retryMilliseconds = 5000;
/** What is not free to be taken back is looked at again after so long. */
const lookMilliseconds = 10 * 60_000;
/** After so long in peace the next change by others is put right as soon as the first. */
const calmMilliseconds = 5 * 60_000;

/**
 * Tells the API server by which authority it verifies the webhooks, and tells it again when somebody takes that away. It is
 * never rendered: the authority is made in the cluster, and Git does not know it.
 *
 * **Guarantees.** Replicas that know different certificates, or are reached in different ways, do not fight over the object:
 * whoever finds it changed looks first which certificate counts by now, and waits longer each time.
 */
export class CaBundle {
  readonly #informer: Informer;
  readonly #patience: BackOff;
  #connection: WebhookConnection;
  #waiting: (() => void) | undefined;
  #looking: (() => void) | undefined;
  #isKeptTold = false;
  readonly #trouble: Readonly<Record<'telling' | 'seeing', ToldTrouble>>;
  /** Resolves when nothing is on its way to the API server, and never rejects. */
  #sent = Promise.resolve(true);
  readonly #ended = new AbortController();
  #toldAt = Number.NEGATIVE_INFINITY;
  #isFollowing = false;

  constructor(
    private readonly holder: BundleHolder,
    connection: WebhookConnection,
    private readonly following: Following,
  ) {
    this.#connection = connection;
    const { cluster, clock, random, log } = following;
    this.#trouble = { telling: new ToldTrouble(clock), seeing: new ToldTrouble(clock) };
    const fieldSelector = `metadata.name=${holder.name}`;
    this.#patience = new BackOff({ firstSeconds: 0.5, mostSeconds: 30, jitter: 1, random });
    this.#informer = new Informer({ cluster, resource: holder.resource, fieldSelector, clock, random, log });
    this.#informer.subscribe(({ type }) => {
      if (type !== 'deleted') this.#changed();
    });
  }

  /** Follows the object until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#end(signal.reason), { once: true });
    return this.#informer.run(signal);
  }

  /** Another certificate is to be served. Resolves with whether the object says so by now; else it is tried on. */
  change(connection: WebhookConnection): Promise<boolean> {
    this.#connection = connection;
    return this.#tell();
  }

  /** Resolves when the object is known, and says what it has to. */
  async told(): Promise<void> {
    await this.#informer.synced();
    await this.#tell();
    this.#isFollowing = true;
    // Meanwhile somebody may have said otherwise.
    this.#changed();
  }

  /** By somebody, who may know better, or by ourselves. */
  #changed(): void {
    if (!this.#isFollowing || !this.#missing || this.#waiting) return;
    if (this.following.clock.monotonic() - this.#toldAt > calmMilliseconds) this.#patience.reset();
    this.#tellAfter(this.#patience.next(), true);
  }

  #tellAfter(milliseconds: number, isOthers: boolean): void {
    const { clock, renew } = this.following;
    this.#cancel();
    this.#waiting = clock.after(milliseconds, () => {
      this.#waiting = undefined;
      void (isOthers ? renew() : Promise.resolve()).then(() => this.#tell());
    });
  }

  #cancel(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }

  #end(reason: unknown): void {
    this.#cancel();
    this.#looking?.();
    this.#ended.abort(reason);
  }

  /** Whether nothing else needs what is superfluous by the object; where something does, it is looked at again. */
  async #isFree(object: string): Promise<boolean> {
    const { cluster, clock, log } = this.following;
    const { signal } = this.#ended;
    this.#looking?.();
    try {
      const isFree = (await this.holder.isFree?.(cluster, signal)) ?? true;
      this.#trouble.seeing.over();
      if (isFree) return true;
      const hint = 'run kilter migrate for the kind, which has it told in the present version who wrote what';
      if (!this.#isKeptTold)
        log.warn('Kept how to verify webhooks for what was written in an older version', { object, hint });
      this.#isKeptTold = true;
    } catch (error) {
      if (!signal.aborted && this.#trouble.seeing.failed(error))
        log.error('Failed to see whether anything needs webhooks', { object, error });
    }
    if (!signal.aborted) this.#looking = clock.after(lookMilliseconds, () => void this.#tell());
    return false;
  }

  async #tell(): Promise<boolean> {
    this.#cancel();
    const found = this.#missing;
    if (found?.isInVain && !(await this.#isFree(show(found.ref)))) return true;
    // One after the other: of two on their way the earlier may come last.
    this.#sent = this.#sent.then(() => this.#send(found?.isInVain ?? false));
    return this.#sent;
  }

  /** `isFree`: what is superfluous was seen to be needed by nothing. */
  async #send(isFree: boolean): Promise<boolean> {
    const { holder } = this;
    const { cluster, clock, log, fieldManager } = this.following;
    // Looked at anew: while the API server was asked, or told something else, somebody may have come to need it.
    const missing = this.#missing;
    if (!missing || (missing.isInVain && !isFree)) {
      this.#trouble.telling.over();
      return true;
    }
    const object = show(missing.ref);
    try {
      await cluster.patch(holder.resource, { name: holder.name }, missing.patch, { fieldManager });
      this.#toldAt = clock.monotonic();
      this.#trouble.telling.over();
      if (missing.isInVain) log.info('Took back how to verify webhooks', { object });
      else log.info('Told the API server how to verify webhooks', { object });
      return true;
    } catch (error) {
      if (this.#trouble.telling.failed(error))
        log.error('Failed to tell the API server how to verify webhooks', { object, error });
      this.#tellAfter(retryMilliseconds, false);
      return false;
    }
  }

  /** What the object has to say, and does not, or says in vain; undefined while it is not known. */
  get #missing(): { readonly ref: ObjectRef; readonly patch: Patch; readonly isInVain: boolean } | undefined {
    const object = this.#informer.store.get(undefined, this.holder.name);
    if (!object) return undefined;
    const missing = this.holder.missing(object, this.#connection);
    if (missing) return { ref: refOf(object), patch: missing, isInVain: false };
    const superfluous = this.holder.superfluous?.(object, this.#connection);
    return superfluous && { ref: refOf(object), patch: superfluous, isInVain: true };
  }
}
