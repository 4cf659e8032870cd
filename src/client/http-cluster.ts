import { type ApiResource, groupResourceOf } from '../kube/api-resource.js';
import { type Clock, type Random, sleep, systemClock } from '../kube/clock.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { ApiError, RetryAfterError, type Status, TransportError } from './api-error.js';
import type {
  ApplyOptions,
  CallOptions,
  Cluster,
  DeleteOptions,
  ListOptions,
  ObjectList,
  Patch,
  Target,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './cluster.js';
import type { ClusterConfig } from './cluster-config.js';
import { Limiter } from './limiter.js';
import { pathOf, withQuery } from './path.js';
import { type Asked, responseError } from './response-error.js';
import { tidy } from './tidy.js';
import { type Lane, Transport } from './transport.js';
import { watchEvents } from './watch-events.js';

export interface ConnectOptions {
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A client of the API server that `config` names. */
export function connect(config: ClusterConfig, options: ConnectOptions = {}): HttpCluster {
  return new HttpCluster(config, options);
}

const defaultTimeoutSeconds = 30;
const mostTries = 6;
const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly asked: Asked;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A Kubernetes API server over HTTP. */
export class HttpCluster implements Cluster {
  readonly #transport: Transport;
  readonly #limiter: Limiter;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lane: Lane;
  readonly #prefix: string;
  #fence = new AbortController();

  constructor(
    private readonly config: ClusterConfig,
    private readonly options: ConnectOptions,
    shared?: Transport,
  ) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#transport = shared ?? new Transport(config, this.#clock);
    this.#lane = shared ? 'lease' : 'calls';
    this.#limiter = new Limiter({ clock: this.#clock, most: 64 });
    this.#prefix = new URL(config.server).pathname.replace(/\/$/, '');
  }

  /** The namespace of the account or context that connects. */
  get namespace(): string {
    return this.config.namespace;
  }

  /** The same server on a connection of its own, which no other call and no fence can hold up. */
  lease(): HttpCluster {
    return new HttpCluster(this.config, this.options, this.#transport);
  }

  /** Aborts writes under way and refuses new ones with `reason`, until `unfence`: whoever lost the Lease must not write. */
  fence(reason: Error): void {
    this.#fence.abort(reason);
  }

  unfence(): void {
    if (this.#fence.signal.aborted) this.#fence = new AbortController();
  }

  /** Closes all connections; calls under way reject. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** One call of any path, for discovery and other things that are no objects. */
  async request(
    method: Call['method'],
    path: string,
    options: CallOptions & { readonly body?: unknown } = {},
  ): Promise<unknown> {
    return this.#call({ method, path, asked: { subject: path, verb: method.toLowerCase() }, ...options });
  }

  async get(resource: ApiResource, target: Target, options: CallOptions = {}): Promise<KubeObject> {
    return this.#one({
      ...options,
      method: 'GET',
      path: pathOf(resource, target),
      asked: asked('get', resource, target),
    });
  }

  async list(resource: ApiResource, options: ListOptions = {}): Promise<ObjectList> {
    const { signal, timeoutSeconds, namespace, ...query } = options;
    const list = (await this.#call({
      method: 'GET',
      path: withQuery(pathOf(resource, namespace === undefined ? {} : { namespace }), query),
      asked: { subject: groupResourceOf(resource), verb: 'list' },
      ...(signal ? { signal } : {}),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    })) as { items?: KubeObject[] | null; metadata?: { resourceVersion?: string; continue?: string } };
    const { apiVersion, kind } = resource;
    return {
      // Items of a list do not say their kind; objects do.
      items: (list.items ?? []).map((item) => ({ ...item, apiVersion, kind })),
      resourceVersion: list.metadata?.resourceVersion ?? '',
      ...(list.metadata?.continue ? { continue: list.metadata.continue } : {}),
    };
  }

  async *watch(resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const { signal, namespace, ...query } = options;
    const subject = { subject: groupResourceOf(resource), verb: 'watch' };
    const parameters = {
      ...query,
      watch: true,
      // The server demands this of a streaming list.
      ...(query.sendInitialEvents === undefined ? {} : { resourceVersionMatch: 'NotOlderThan' }),
    };
    const path = this.#prefix + withQuery(pathOf(resource, namespace === undefined ? {} : { namespace }), parameters);
    const response = await this.#transport
      .send({ method: 'GET', path, lane: 'watches', ...(signal ? { signal } : {}) })
      .catch((cause: unknown) => {
        throw broken(subject, cause);
      });
    if (response.code >= 400)
      throw responseError(subject, response.code, await statusOf(response.body), response.retryAfter);
    yield* watchEvents(response.body, subject);
  }

  async create(resource: ApiResource, manifest: Manifest, options: WriteOptions): Promise<KubeObject> {
    const { namespace, name } = manifest.metadata;
    return this.#one({
      ...callOf(options),
      method: 'POST',
      path: withQuery(pathOf(resource, inNamespace(resource, namespace)), writeQuery(options)),
      asked: asked('create', resource, { name, ...(namespace === undefined ? {} : { namespace }) }),
      body: tidy(manifest),
      contentType: 'application/json',
    });
  }

  async update(resource: ApiResource, object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const { namespace, name } = object.metadata;
    const target = { name, ...(namespace === undefined ? {} : { namespace }) };
    return this.#one({
      ...callOf(options),
      method: 'PUT',
      path: withQuery(pathOf(resource, { ...target, ...subresourceOf(options) }), writeQuery(options)),
      asked: asked('update', resource, target),
      body: tidy(object),
      contentType: 'application/json',
    });
  }

  async apply(resource: ApiResource, manifest: Manifest, options: ApplyOptions): Promise<KubeObject> {
    const { namespace, name } = manifest.metadata;
    const target = { name, ...(namespace === undefined ? {} : { namespace }) };
    return this.#one({
      ...callOf(options),
      method: 'PATCH',
      path: withQuery(pathOf(resource, { ...target, ...subresourceOf(options) }), {
        ...writeQuery(options),
        force: options.force,
      }),
      asked: asked(options.subresource ? `${options.subresource} apply` : 'apply', resource, target),
      body: tidy(manifest),
      contentType: 'application/apply-patch+yaml',
    });
  }

  async patch(resource: ApiResource, target: Target, patch: Patch, options: WriteOptions): Promise<KubeObject> {
    return this.#one({
      ...callOf(options),
      method: 'PATCH',
      path: withQuery(pathOf(resource, { ...target, ...subresourceOf(options) }), writeQuery(options)),
      asked: asked('patch', resource, target),
      body: patch.type === 'json' ? patch.operations : patch.body,
      contentType: contentTypes[patch.type],
    });
  }

  async delete(resource: ApiResource, target: Target, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagationPolicy = 'Background', gracePeriodSeconds } = options;
    const preconditions = {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    await this.#call({
      ...callOf(options),
      method: 'DELETE',
      path: pathOf(resource, target),
      asked: asked('delete', resource, target),
      contentType: 'application/json',
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy,
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
        ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
      },
    });
  }

  async #one(call: Call): Promise<KubeObject> {
    return (await this.#call(call)) as KubeObject;
  }

  /** One call with its deadline, repeated where that is safe. Resolves with the parsed answer. */
  async #call(call: Call): Promise<unknown> {
    const { timeoutSeconds = defaultTimeoutSeconds } = call;
    const deadline = new AbortController();
    const abort = (signal: AbortSignal) => () => deadline.abort(signal.reason);
    const watched = [call.signal, ...(call.method === 'GET' ? [] : [this.#fence.signal])].filter(
      (signal) => signal !== undefined,
    );
    const listeners = watched.map((signal) => [signal, abort(signal)] as const);
    for (const [signal, listener] of listeners) {
      if (signal.aborted) listener();
      signal.addEventListener('abort', listener, { once: true });
    }
    const cancel = this.#clock.after(timeoutSeconds * 1000, () => {
      deadline.abort(
        new TransportError(`${call.asked.subject} ${call.asked.verb} failed: no answer within ${timeoutSeconds} s`),
      );
    });
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#try(call, deadline.signal);
        } catch (error) {
          if (tries === mostTries || !isSafeToRepeat(call, error)) throw error;
          const patience = error instanceof RetryAfterError ? error.retryAfterSeconds * 1000 : 50 * 2 ** tries;
          await sleep(this.#clock, patience * (1 + this.#random() / 4), deadline.signal).catch(() => {
            throw error;
          });
        }
      }
    } finally {
      cancel();
      for (const [signal, listener] of listeners) signal.removeEventListener('abort', listener);
    }
  }

  async #try({ method, path, asked, body, contentType }: Call, signal: AbortSignal): Promise<unknown> {
    await this.#limiter.enter();
    let overloaded = false;
    try {
      const response = await this.#transport.send({
        method,
        path: this.#prefix + path,
        lane: this.#lane,
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body), contentType: contentType ?? 'application/json' }),
      });
      if (response.code < 400) return JSON.parse(await response.body.text()) as unknown;
      overloaded = response.code === 429 || response.code === 503 || response.code === 504;
      throw responseError(asked, response.code, await statusOf(response.body), response.retryAfter);
    } catch (cause) {
      if (cause instanceof ApiError) throw cause;
      overloaded = signal.aborted && signal.reason instanceof TransportError;
      throw signal.aborted ? signal.reason : broken(asked, cause);
    } finally {
      this.#limiter.leave(overloaded);
    }
  }
}

