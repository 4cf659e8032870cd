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
} from '../client/cluster.js';
import { objectPathOf, pathOf } from '../client/path.js';
import { type Asked, responseError } from '../client/response-error.js';
import { tidy } from '../client/tidy.js';
import { type ApiResource, groupOf, groupResourceOf, versionOf } from '../kube/api-resource.js';
import { isBuiltIn } from '../kube/built-in-groups.js';
import type { Json, KubeObject, Manifest } from '../kube/manifest.js';
import { placeOf, show } from '../kube/object-ref.js';
import { refuseNameless } from '../kube/refuse-nameless.js';
import type { Caller, PatchRequest, Verbs, WriteRequest, Written } from './api-server.js';
import { refuseUnserved } from './built-in/built-in-kinds.js';
import type { Kinds } from './kinds/kinds.js';
import type { ServedKind } from './kinds/served-kind.js';
import { noSuchPath, StatusError } from './status-error.js';

interface EmbeddedCall {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly resource: ApiResource;
  readonly name?: string;
  readonly namespace?: string;
  readonly subresource?: string;
  readonly signal?: AbortSignal;
}

export interface EmbeddedClusterOptions {
  readonly verbs: Verbs;
  readonly kinds: Kinds;
  readonly caller: Caller;
}

/**
 * The embedded API server as the controller's `Cluster`: the same model as behind HTTP, without a socket.
 *
 * **Guarantees.** As every `Cluster`: failures are the classes of `api-error.ts`, in the same words as over HTTP.
 */
export class EmbeddedCluster implements Cluster {
  constructor(private readonly options: EmbeddedClusterOptions) {}

  get(resource: ApiResource, target: Target, options: CallOptions = {}): Promise<KubeObject> {
    const { verbs, caller } = this.options;
    return this.#call({ verb: 'get', resource, ...target, ...signalOf(options) }, (kind) =>
      verbs.get(kind, addressOf(kind, target), { caller }),
    );
  }

  list(resource: ApiResource, options: ListOptions = {}): Promise<ObjectList> {
    const { verbs, caller } = this.options;
    return this.#call({ verb: 'list', resource, ...namespaceOf(options), ...signalOf(options) }, (kind) =>
      verbs.list(kind, options, { caller }),
    );
  }

  async *watch(resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const { verbs, caller } = this.options;
    const call: EmbeddedCall = { verb: 'watch', resource, ...namespaceOf(options), ...signalOf(options) };
    const asked = askedOf(call);
    const stream = await this.#call(call, (kind) => {
      const match = options.sendInitialEvents === undefined ? {} : { resourceVersionMatch: 'NotOlderThan' };
      return verbs.watch(kind, { ...options, ...match }, { caller });
    });
    for await (const { type, object } of stream) {
      switch (type) {
        case 'BOOKMARK': {
          const { resourceVersion, annotations } = object.metadata;
          yield { type, resourceVersion, initialEventsEnd: annotations?.['k8s.io/initial-events-end'] === 'true' };
          break;
        }
        case 'ERROR': {
          const status = object as unknown as StatusError['status'];
          throw responseError(asked, status.code, status, undefined);
        }
        default:
          yield { type, object };
      }
    }
    options.signal?.throwIfAborted();
  }

  create(resource: ApiResource, manifest: Manifest, options: WriteOptions): Promise<KubeObject> {
    const { verbs } = this.options;
    const { name, namespace } = manifest.metadata;
    const target = { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
    return this.#call({ verb: 'create', resource, ...target, ...signalOf(options) }, (kind) => {
      const body = asSent(tidy(manifest));
      return objectOf(verbs.create(kind, kind.namespaced ? namespace : undefined, body, this.#write(options)), options);
    });
  }

  update(resource: ApiResource, object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const { verbs } = this.options;
    const target = targetOf(object);
    return this.#call({ verb: 'update', resource, ...target, ...callOf(options) }, (kind) => {
      const body = asSent(tidy(object));
      return objectOf(verbs.update(kind, addressOf(kind, target), body, this.#write(options)), options);
    });
  }

  apply(resource: ApiResource, manifest: Manifest, options: ApplyOptions): Promise<KubeObject> {
    const target = targetOf(manifest);
    const body: PatchRequest = { type: 'apply', body: asSent(tidy(manifest)) };
    return this.#patch('apply', resource, target, body, options, { force: options.force });
  }

  patch(resource: ApiResource, target: Target, patch: Patch, options: WriteOptions): Promise<KubeObject> {
    return this.#patch('patch', resource, target, asSent(patch) as unknown as PatchRequest, options, {});
  }

  async delete(resource: ApiResource, target: Target, options: DeleteOptions = {}): Promise<void> {
    const { verbs, caller } = this.options;
    const { propagationPolicy = 'Background' } = options;
    await this.#call({ verb: 'delete', resource, ...target, ...signalOf(options) }, (kind) =>
      verbs.delete(kind, addressOf(kind, target), { ...options, propagationPolicy }, { caller }),
    );
  }

  #patch(
    verb: 'apply' | 'patch',
    resource: ApiResource,
    target: Target,
    patch: PatchRequest,
    options: WriteOptions,
    more: Pick<WriteRequest, 'force'>,
  ): Promise<KubeObject> {
    const { verbs } = this.options;
    return this.#call({ verb, resource, ...target, ...callOf(options) }, (kind) =>
      objectOf(verbs.patch(kind, addressOf(kind, target), patch, { ...this.#write(options), ...more }), options),
    );
  }

  #write({ fieldManager, fieldValidation, dryRun, subresource }: WriteOptions): WriteRequest {
    return {
      caller: this.options.caller,
      fieldManager,
      ...(fieldValidation === undefined ? {} : { fieldValidation }),
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(subresource === undefined ? {} : { subresource }),
    };
  }

  async #call<T>(call: EmbeddedCall, act: (kind: ServedKind) => T): Promise<T> {
    refusePathless(call);
    call.signal?.throwIfAborted();
    try {
      const kind = this.options.kinds.of(call.resource);
      if (!kind) {
        const { apiVersion, plural } = call.resource;
        refuseUnserved({ group: groupOf(apiVersion), version: versionOf(apiVersion), plural });
        throw noSuchPath();
      }
      if (!hasPath(kind, call)) throw noSuchPath();
      return act(kind);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw responseError(askedOf(call), error.status.code, error.status, undefined);
    }
  }
}

