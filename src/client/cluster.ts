import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';

/**
 * A Kubernetes API, as the controller needs it: over HTTP (`HttpCluster`) or in this process (`EmbeddedCluster`).
 *
 * **Guarantees.** Every failure is one of the classes of `api-error.ts`, by what a caller does about it. A call whose
 * `signal` aborts or whose deadline passes rejects, and nothing of it is sent afterwards. Objects are returned as the
 * server sent them; callers must not change them.
 */
export interface Cluster {
  get(resource: ApiResource, target: Target, options?: CallOptions): Promise<KubeObject>;
  list(resource: ApiResource, options?: ListOptions): Promise<ObjectList>;
  /**
   * Events from `resourceVersion` on. The stream ends when the server closes it, and throws when it breaks: `GoneError`
   * when the version is too old, `TransportError` when the connection fails or a line cannot be parsed, and the reason of
   * `signal` when that aborts.
   */
  watch(resource: ApiResource, options: WatchOptions): AsyncIterable<WatchEvent>;
  /** Creates, or rejects with `AlreadyExistsError`: it never touches an object of someone else. */
  create(resource: ApiResource, manifest: Manifest, options: WriteOptions): Promise<KubeObject>;
  /** Replaces an object that was read, or rejects with `ConflictError` when it has moved on since. */
  update(resource: ApiResource, object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  /** Server-side apply. An upsert: whoever must not take over an object of someone else has to look first. */
  apply(resource: ApiResource, manifest: Manifest, options: ApplyOptions): Promise<KubeObject>;
  patch(resource: ApiResource, target: Target, patch: Patch, options: WriteOptions): Promise<KubeObject>;
  /** Resolves when the server accepted the deletion; finalizers may keep the object for longer. */
  delete(resource: ApiResource, target: Target, options?: DeleteOptions): Promise<void>;
}

/** One object of a kind. `namespace` is needed exactly when the kind is namespaced. */
export interface Target {
  readonly namespace?: string;
  readonly name: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * How long the whole call may take, retries included. Absent: half a minute, and of a read half a minute in which nothing
   * comes of its answer, and two minutes in all.
   */
  readonly timeoutSeconds?: number;
  /**
   * When the call has to be over, in milliseconds of the monotonic clock, whatever `timeoutSeconds` says: the process may be stopped
   * between when its caller reckons how long it may take and when that time begins.
   */
  readonly until?: number;
}

export interface ListOptions extends CallOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Present when the list goes on: hand it to the next call. */
  readonly continue?: string;
}

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  /** Streaming list: https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists */
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** When the server closes the stream of its own accord. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  /** Told of each part that comes of an event which is not whole yet: a large one takes minutes on a slow link. */
  readonly partly?: () => void;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WriteOptions extends CallOptions {
  readonly fieldManager: string;
  /** What becomes of unknown fields. An apply refuses them whatever this says, so that over HTTP it is not asked for there. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly dryRun?: boolean;
  /** Told of what the server warns of beside its answer, in its own words, which may quote values of the object. */
  readonly warned?: (warnings: readonly string[]) => void;
  readonly subresource?: 'status' | 'scale';
}

export interface ApplyOptions extends WriteOptions {
  /** True takes fields over from other managers; false throws `FieldConflict`. */
  readonly force: boolean;
}

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown };

/** https://www.rfc-editor.org/rfc/rfc6902 */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface DeleteOptions extends CallOptions {
  /** Deletes only this very object, not a later one of the same name. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}
