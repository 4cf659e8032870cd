import type { Patch } from '../client/cluster.js';
import type { Json, KubeObject } from '../kube/manifest.js';
import type { Attributes, Engine } from './engine.js';
import type { ServedKind } from './kinds/served-kind.js';
import { methodNotAllowed } from './status-error.js';
import { bind } from './verbs/bind.js';
import { checkSubresource } from './verbs/check-subresource.js';
import { create } from './verbs/create.js';
import { type Deletion, remove, removeCollection } from './verbs/delete.js';
import { finalize } from './verbs/finalize.js';
import { get } from './verbs/get.js';
import { list } from './verbs/list.js';
import { patch } from './verbs/patch.js';
import { patchScale, updateScale } from './verbs/scale.js';
import { soughtName } from './verbs/selection.js';
import { update } from './verbs/update.js';
import { watch } from './verbs/watch.js';
import { warned } from './verbs/writing.js';

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
  /** What strict field validation refuses in the text of the body, such as a field that stands twice in it. */
  readonly strictProblems?: readonly string[];
  /** The body as it stood there, for refusals that show it. Absent: as it would be written. */
  readonly text?: string;
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
  /** It let go of the last finalizer of an object that was to be deleted, which is answered as it came. */
  readonly isGone?: true;
  readonly warnings: readonly string[];
}

export interface Deleted {
  /** The object while it lives on by a finalizer or its grace period; its last state otherwise. */
  readonly object: KubeObject;
  readonly isGone: boolean;
  /** Instead of the object stands what every object of the kind holds, which is answered as it is. */
  readonly isBlank?: true;
  readonly warnings: readonly string[];
}

/** An apply is a patch whose body is a partial object. */
export type PatchRequest = Patch | { readonly type: 'apply'; readonly body: Json };

/** A patch as text, which is not read before there is something to patch. */
export interface UnreadPatch {
  readonly isApply: boolean;
  /** Throws a `StatusError` (400) for what is no patch. */
  read(): {
    readonly patch: PatchRequest;
    /** What of the text strict field validation refuses, before any schema is asked. */
    readonly strict: readonly string[];
  };
}

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
    request: ReadRequest & { readonly subresource?: 'status' | 'scale'; readonly resourceVersion?: string },
  ): KubeObject;
  list(kind: ServedKind, selection: Selection, request: ReadRequest): Listed;
  watch(kind: ServedKind, selection: Selection, request: ReadRequest): AsyncIterable<Event>;
  create(kind: ServedKind, namespace: string | undefined, body: Json, request: WriteRequest): Written;
  update(kind: ServedKind, address: Address, body: Json, request: WriteRequest): Written;
  patch(kind: ServedKind, address: Address, patch: PatchRequest | UnreadPatch, request: WriteRequest): Written;
  delete(kind: ServedKind, address: Address, options: Deletion, request: ReadRequest): Deleted;
  deleteCollection(
    kind: ServedKind,
    selection: Selection,
    options: Deletion,
    request: ReadRequest,
  ): Listed & { readonly warnings: readonly string[] };
}

/** The verbs over one engine. Each asks first whether the caller may. A refusal carries what there was to warn of. */
export class ApiServer implements Verbs {
  constructor(readonly engine: Engine) {}

  get(kind: ServedKind, address: Address, request: Parameters<Verbs['get']>[2]): KubeObject {
    const { caller, subresource, resourceVersion } = request;
    this.#authorize('get', kind, caller, { ...placeOf(kind, address), ...(subresource && { subresource }) });
    checkSubresource(kind, subresource, address.name);
    return get(this.engine, kind, address, subresource, resourceVersion);
  }

  list(kind: ServedKind, selection: Selection, { caller }: ReadRequest): Listed {
    this.#authorize('list', kind, caller, soughtIn(selection));
    return list(this.engine, kind, selection);
  }

