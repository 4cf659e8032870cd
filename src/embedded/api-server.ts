import type { DeleteOptions, Patch } from '../client/cluster.js';
import type { Json, KubeObject } from '../kube/manifest.js';
import type { ServedKind } from './kinds/served-kind.js';

/** Who asks: https://kubernetes.io/docs/reference/access-authn-authz/authentication/ */
export interface Caller {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ReadRequest {
  readonly caller: Caller;
}

export interface WriteRequest extends ReadRequest {
  /** Absent: what the server takes from the user agent. */
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly dryRun?: boolean;
  /**
   * `finalize` is taken by `update` of a Namespace, whose finalizers in its spec it alone may change; once there are none
   * left, a Namespace that is being deleted is gone. `binding` is taken by `create` with a Binding for a Pod as body, which
   * puts the Pod on a Node and answers the Pod.
   */
  readonly subresource?: 'status' | 'scale' | 'finalize' | 'binding';
  /** For server-side apply. */
  readonly force?: boolean;
}

export interface Address {
  readonly namespace?: string;
  readonly name: string;
}

/** What a list or a watch asks for, as in the query of a request. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface Listed {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** A Status for ERROR; with nothing but its resourceVersion for BOOKMARK. */
  readonly object: KubeObject;
}

/** What a write answers. `created` tells 201 from 200; warnings are for the `Warning` header. */
export interface Written {
  readonly object: KubeObject;
  readonly created: boolean;
  readonly warnings: readonly string[];
}

export interface Deleted {
  /** The object while it lives on by a finalizer or its grace period; its last state otherwise. */
  readonly object: KubeObject;
  readonly isGone: boolean;
}

/** An apply is a patch whose body is a partial object. */
export type PatchRequest = Patch | { readonly type: 'apply'; readonly body: Json };

/**
 * The verbs of a Kubernetes API over objects in memory: the one model behind both doors.
 *
 * **Guarantees.** Every refusal is a `StatusError` in the server's words. A call is atomic: it happens whole or not at all,
 * and no other call sees a part of it. Nothing that is handed in is kept, and nothing that is handed out can be changed.
 */
export interface Verbs {
  get(
    kind: ServedKind,
    address: Address,
    request: ReadRequest & { readonly subresource?: 'status' | 'scale' },
  ): KubeObject;
  list(kind: ServedKind, selection: Selection, request: ReadRequest): Listed;
  watch(kind: ServedKind, selection: Selection, request: ReadRequest): AsyncIterable<Event>;
  create(kind: ServedKind, namespace: string | undefined, body: Json, request: WriteRequest): Written;
  update(kind: ServedKind, address: Address, body: Json, request: WriteRequest): Written;
  patch(kind: ServedKind, address: Address, patch: PatchRequest, request: WriteRequest): Written;
  delete(
    kind: ServedKind,
    address: Address,
    options: DeleteOptions & { readonly dryRun?: boolean },
    request: ReadRequest,
  ): Deleted;
  deleteCollection(
    kind: ServedKind,
    selection: Selection,
    options: DeleteOptions & { readonly dryRun?: boolean },
    request: ReadRequest,
  ): Listed;
}