/** Throws `OperatorError` for what could not be sent over HTTP, as the client does before it sends it. */
function refusePathless(call: EmbeddedCall): void {
  const { verb, resource, name } = call;
  const isBeside = verb === 'list' || verb === 'watch' || (verb === 'create' && resource.namespaced);
  if (isBeside) pathOf(resource, namespaceOf(call));
  else if (verb !== 'create') objectPathOf(resource, { name: name as string, ...namespaceOf(call) });
}

/** Over HTTP a kind in no namespace has no path in one, and of one in namespaces only lists and watches have a path beside them. */
function hasPath({ namespaced }: ServedKind, { verb, resource, namespace }: EmbeddedCall): boolean {
  if (resource.namespaced === namespaced) return true;
  return (verb === 'list' || verb === 'watch') && !(resource.namespaced && namespace !== undefined);
}

/** As it arrives over HTTP: what is undefined is left out, and a date is a text. */
function asSent(body: object): Json {
  return JSON.parse(JSON.stringify(body)) as Json;
}

/** The object that was written. Tells its writer of what there is to warn of. */
function objectOf({ object, warnings }: Written, { warned }: WriteOptions): KubeObject {
  if (warnings.length > 0) warned?.(warnings);
  return object;
}

function askedOf({ verb, resource, name, namespace, subresource }: EmbeddedCall): Asked {
  const about = { isBuiltIn: isBuiltIn(resource.apiVersion) };
  if (name === undefined) return { ...about, subject: groupResourceOf(resource), verb };
  const subject = show({ kind: resource.kind, ...placeOf({ name, namespace }) });
  return { ...about, subject, verb: verb === 'apply' && subresource !== undefined ? `${subresource} apply` : verb };
}

/** The namespace of a cluster-scoped object means nothing. */
function addressOf(kind: ServedKind, target: Target): Target {
  refuseNameless(kind, target);
  const { namespace, name } = target;
  return kind.namespaced && namespace !== undefined ? { namespace, name } : { name };
}

function targetOf({ metadata: { name, namespace } }: Manifest): Target {
  return namespace === undefined ? { name } : { namespace, name };
}

function signalOf({ signal }: CallOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function callOf(options: WriteOptions): { readonly signal?: AbortSignal; readonly subresource?: string } {
  const { subresource } = options;
  return { ...signalOf(options), ...(subresource === undefined ? {} : { subresource }) };
}

function namespaceOf({ namespace }: { readonly namespace?: string }): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
