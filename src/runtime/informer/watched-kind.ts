import type { Cluster, ObjectList } from '../../client/cluster.js';
import { listAll } from '../../client/list-all.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Selector } from './facets.js';
import { Informer, type InformerOptions } from './informer.js';
import type { ListSelection } from './list-selection.js';
import { type Change, compareVersions, latest } from './store.js';

export type WatchedKindOptions = Omit<InformerOptions, 'namespace'> & {
  /** Absent: all namespaces, by one watch. */
  readonly namespaces?: readonly string[] | undefined;
};

/** One kind in the namespaces that are watched: as many informers as it takes, seen as one. */
export class WatchedKind {
  readonly resource: ApiResource;
  readonly informers: readonly Informer[];
  readonly #informers: ReadonlyMap<string | undefined, Informer>;
  readonly #clock: Clock;

  constructor({ namespaces, ...options }: WatchedKindOptions) {
    this.resource = options.resource;
    this.#clock = options.clock;
    const scopes = options.resource.namespaced && namespaces && namespaces.length > 0 ? namespaces : [undefined];
    this.#informers = new Map(scopes.map((namespace) => [namespace, new Informer({ ...options, namespace })]));
    this.informers = [...this.#informers.values()];
  }

  /** True once each store has held a complete list. */
  get isSynced(): boolean {
    return this.informers.every(({ isSynced }) => isSynced);
  }

  /** False while the API server does not know the kind. */
  get isServed(): boolean {
    return this.informers.every(({ isServed }) => isServed);
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#informer(namespace)?.store.get(namespace, name);
  }

  /** Those that have a watch of their own; `undefined` stands for all of them, or for no namespace at all. */
  get namespaces(): readonly (string | undefined)[] {
    return [...this.#informers.keys()];
  }

  /** Of all objects that the watch of `namespace` shows, without looking at them. */
  *keys(namespace: string | undefined): Generator<string> {
    yield* this.#informer(namespace)?.store.keys() ?? [];
  }

  /** In no order. */
  list(selector: Selector = {}): KubeObject[] {
    if (selector.namespace === undefined) return this.informers.flatMap(({ store }) => store.list(selector));
    return this.#informer(selector.namespace)?.store.list(selector) ?? [];
  }

  /** Somebody will ask by namespaces and labels. */
  announceSelectors(): void {
    for (const { store } of this.informers) store.announceSelectors();
  }

  /**
   * What the API server has now of what is watched, each object at some moment of the call, and none of them later than the version
   * that comes with them. Not from a store, so that nobody is fooled by a watch that is late.
   */
  async live(cluster: Pick<Cluster, 'list'>, selection: ListSelection, signal: AbortSignal): Promise<ObjectList> {
    const scopes = selection.namespace === undefined ? [...this.#informers.keys()] : [selection.namespace];
    const items: KubeObject[] = [];
    let resourceVersion = '';
    for (const namespace of scopes) {
      const before = items.length;
      const scope = { ...selection, ...(namespace === undefined ? {} : { namespace }), signal, isMixed: true };
      const version = await listAll(
        cluster,
        this.resource,
        scope,
        () => {
          items.length = before;
          return (object) => items.push(object);
        },
        this.#clock,
      );
      resourceVersion = latest(resourceVersion, version);
    }
    return { items, resourceVersion };
  }

  controlledBy(uid: string, namespace: string | undefined): KubeObject[] {
    return this.informers.flatMap(({ store }) => store.controlledBy(uid, namespace));
  }

  /** A write in `namespace` was answered with this version. */
  wrote(namespace: string | undefined, version: string): void {
    this.#informer(namespace)?.wrote(version);
  }

  /** The API server has something later in `namespace` than the store had. */
  missed(namespace: string | undefined): void {
    this.#informer(namespace)?.missed();
  }

  /** How often the store has followed there where the API server had lost what it had: versions of before say nothing any more. */
  historiesIn(namespace: string | undefined): number {
    return this.#informer(namespace)?.histories ?? 0;
  }

  /** True when the store of `namespace` has seen `version`, or something later. */
  hasSeen(namespace: string | undefined, version: string): boolean {
    const informer = this.#informer(namespace);
    return informer === undefined || compareVersions(informer.version, version) >= 0;
  }

  /** What keeps the watch of `namespace` from showing anything, as far as is known. */
  troubleIn(namespace: string | undefined): Error | undefined {
    return this.#informer(namespace)?.trouble;
  }

  /** True when there is more in memory than there need be while nobody looks at anything. */
  get isUntidy(): boolean {
    return this.informers.some(({ store }) => store.isUntidy);
  }

  tidy(): void {
    for (const { store } of this.informers) store.tidy();
  }

  subscribe(listener: (change: Change) => void): void {
    for (const informer of this.informers) informer.subscribe(listener);
  }

  /** Calls `listener` when the API server begins or ceases to serve the kind. */
  subscribeServed(listener: () => void): void {
    for (const informer of this.informers) informer.subscribeServed(listener);
  }

  /** Calls `listener` when the API server ends a watch before its time, as it does when the definition of the kind changes. */
  onEndedEarly(listener: () => void): void {
    for (const informer of this.informers) informer.onEndedEarly(listener);
  }

  /** Calls `listener` after each list but the first of any of its informers. */
  onRelisted(listener: () => void): void {
    for (const informer of this.informers) informer.onRelisted(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.run(signal)));
  }

  /** Resolves once the store of `namespace` is filled, or the API server has said that it does not serve the kind. */
  async answered(namespace: string | undefined): Promise<void> {
    await this.#informer(namespace)?.answered();
  }

  #informer(namespace: string | undefined): Informer | undefined {
    return this.#informers.get(undefined) ?? this.#informers.get(namespace);
  }
}
