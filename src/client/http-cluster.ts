import { type ApiResource, groupResourceOf } from '../kube/api-resource.js';
import { isBuiltIn } from '../kube/built-in-groups.js';
import { type Clock, type Random, systemClock } from '../kube/clock.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { placeOf, show } from '../kube/object-ref.js';
import { brokenCall, type Call, Calls } from './calls.js';
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
import { Fence } from './fence.js';
import { objectIn, objectListIn } from './object-list.js';
import { objectPathOf, pathOf, withQuery } from './path.js';
import type { Asked } from './response-error.js';
import { tidy } from './tidy.js';
import type { Trace } from './trace.js';
import { type Observe, Transport } from './transport.js';
import { watchEvents } from './watch-events.js';

export interface ConnectOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Told of every request that is sent. */
  readonly observe?: Observe;
  /** Told of every try of a call, but for watches. */
  readonly trace?: Trace | undefined;
}

/** A client of the API server that `config` names. */
export function connect(config: ClusterConfig, options: ConnectOptions = {}): HttpCluster {
  return new HttpCluster(config, options);
}

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** A Kubernetes API server over HTTP. */
export class HttpCluster implements Cluster {
  readonly #transport: Transport;
  readonly #calls: Calls;
  readonly #prefix: string;
  readonly #fence = new Fence();

  constructor(
    private readonly config: ClusterConfig,
    private readonly options: ConnectOptions,
    shared?: Transport,
  ) {
    const { clock = systemClock, random = Math.random, trace } = options;
    this.#transport = shared ?? new Transport(config, options.observe);
    this.#calls = new Calls({ transport: this.#transport, lane: shared ? 'lease' : 'calls', clock, random, trace });
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
    this.#fence.lower(reason);
    // Bytes that wait in a connection to be sent go with it.
    void this.#transport.tearDown('calls').catch(() => {});
  }

  unfence(): void {
    this.#fence.raise();
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
      path: objectPathOf(resource, target),
      asked: asked('get', resource, target),
    });
  }

  async list(resource: ApiResource, options: ListOptions = {}): Promise<ObjectList> {
    const { signal, timeoutSeconds, until, namespace, ...query } = options;
    const answer = await this.#call({
      method: 'GET',
      path: withQuery(pathOf(resource, namespace === undefined ? {} : { namespace }), query),
      asked: { subject: groupResourceOf(resource), verb: 'list' },
      ...callOf(options),
    });
    return objectListIn(answer, resource);
  }

  async *watch(resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const { signal, namespace, partly: _, ...query } = options;
    const subject = { subject: groupResourceOf(resource), verb: 'watch' };
    const parameters = {
      ...query,
      watch: true,
      // The server demands this of a streaming list.
      ...(query.sendInitialEvents === undefined ? {} : { resourceVersionMatch: 'NotOlderThan' }),
    };
    const path = this.#prefix + withQuery(pathOf(resource, namespace === undefined ? {} : { namespace }), parameters);
    const response = await this.#transport
      .open({ method: 'GET', path, lane: 'watches', ...(signal ? { signal } : {}) })
      .catch((cause: unknown) => {
        throw signal?.aborted ? signal.reason : brokenCall(subject, cause);
      });
    yield* watchEvents(response, subject, { ...options, clock: this.options.clock ?? systemClock });
  }

  async create(resource: ApiResource, manifest: Manifest, options: WriteOptions): Promise<KubeObject> {
    const { namespace, name } = manifest.metadata;
    return this.#one({
      ...writeOf(options),
      method: 'POST',
      path: withQuery(pathOf(resource, inNamespace(resource, namespace)), writeQuery(options)),
      asked: asked('create', resource, placeOf({ name, namespace })),
      body: tidy(manifest),
      contentType: 'application/json',
    });
  }

  async update(resource: ApiResource, object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const { namespace, name } = object.metadata;
    const target = placeOf({ name, namespace });
    return this.#one({
      ...writeOf(options),
      method: 'PUT',
      path: withQuery(objectPathOf(resource, { ...target, ...subresourceOf(options) }), writeQuery(options)),
      asked: asked('update', resource, target),
      body: tidy(object),
      contentType: 'application/json',
    });
  }

  async apply(resource: ApiResource, manifest: Manifest, options: ApplyOptions): Promise<KubeObject> {
    const { namespace, name } = manifest.metadata;
    const target = placeOf({ name, namespace });
    return this.#one({
      ...writeOf(options),
      method: 'PATCH',
      path: withQuery(objectPathOf(resource, { ...target, ...subresourceOf(options) }), {
        ...writeQuery(options),
        // An apply refuses fields that are not declared, whatever it asks for, and what we send has none twice. To look for
        // them all the same, the server would read the text once more.
        fieldValidation: 'Ignore',
        force: options.force,
      }),
      asked: asked(options.subresource ? `${options.subresource} apply` : 'apply', resource, target),
      body: tidy(manifest),
      contentType: 'application/apply-patch+yaml',
    });
  }

  async patch(resource: ApiResource, target: Target, patch: Patch, options: WriteOptions): Promise<KubeObject> {
    return this.#one({
      ...writeOf(options),
      method: 'PATCH',
      path: withQuery(objectPathOf(resource, { ...target, ...subresourceOf(options) }), writeQuery(options)),
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
      path: objectPathOf(resource, target),
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
    return objectIn(await this.#call(call), call.asked);
  }

  #call(call: Call): Promise<unknown> {
    const path = this.#prefix + call.path;
    return this.#calls.send({ ...call, path }, call.method === 'GET' ? undefined : this.#fence);
  }
}

function asked(verb: string, { apiVersion, kind }: ApiResource, { namespace, name }: Target): Asked {
  return { subject: show({ kind, ...placeOf({ name, namespace }) }), verb, isBuiltIn: isBuiltIn(apiVersion) };
}

function callOf({ signal, timeoutSeconds, until = Number.POSITIVE_INFINITY }: CallOptions): CallOptions {
  return { until, ...(signal ? { signal } : {}), ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
}

function writeOf(options: WriteOptions): Pick<Call, 'signal' | 'timeoutSeconds' | 'until' | 'warned'> {
  return { ...callOf(options), ...(options.warned ? { warned: options.warned } : {}) };
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