  watch(kind: ServedKind, selection: Selection, { caller }: ReadRequest): AsyncIterable<Event> {
    this.#authorize('watch', kind, caller, soughtIn(selection));
    return watch(this.engine, kind, selection);
  }

  create(kind: ServedKind, namespace: string | undefined, body: Json, request: WriteRequest): Written {
    const { subresource } = request;
    this.#authorize('create', kind, request.caller, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(subresource && { subresource }),
    });
    checkSubresource(kind, subresource, '');
    return warned(request, (writing) =>
      subresource === 'binding'
        ? bind(this.engine, kind, namespace, body, writing)
        : shown(kind, create(this.engine, kind, namespace, body, writing)),
    );
  }

  update(kind: ServedKind, address: Address, body: Json, request: WriteRequest): Written {
    const { subresource } = request;
    this.#authorize('update', kind, request.caller, { ...placeOf(kind, address), ...(subresource && { subresource }) });
    checkSubresource(kind, subresource, address.name);
    const act = subresource === 'scale' ? updateScale : subresource === 'finalize' ? finalize : update;
    return warned(request, (writing) => answered(kind, subresource, act(this.engine, kind, address, body, writing)));
  }

  patch(kind: ServedKind, address: Address, body: PatchRequest | UnreadPatch, request: WriteRequest): Written {
    const { subresource } = request;
    this.#authorize('patch', kind, request.caller, { ...placeOf(kind, address), ...(subresource && { subresource }) });
    checkSubresource(kind, subresource, address.name);
    const act = subresource === 'scale' ? patchScale : patch;
    return warned(request, (writing) => answered(kind, subresource, act(this.engine, kind, address, body, writing)));
  }

  delete(kind: ServedKind, address: Address, options: Deletion, { caller }: ReadRequest): Deleted {
    this.#authorize('delete', kind, caller, placeOf(kind, address));
    return warned({ caller }, ({ warnings }) => {
      const deleted = remove(this.engine, kind, address, options, warnings);
      return deleted.isGone && !deleted.isBlank ? shown(kind, deleted) : deleted;
    });
  }

  deleteCollection(
    kind: ServedKind,
    selection: Selection,
    options: Deletion,
    { caller }: ReadRequest,
  ): ReturnType<Verbs['deleteCollection']> {
    this.#authorize('deletecollection', kind, caller, scopeOf(selection));
    return warned({ caller }, ({ warnings }) => removeCollection(this.engine, kind, selection, options, warnings));
  }

  #authorize(
    verb: string,
    kind: ServedKind,
    caller: Caller,
    target: Pick<Attributes, 'name' | 'namespace' | 'subresource'>,
  ): void {
    const { group, version, plural: resource } = kind;
    this.engine.authorize(caller, { verb, group, version, resource, ...target });
    if (!kind.verbs.includes(verb)) throw methodNotAllowed();
  }
}

/** What a write of the object itself answers is shown, unless it ended it; a subresource shows what it keeps. */
function answered(kind: ServedKind, subresource: string | undefined, written: Written): Written {
  return subresource === undefined && !written.isGone ? shown(kind, written) : written;
}

function shown<T extends { readonly object: KubeObject }>({ rules }: ServedKind, answer: T): T {
  return rules.show ? { ...answer, object: rules.show(answer.object) } : answer;
}

/** A list by one name takes no right to any other. */
function soughtIn(selection: Selection): Pick<Attributes, 'name' | 'namespace'> {
  const name = soughtName(selection);
  return { ...scopeOf(selection), ...(name === undefined ? {} : { name }) };
}

/** A namespace is in itself: who has rights there has them over it. */
export function placeOf(
  { plural }: Pick<ServedKind, 'plural'>,
  address: Address,
): Pick<Attributes, 'name' | 'namespace'> {
  return plural === 'namespaces' ? { ...address, namespace: address.name } : { ...address };
}

function scopeOf({ namespace }: Selection): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
