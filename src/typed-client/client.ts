import { NotFoundError } from '../client/api-error.js';
import type { Cluster, Target } from '../client/cluster.js';
import { listAll } from '../client/list-all.js';
import { type Clock, type Random, systemClock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import { labelSelector } from '../kube/label-selector.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { plainData } from '../resource/plain-data.js';
import { labelProblems } from '../runtime/informer/label-problems.js';
import { forMany } from '../runtime/process/for-many.js';
import type { KindClass, ObjectOf, WrittenOf } from './kind-class.js';
import { KindInformer } from './kind-informer.js';
import type { Scale, ScaleChange } from './scale.js';

/** As whom a client writes, and where it looks. */
export interface ClientOptions {
  /** Who owns the fields that are applied: https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
  readonly manager: string;
  /** Where objects are when a call names no namespace; the connection's own if not given. */
  readonly namespace?: string;
  /** Time, for waits and for what an informer watches. Default: the machine's. */
  readonly clock?: Clock;
  /** From 0 up to 1, for jitter. Default: the machine's. */
  readonly random?: Random;
}

interface In {
  /** Absent: that of the client. */
  readonly namespace?: string;
  readonly signal?: AbortSignal;
}

interface Selected {
  /** Absent: that of the client. */
  readonly namespace?: string;
  /** True: in all namespaces, whatever `namespace` says. */
  readonly all?: boolean;
  /** Only objects that have all of these. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a watch says. */
export interface KindChange<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

/** The parts of an object that are to be changed. */
type Partly<T> = { readonly [Name in keyof T]?: Partly<T[Name]> | null };

/**
 * Asks for objects of one kind. A call that fails throws an `ApiError`, by its class what a caller does about it; one that cannot
 * be sent an `OperatorError`; one that is aborted the reason of its `signal`.
 */
export interface KindClient<T, W> {
  /** Throws `NotFoundError` where there is none. */
  get(name: string, where?: In): Promise<T>;
  /** Undefined where there is none. */
  find(name: string, where?: In): Promise<T | undefined>;
  /** All of them, however many: they are asked for in pages, as by client-go's pager. */
  list(which?: Selected & { readonly signal?: AbortSignal }): Promise<readonly T[]>;
  /**
   * Server-side apply: makes `object`, or brings what it says to an object that there is. What others set to something else is
   * theirs, and a `FieldConflict` is thrown, unless `force` takes it over.
   */
  apply(object: W, options?: In & { readonly force?: boolean }): Promise<T>;
  /** Sets how many replicas there shall be, of a kind that has a scale. */
  patch(name: string, change: ScaleChange, options: In & { readonly subresource: 'scale' }): Promise<Scale>;
  /** A merge patch: null takes a field away. */
  patch(name: string, change: Partly<T>, options?: In & { readonly subresource?: 'status' }): Promise<T>;
  /** Resolves when the deletion was accepted; finalizers may keep the object. With `uid` that very object alone. */
  delete(name: string, options?: In & { readonly uid?: string }): Promise<void>;
  /**
   * Those that there are, as added, and every change from then on, until the server ends the stream or it breaks. For a view that
   * outlives that, there is `informer`.
   */
  watch(which?: Selected & { readonly signal?: AbortSignal }): AsyncIterable<KindChange<T>>;
  /**
   * Keeps what `which` selects in memory once it is started. `lister.get(name)` without a namespace looks in that of `which`; where
   * that is `all`, in that of the client.
   */
  informer(which?: Selected): KindInformer<T>;
}

/**
 * A typed client: `client(Memcached, await connect(process.env), { manager: 'my-program' })`.
 *
 * Throws `OperatorError` where no `manager` is named, as where no compiler asks for one.
 */
export function client<K extends KindClass>(
  kind: K,
  connection: Cluster & { readonly namespace?: string },
  options: ClientOptions,
): KindClient<ObjectOf<K>, WrittenOf<K>> {
  const {
    manager,
    namespace: usual,
    clock = systemClock,
    random = Math.random,
  }: Partial<ClientOptions> = options ?? {};
  if (typeof manager !== 'string' || manager === '') {
    throw new OperatorError(`a client of ${kind.kind} has no manager, whose the fields are that it applies`, {
      hint: `name your program: client(${kind.kind}, connection, { manager: 'my-program' })`,
    });
  }
  type T = ObjectOf<K>;
  const { apiVersion, plural, namespaced } = kind;
  const resource = { apiVersion, kind: kind.kind, plural, namespaced };
  const home = usual ?? connection.namespace ?? 'default';
  const targetOf = (name: string, namespace = home): Target => (namespaced ? { namespace, name } : { name });
  const typed = (object: KubeObject) => object as unknown as T;
  const signalOf = ({ signal }: { readonly signal?: AbortSignal }) => (signal ? { signal: forMany(signal) } : {});
  const selection = ({ namespace = home, all = false, labels = {} }: Selected) => {
    const selector = selectorOf(labels);
    return {
      ...(namespaced && !all ? { namespace } : {}),
      ...(selector === '' ? {} : { labelSelector: selector }),
    };
  };

  const made: KindClient<T, WrittenOf<K>> = {
    async get(name, where = {}) {
      return typed(await connection.get(resource, targetOf(name, where.namespace), signalOf(where)));
    },
    async find(name, where) {
      try {
        return await made.get(name, where);
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
    async list(which = {}) {
      let found: T[] = [];
      await listAll(connection, resource, { ...selection(which), ...signalOf(which) }, () => {
        found = [];
        return (object) => found.push(typed(object));
      });
      return found;
    },
    async apply(object, { force = false, ...where } = {}) {
      const { metadata: given, ...rest } = plainData(object, kind.kind) as unknown as Manifest;
      const metadata: Partial<Manifest['metadata']> = given ?? {};
      const target = targetOf(metadata.name as string, where.namespace ?? metadata.namespace);
      const manifest = { ...rest, apiVersion, kind: kind.kind, metadata: { ...metadata, ...target } };
      const write = { fieldManager: manager, fieldValidation: 'Strict', force, ...signalOf(where) } as const;
      return typed(await connection.apply(resource, manifest, write));
    },
    async patch<Answer>(
      name: string,
      change: unknown,
      { subresource, ...where }: In & { readonly subresource?: 'status' | 'scale' } = {},
    ) {
      const target = targetOf(name, where.namespace);
      const write = { fieldManager: manager, fieldValidation: 'Strict', ...signalOf(where) } as const;
      // JSON has null for what is no number, which would take the field away.
      const body = plainData(change, show({ kind: kind.kind, ...target }));
      const options = { ...write, ...(subresource ? { subresource } : {}) };
      return (await connection.patch(resource, target, { type: 'merge', body }, options)) as unknown as Answer;
    },
    async delete(name, { uid, ...where } = {}) {
      const target = targetOf(name, where.namespace);
      await connection.delete(resource, target, { ...signalOf(where), ...(uid === undefined ? {} : { uid }) });
    },
    async *watch(which = {}) {
      for await (const event of connection.watch(resource, { ...selection(which), ...signalOf(which) })) {
        if (event.type !== 'BOOKMARK') yield { type: event.type, object: typed(event.object) };
      }
    },
    informer(which = {}) {
      const { namespace: usualNamespace } = selection({ ...which, all: false });
      return new KindInformer<T>({
        ...selection(which),
        ...(usualNamespace === undefined ? {} : { usualNamespace }),
        cluster: connection,
        resource,
        clock,
        random,
      });
    },
  };
  return made;
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  for (const [key, value] of Object.entries(labels)) {
    const [problem] = labelProblems([key, value]);
    if (problem === undefined) continue;
    throw new OperatorError(
      `${JSON.stringify(key)}: ${JSON.stringify(value)} is no label that could be selected: ${problem}`,
    );
  }
  return labelSelector(labels);
}
