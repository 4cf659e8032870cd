import type { Cluster } from '../client/cluster.js';
import type { Step } from '../drift/plan.js';
import type { ApiResource, KindName } from '../kube/api-resource.js';
import { asError } from '../kube/errors.js';
import { withName } from '../kube/field-selector.js';
import type { KubeObject } from '../kube/manifest.js';
import { type ObjectRef, refOf, show } from '../kube/object-ref.js';
import { missingOf } from './children/drift-message.js';
import { inTheWayOf } from './children/rival.js';
import type { Conclusions } from './conclusions.js';
import { type Confirmation, LateStoreError, vouchedInputs } from './confirmation.js';
import { compareVersions } from './informer/store.js';
import type { WatchedKind } from './informer/watched-kind.js';
import { statusOf } from './status/own-status.js';
import type { Verdict } from './status/status.js';
import type { Executed } from './writes/execute.js';
import type { OwnWrites } from './writes/own-writes.js';

export interface LatenessOptions {
  readonly cluster: Cluster;
  readonly writes: OwnWrites;
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  /** The kind of a child among those that the operator owns. */
  readonly resourceOf: (child: KindName) => ApiResource;
  readonly conclusions: Pick<Conclusions, 'unsaid'>;
}

/** What a round is about to say of `cr`, and what that follows from. */
export interface Saying {
  readonly key: string;
  readonly cr: KubeObject;
  readonly verdict: Verdict;
  readonly author: Readonly<Record<string, unknown>> | undefined;
  readonly children: Iterable<KubeObject>;
  readonly steps: readonly Step[];
  readonly executed: readonly Executed[];
}

/** What has the name of a child in its store: the metadata of an object, or nothing. */
interface Looked {
  readonly ref: ObjectRef;
  readonly seen: KubeObject['metadata'] | undefined;
}

/** Of the children of one custom resource: a server may let each wait for a tenth of a second, and others have calls to make, too. */
const mostAtOnce = 8;

/**
 * Before a process says something else of a custom resource for the first time: whoever led before may have said what is there by
 * something newer than its stores have, which may be late without knowing. From there a store only goes forward.
 */
export class Lateness {
  /** By kind, as of which version the API server was asked for one of it first. A store that has seen that is late for nobody. */
  readonly #asked = new Map<WatchedKind, string>();

  constructor(private readonly options: LatenessOptions) {}

  /** True from when nothing that is said by the stores of what has `key` can be older than what others said of it. */
  isOver(key: string): boolean {
    const { writes } = this.options;
    return writes.areChildrenVouched(key) && writes.areInputsVouched(key);
  }

  /** Why it is not to be said yet; undefined where it may be. `confirmation` is for inputs. */
  async of(saying: Saying, confirmation: Confirmation | undefined, signal: AbortSignal): Promise<Error | undefined> {
    if (saying.verdict.type === 'ending') return undefined;
    return this.#vouched(saying, confirmation, signal).then(() => undefined, asError);
  }

  async #vouched(
    { key, cr, verdict, author, children, steps, executed }: Saying,
    confirmation: Confirmation | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { writes, conclusions } = this.options;
    if (this.isOver(key)) return;
    const there = [...children, ...inTheWayOf(steps)].map(lookedAt);
    const looked = [...there, ...missingOf(steps).map((ref) => ({ ref, seen: undefined }))];
    // Before anything is waited for: what the stores show by then is not what was looked at.
    const doubtful = this.#doubtful(looked, executed);
    const isUnsaid = conclusions.unsaid(cr, verdict, author) !== undefined;
    // That one is missing, or what is composed of it is refused, is of it as well.
    if (isUnsaid && confirmation) await vouchedInputs(key, writes, confirmation);
    if (writes.areChildrenVouched(key)) return;
    // Of one of which nobody has said anything yet nothing newer was said.
    if (statusOf(cr)['observedGeneration'] === undefined) writes.vouchChildren(key);
    else if (isUnsaid) {
      let isLate = false;
      for (let next = 0; next < doubtful.length; next += mostAtOnce) {
        const some = doubtful.slice(next, next + mostAtOnce);
        const areKnown = await Promise.all(some.map((child) => this.#isKnown(key, child, signal)));
        isLate ||= areKnown.includes(false);
      }
      // Of one that could not be made nobody knows whether it is there.
      if (isLate || !executed.some(({ error }) => error)) writes.vouchChildren(key);
      if (isLate) throw new LateStoreError(`a child of ${show(refOf(cr))}`);
    }
  }

  #doubtful(looked: readonly Looked[], executed: readonly Executed[]): readonly Looked[] {
    const answered = new Set(executed.flatMap(({ object }) => object?.metadata.uid ?? []));
    return looked.filter(({ ref, seen }) => {
      const kind = this.#kindOf(ref);
      const asOf = this.#asked.get(kind);
      const isSeen = asOf !== undefined && kind.hasSeen(ref.namespace, asOf);
      return !isSeen && !(seen && answered.has(seen.uid));
    });
  }

  /**
   * Whether the API server has it as it was looked at. What it has that is newer is waited for as an own write is, so that of what
   * changes all the time nobody is asked twice. Throws a `LateStoreError` where it has none.
   */
  async #isKnown(key: string, { ref, seen }: Looked, signal: AbortSignal): Promise<boolean> {
    const { cluster, writes } = this.options;
    const { namespace, name } = ref;
    const kind = this.#kindOf(ref);
    const scope = namespace === undefined ? {} : { namespace };
    // A list of one, since an install has no right to `get` what it watches.
    const list = await kind.live(cluster, { ...scope, fieldSelector: withName(name) }, signal);
    if (!this.#asked.has(kind) && list.resourceVersion !== '') this.#asked.set(kind, list.resourceVersion);
    const [now] = list.items;
    if (!now && seen) throw new LateStoreError(show(ref));
    if (!now) return true;
    if (seen?.uid === now.metadata.uid && compareVersions(seen.resourceVersion, now.metadata.resourceVersion) >= 0)
      return true;
    writes.wrote(key, kind, now);
    return false;
  }

  #kindOf(child: KindName): WatchedKind {
    return this.options.kindOf(this.options.resourceOf(child));
  }
}

function lookedAt(object: KubeObject): Looked {
  return { ref: refOf(object), seen: object.metadata };
}
