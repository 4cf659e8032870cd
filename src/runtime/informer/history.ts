import { ForbiddenError, InvalidError } from '../../client/api-error.js';
import type { Cluster, ObjectList } from '../../client/cluster.js';
import type { ApiResource } from '../../kube/api-resource.js';
import { withName } from '../../kube/field-selector.js';
import type { KubeObject } from '../../kube/manifest.js';
import { splitKey } from '../queue/queue-key.js';
import type { ListSelection } from './list-selection.js';
import type { NewestVersion } from './newest-version.js';
import { compareVersions, latest, type Store } from './store.js';

/** How often in a row it has to be refused to list who was allowed to, until that is believed: a server that only starts refuses everybody. */
const mostRefused = 3;

export interface HistoryOptions {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly resource: ApiResource;
  /** What of the kind is watched. */
  readonly selection: ListSelection;
  readonly store: Pick<Store, 'latest' | 'versionOf'>;
  /** What all of the API server have in common. */
  readonly newest: NewestVersion;
}

/**
 * How new the API server is, by what it has shown of one kind: the version to watch on from, and whether it is still the history
 * that was seen.
 *
 * **Guarantees.** What is `past` is older than something that was seen already. A history is lost once, however often that is
 * noticed, and another one begins with the list that follows.
 */
export class History {
  /** To watch on from. Undefined: a list comes first. */
  #from: string | undefined;
  /** The latest version that was ever seen. Unlike the one to watch from it outlives a relist. */
  #newest = '';
  /** The latest version that a write was answered with, whether the watch has shown it or not. */
  #written = '';
  /** What was seen when it became known that there is something later. */
  #outdated: string | undefined;
  /** A stream broke or a list was of the past: the server that answers next may have another history than what was seen. */
  #isUncertain = false;
  /** What is listed next is of another history. */
  #isAnother = false;
  #losses = 0;
  /** It was answered before how new the server is. */
  #mayAsk = false;
  /** How often in a row that was refused. */
  #refusals = 0;

  constructor(private readonly options: HistoryOptions) {}

  get from(): string | undefined {
    return this.#from;
  }