/** A read can be asked again; a write only where it is certain that the server did not take it. */
function isSafeToRepeat({ method }: Call, error: unknown): boolean {
  if (error instanceof RetryAfterError) return error.status?.code === 429 || method === 'GET';
  if (!(error instanceof TransportError)) return false;
  const code = (error.cause as { code?: string } | undefined)?.code;
  return method === 'GET' ? error.cause !== undefined : code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** The server's account of a failure; a proxy's page in its place counts as none. */
async function statusOf(body: { text(): Promise<string> }): Promise<Status> {
  const text = await body.text();
  try {
    const status: unknown = JSON.parse(text);
    return typeof status === 'object' && status !== null && 'message' in status ? (status as Status) : {};
  } catch {
    return {};
  }
}

function broken({ subject, verb }: Asked, cause: unknown): Error {
  if (cause instanceof ApiError || !(cause instanceof Error)) return cause as Error;
  if (cause.name === 'AbortError') return cause;
  return new TransportError(`${subject} ${verb} failed: ${cause.message}`, { cause });
}

function asked(verb: string, { kind }: ApiResource, { namespace, name }: Target): Asked {
  return { subject: show({ kind, name, ...(namespace === undefined ? {} : { namespace }) }), verb };
}

function callOf({ signal, timeoutSeconds }: CallOptions): CallOptions {
  return { ...(signal ? { signal } : {}), ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
}

function writeQuery({ fieldManager, fieldValidation, dryRun }: WriteOptions) {
  return { fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined };
}

function subresourceOf({ subresource }: WriteOptions) {
  return subresource === undefined ? {} : { subresource };
}

function inNamespace(resource: ApiResource, namespace: string | undefined) {
  return resource.namespaced && namespace !== undefined ? { namespace } : {};
}
