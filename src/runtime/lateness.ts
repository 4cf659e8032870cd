import type { Cluster } from '../client/cluster.js';
import type { ApiResource, KindName } from '../kube/api-resource.js';
import { asError } from '../kube/errors.js';
import { withName } from '../kube/field-selector.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import type { Conclusions } from './conclusions.js';
import { type Confirmation, LateStoreError, vouchedInputs } from './confirmation.js';
import { compareVersions } from './informer/store.js';
import type { WatchedKind } from './informer/watched-kind.js';
import { isStale } from './outcome.js';
import { saysAlready, statusOf } from './status/own-status.js';
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
  readonly executed: readonly Executed[];
}

/**
 * Before a process says something else of a custom resource for the first time: whoever led before may have said what is there by
 * something newer than its stores have, which may be late without knowing. From there a store only goes forward.
 */
export class Lateness {
  constructor(private readonly options: LatenessOptions) {}

  /** Why it is not to be said yet; undefined where it may be. */
  async of(saying: Saying, confirmation: Confirmation, signal: AbortSignal): Promise<Error | undefined> {
    const { verdict } = saying;
    // What follows from what is known to be late is not said anyway, and what is late may lack a child.
    if (verdict.type === 'ending' || (verdict.type === 'failed' && isStale(verdict.error))) return undefined;
    return this.#asked(saying, confirmation, signal).then(() => undefined, asError);
  }

  async #asked(
    { key, cr, verdict, author, ...rest }: Saying,
    confirmation: Confirmation,
    signal: AbortSignal,
  ): Promise<void> {
    const { writes, conclusions } = this.options;
    if (author && !writes.areInputsVouched(key) && !saysAlready(cr, author))
      await vouchedInputs(key, writes, confirmation);
    if (writes.areChildrenVouched(key)) return;
    // Of one of which nobody has said anything yet nothing newer was said.
    if (statusOf(cr)['observedGeneration'] === undefined) writes.vouchChildren(key);
    else if (conclusions.unsaid(cr, verdict, author)) await this.#children(key, cr, rest, signal);
  }

  /**
   * Throws a `LateStoreError` unless the API server has the children as they were looked at. What it has that is newer is waited for as
   * an own write is, so that of what changes all the time nobody is asked twice.
   */
  async #children(
    key: string,
    cr: KubeObject,
    { children, executed }: Pick<Saying, 'children' | 'executed'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { cluster, writes, kindOf, resourceOf } = this.options;
    const answered = new Set(executed.flatMap(({ object }) => object?.metadata.uid ?? []));
    let areKnown = true;
    for (const child of children) {
      const { uid, namespace, name, resourceVersion } = child.metadata;
      if (answered.has(uid)) continue;
      const kind = kindOf(resourceOf(child));
      // A list of one, since an install has no right to `get` what it watches.
      const scope = namespace === undefined ? {} : { namespace };
      const [now] = (await kind.live(cluster, { ...scope, fieldSelector: withName(name) }, signal)).items;
      if (!now) throw new LateStoreError(show(refOf(child)));
      if (now.metadata.uid === uid && compareVersions(resourceVersion, now.metadata.resourceVersion) >= 0) continue;
      areKnown = false;
      writes.wrote(key, kind, now);
    }
    // Of one that could not be made nobody knows whether it is there.
    if (!areKnown || !executed.some(({ error }) => error)) writes.vouchChildren(key);
    if (!areKnown) throw new LateStoreError(`a child of ${show(refOf(cr))}`);
  }
}
