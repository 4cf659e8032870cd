import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { Caller, Verbs, WriteRequest } from '../api-server.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { internalError, StatusError } from '../status-error.js';
import type { BuiltIn, Live } from './built-in.js';

/** What a controller hands in: anything that JSON can carry, in the shape of a type. */
type Body = object;

export interface Deletion {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

/** Writes as one caller, under one field manager. All writes go the way of everybody's: through the verbs. */
export class Writer {
  constructor(
    private readonly server: Verbs,
    private readonly kinds: Kinds,
    private readonly caller: Caller,
    private readonly fieldManager: string,
  ) {}

  serves(resource: BuiltIn<unknown>): boolean {
    return this.kinds.of(resource) !== undefined;
  }

  create<T>(resource: BuiltIn<T>, namespace: string | undefined, object: Body): Live<T> {
    const { apiVersion, kind } = resource;
    const body = { apiVersion, kind, ...object } as unknown as Json;
    return this.server.create(this.#kindOf(resource), namespace, body, this.#request()).object as Live<T>;
  }

  update<T>(resource: BuiltIn<T>, object: KubeObject): Live<T> {
    return this.#update(resource, object) as Live<T>;
  }

  updateStatus<T>(resource: BuiltIn<T>, object: Body & KubeObject): Live<T> {
    return this.#update(resource, object, 'status') as Live<T>;
  }

  /** Says which finalizers a Namespace still has in its spec. */
  finalize<T>(resource: BuiltIn<T>, object: KubeObject): void {
    this.#update(resource, object, 'finalize');
  }

  /** Puts a Pod on a Node. */
  bind(pods: BuiltIn<unknown>, { metadata: { namespace, name, uid } }: KubeObject, node: string): void {
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace: namespace!, uid },
      target: { kind: 'Node', name: node },
    };
    this.server.create(this.#kindOf(pods), namespace, body, this.#request('binding'));
  }

  /** JSON merge patch of any kind, also of a custom one. */
  patch<T extends KubeObject>(object: T, body: Json): T {
    const kind = this.#kindOfObject(object);
    const patch = { type: 'merge', body } as const;
    return this.server.patch(kind, addressOf(object, kind), patch, this.#request()).object as T;
  }

  /** Deletes this very object. One that is gone already is as good as deleted. */
  delete(object: KubeObject, options: Deletion = {}): void {
    const kind = this.#kindOfObject(object);
    try {
      const { uid } = object.metadata;
      this.server.delete(kind, addressOf(object, kind), { ...options, uid }, { caller: this.caller });
    } catch (error) {
      // 409: what stands there now is another object of the name.
      if (error instanceof StatusError && (error.status.code === 404 || error.status.code === 409)) return;
      throw error;
    }
  }

  deleteAll(kind: ServedKind, namespace: string): void {
    this.server.deleteCollection(kind, { namespace }, { propagationPolicy: 'Background' }, { caller: this.caller });
  }

  #update(resource: BuiltIn<unknown>, object: KubeObject, subresource?: 'status' | 'finalize'): KubeObject {
    const kind = this.#kindOf(resource);
    const body = object as unknown as Json;
    return this.server.update(kind, addressOf(object, kind), body, this.#request(subresource)).object;
  }

  #request(subresource?: WriteRequest['subresource']): WriteRequest {
    return { caller: this.caller, fieldManager: this.fieldManager, ...(subresource ? { subresource } : {}) };
  }

  #kindOf(resource: BuiltIn<unknown>): ServedKind {
    const kind = this.kinds.of(resource);
    if (!kind) throw internalError(`the server does not serve ${resource.storage}`);
    return kind;
  }

  /** What was stored may be of a version that is not served any more. */
  #kindOfObject({ apiVersion, kind }: KubeObject): ServedKind {
    const served = this.kinds.defined(groupOf(apiVersion), versionOf(apiVersion), kind);
    if (!served) throw internalError(`the server does not serve ${kind} in ${apiVersion}`);
    return served;
  }
}

function addressOf({ metadata: { namespace, name } }: KubeObject, kind: ServedKind) {
  return kind.namespaced && namespace !== undefined ? { namespace, name } : { name };
}