  /** The latest version that was seen or written. */
  get newest(): string {
    return latest(this.#newest, this.#written);
  }

  /** True while it is to be asked before anything else is done. */
  get isUncertain(): boolean {
    return this.#isUncertain;
  }

  /** True from when the history was lost until the store has followed. */
  get isAnother(): boolean {
    return this.#isAnother;
  }

  /** How often the store has followed where the API server had lost what it had. */
  get losses(): number {
    return this.#losses;
  }

  /** True of what is later than all that the server has shown of this kind. */
  isNews(resourceVersion: string): boolean {
    return compareVersions(resourceVersion, this.#newest) > 0;
  }

  /**
   * The same of a bookmark. Where nobody has shown anything later, a version that is told again says that nothing has changed; where
   * the server has of others, there may be something later of this kind, too.
   */
  isBookmarkNews(resourceVersion: string): boolean {
    return this.isNews(resourceVersion) || !this.isNews(this.options.newest.value);
  }

  isPast(resourceVersion: string): boolean {
    return resourceVersion !== '' && compareVersions(resourceVersion, this.#newest) < 0;
  }

  /** A write was answered with this version. */
  wrote(version: string): void {
    this.#written = latest(this.#written, version);
    this.options.newest.saw(version);
  }

  /** There is something later than what was seen. */
  missed(): void {
    this.#outdated = this.#newest;
  }

  /** True while something was not seen that is known to be there. */
  get isOwed(): boolean {
    return compareVersions(this.#written, this.#newest) > 0 || this.#outdated === this.#newest;
  }

  /** The server showed a version, and this is where to go on from. */
  reached(resourceVersion: string): void {
    this.#newest = latest(this.#newest, resourceVersion);
    this.options.newest.saw(resourceVersion);
    this.#from = this.#newest;
  }

  /** There is nothing to watch on from any more: a list comes next. */
  relist(): void {
    this.#from = undefined;
  }

  /** Whether it is still the same history is to be asked. Before the first list there was none. */
  doubt(): void {
    if (this.#from !== undefined) this.#isUncertain = true;
  }

  /** The next list will tell. */
  trust(): void {
    this.#isUncertain = false;
  }

  /**
   * A server that lags behind shows the past: taking it in would undo deletions and bring back what is gone. Whether it is
   * only that is asked next.
   */
  refusePast(resourceVersion: string): void {
    if (!this.isPast(resourceVersion)) return;
    this.#isUncertain = true;
    throw new Error(`the list is of version ${resourceVersion}, and version ${this.#newest} was seen already`);
  }

  /** What was seen and written says nothing any more, and a list comes next. */
  lose(): void {
    this.#from = undefined;
    this.#newest = this.#written = '';
    this.options.newest.lose();
    this.#isAnother = true;
  }

  /** The store holds what was listed. */
  followed(): void {
    if (this.#isAnother) this.#losses++;
    this.#isAnother = false;
  }

  /**
   * Asks the server how new what it knows is, by a consistent list, which is of the past nowhere: https://kep.k8s.io/2340
   * Resolves with the version that it has where that is of another history, and with nothing where all is well.
   *
   * It may know less than was seen, since its etcd was restored from a backup. To watch on from a version that it has not got
   * to yet it allows without a word, leaves out all that comes before, and goes on as if nothing had been. Where it has got
   * further by now, it is asked for what was seen last: unless its history is another, it has no other state of it from before the
   * version at which the watch is.
   *
   * And where etcd does not tell of its progress every few seconds, a kind stays at the version of its last change, and there
   * are no bookmarks of the version at which a watch began: one of a quiet kind would be silent for ever. A list like this
   * makes one of 1.31 or later ask.
   */
  async ask(signal: AbortSignal): Promise<string | undefined> {
    // What is written meanwhile may be later than what the answer is of.
    const writtenBefore = this.#written;
    const { items, resourceVersion } = await this.#list(signal);
    this.#isUncertain = false;
    const isBehind = resourceVersion !== '' && compareVersions(resourceVersion, writtenBefore) < 0;
    const isOther = isBehind || this.isPast(resourceVersion) || items.some((object) => this.#hasMissed(object));
    return isOther ? resourceVersion : undefined;
  }

  /** Whether the server has something later than what the watch has shown by now, or another history. Asks it, likewise. */
  async isBehind(signal: AbortSignal): Promise<boolean> {
    const before = this.#newest;
    const { resourceVersion } = await this.#list(signal);
    if (resourceVersion === '') return false;
    return this.isNews(resourceVersion) || compareVersions(resourceVersion, before) < 0;
  }

  async #list(signal: AbortSignal): Promise<ObjectList> {
    const { cluster, resource, selection, store } = this.options;
    try {
      const answer = await cluster.list(resource, { ...onlyNamed(store.latest()), ...selection, signal });
      this.#mayAsk = true;
      this.#refusals = 0;
      return answer;
    } catch (error) {
      // Who may watch and not list, or asks a server that selects nothing, has to do without.
      const isRefused = error instanceof ForbiddenError && (!this.#mayAsk || ++this.#refusals >= mostRefused);
      if (!isRefused && !(error instanceof InvalidError)) throw error;
      return { items: [], resourceVersion: '' };
    }
  }

  /** True of what the watch would have shown before it got to where it is. */
  #hasMissed(object: KubeObject): boolean {
    const { resourceVersion } = object.metadata;
    const isOfBefore = compareVersions(resourceVersion, this.#from ?? '') <= 0;
    return isOfBefore && this.options.store.versionOf(object) !== resourceVersion;
  }
}

/** A list of one name, which need not be there. */
function onlyNamed(key: string | undefined): Pick<ListSelection, 'namespace' | 'fieldSelector'> {
  const [namespace, name] = key === undefined ? [undefined, 'none'] : splitKey(key);
  return { fieldSelector: withName(name), ...(namespace === undefined ? {} : { namespace }) };
}
