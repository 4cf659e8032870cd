/** Longer than most files: all that becomes of what only an inventory tells of, from before it is made until it is gone. */
import { KindNotServedError } from '../../client/api-error.js';
import type { Cluster, ObjectList } from '../../client/cluster.js';
import type { Operator } from '../../compose/operator.js';
import type { OwnedKind } from '../../compose/owned-kind.js';
import { belongsTo, type Owner } from '../../drift/belonging.js';
import type { ChangeSetEntry } from '../../drift/change-set.js';
import { type Inventory, inventoryFor, inventoryOf, isSameInventory, united } from '../../drift/inventory.js';
import type { Step } from '../../drift/plan.js';
import { type ApiResource, groupOf, kindAmong, showInVersion } from '../../kube/api-resource.js';
import { beingDeleted } from '../../kube/being-deleted.js';
import type { Clock } from '../../kube/clock.js';
import { deletionPolicyOf } from '../../kube/deletion-policy.js';
import { OperatorError } from '../../kube/errors.js';
import { withName } from '../../kube/field-selector.js';
import type { KubeObject } from '../../kube/manifest.js';
import { keyOf, type ObjectRef, placeOf, refOf, show } from '../../kube/object-ref.js';
import { ownerInWords, ownerLabels } from '../../kube/owner-labels.js';
import { controllerOf } from '../../kube/owner-reference.js';
import { removalOf } from '../../kube/removal.js';
import { confirmAsked } from '../confirmation.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { splitKey } from '../queue/queue-key.js';
import { ofStatus } from '../status/status.js';
import { deleteAsSeen } from '../writes/delete-as-seen.js';
import { addFinalizer } from '../writes/finalizer.js';
import type { OwnWrites } from '../writes/own-writes.js';
import { farManifests, farRefs, nearRefs } from './far-manifests.js';
import { FarSightings } from './far-sightings.js';
import { release } from './release.js';

export interface FarChildrenOptions {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly custom: WatchedKind;
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  readonly writes: OwnWrites;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** How far the end of the far children has come. `waitsFor` is for people. */
export type FarEnd = { readonly type: 'ended' } | { readonly type: 'waiting'; readonly waitsFor: string };

/** Who a child belongs to, in the terms of `belongsTo`. */
export function ownerOf(cr: KubeObject): Owner {
  const { uid, name, namespace } = cr.metadata;
  const labelled = ownerInWords({ name, namespace }, groupOf(cr.apiVersion));
  return { uid, uidLabel: ownerLabels(cr).uid, names: [`${cr.kind}/${name}`, labelled] };
}

/**
 * The children that no owner reference reaches: in other namespaces, outside of any, and those that are to outlive their
 * owner. In its place they have labels, which anybody may write, and an inventory in the status, which nobody else may.
 *
 * **Guarantees.** A child is in the inventory before it is made, and until it is seen to be gone, so that whoever dies in
 * between leaves nothing that is not found. Only what is in the inventory and bears the owner's uid is ever deleted, and
 * only that very object.
 */
export class FarChildren {
  readonly #sightings = new FarSightings();

  constructor(private readonly options: FarChildrenOptions) {}

  /** The custom resources that an object concerns, which has changed or gone. */
  concernedBy(object: KubeObject): readonly string[] {
    const keys = this.#sightings.keysOf(object);
    for (const key of keys) {
      const cr = this.options.custom.get(...splitKey(key));
      if (cr) this.#sightings.saw(key, ownerOf(cr), object);
    }
    return keys;
  }

  /** The far children of `cr` that there are, in the order in which they were made. */
  of(key: string, cr: KubeObject): readonly KubeObject[] {
    const inventory = inventoryOf(cr);
    this.#sightings.track(key, inventory);
    return inventory
      .flatMap((ref) => this.#stored(key, cr, ref) ?? [])
      .filter((child) => belongsTo(ownerOf(cr), child));
  }

  /**
   * Makes sure, before the first of `steps`, that whatever they make is found again.
   *
   * Throws `InventoryError`, before anything is written, when they make more than can be kept track of.
   */
  async secure(key: string, cr: KubeObject, steps: readonly Step[], signal: AbortSignal): Promise<KubeObject> {
    const far = farRefs(steps, cr.metadata);
    const before = inventoryOf(cr);
    const inventory = united(before, far);
    this.#sightings.track(key, inventory);
    if (far.length === 0) return cr;
    for (const made of farManifests(steps.filter(({ type }) => type === 'create'))) {
      this.#sightings.made(key, refOf(made));
    }
    const shown = inventory.length === before.length ? undefined : inventoryFor(cr, inventory);
    const { operator, cluster } = this.options;
    const { name: manager, resource } = operator;
    // Without a wider reach, and without a field that asks for what is to stay, all of these are orphans by the code of the
    // operator, and nobody has to do anything about them when their owner goes.
    const isHeld = operator.reach !== 'namespace' || operator.removalOf !== undefined;
    const held = isHeld ? await addFinalizer(cr, { cluster, resource, manager, signal }) : cr;
    if (held !== cr) this.#took(key, held);
    return shown === undefined ? held : this.#write(key, held, shown, signal);
  }

  /** Takes out of the inventory, after all `steps`, what is gone or let go. Resolves with the custom resource as it is then. */
  async settle(key: string, cr: KubeObject, steps: readonly Step[], signal: AbortSignal): Promise<KubeObject> {
    const before = inventoryOf(cr);
    if (before.length === 0) return cr;
    const wanted = new Set(farManifests(steps).map((manifest) => keyOf(refOf(manifest))));
    const near = new Set(nearRefs(steps, cr.metadata).map(keyOf));
    const left: ObjectRef[] = [];
    for (const ref of before) {
      const child = keyOf(ref);
      // An owner reference reaches it by now.
      if (near.has(child)) continue;
      // What is hidden comes back with its kind, unless that was uninstalled.
      const isKept = wanted.has(child) || this.#isHidden(ref) || (await this.#isFar(key, cr, ref, signal));
      if (isKept) left.push(ref);
    }
    const isSame = isSameInventory(before, left);
    const settled = isSame ? cr : await this.#write(key, cr, inventoryFor(cr, left), signal);
    this.#sightings.track(key, left);
    return settled;
  }

  /**
   * Takes away the far children of a custom resource that is being deleted, the last one first, each when the one before is
   * gone. What is an orphan by then, or is to be one by the custom resource's deletion policy, is let go. `came` is told of each,
   * whatever comes after it. Throws a `LateStoreError` before the first where the API server has something else asked for than
   * the store.
   */
  async end(key: string, cr: KubeObject, signal: AbortSignal, came: (entry: ChangeSetEntry) => void): Promise<FarEnd> {
    const { cluster, operator, writes, kindOf } = this.options;
    const server = { cluster, resource: operator.resource };
    const inventory = inventoryOf(cr);
    this.#sightings.track(key, inventory);
    let deleted = 0;
    let isConfirmed = false;
    for (const ref of inventory.toReversed()) {
      const resource = kindAmong(operator.owns, ref);
      // That its kind is back is an event.
      if (resource && !resource.optional && this.#isHidden(ref)) {
        const because = `the API server does not serve ${showInVersion(resource)}`;
        return { type: 'waiting', waitsFor: `${show(ref)} is out of reach: ${because}` };
      }
      const child = await this.#find(key, cr, ref, signal);
      if (!child || !resource) continue;
      if (child.metadata.deletionTimestamp !== undefined) {
        return { type: 'waiting', waitsFor: `${show(ref)} ${beingDeleted(child)}` };
      }
      if (!isConfirmed) await confirmAsked(cr, () => this.#latest(key, cr), server, signal);
      isConfirmed = true;
      // Before each, for those before took their time, in which somebody may have thought better of it.
      const now = this.#latest(key, cr);
      if (deletionPolicyOf(now) === 'orphan' || (operator.removalOf?.(now) ?? removalOf(child)) === 'orphan') {
        const left = await release(child, ownerOf(cr), { cluster, resource, manager: operator.name, signal });
        if (left) {
          writes.wrote(key, kindOf(resource), left);
          came({ ref, action: 'configured', because: 'it is left behind' });
        }
        continue;
      }
      await deleteAsSeen(child, { cluster, resource, signal });
      this.removed(key, child);
      came({ ref, action: 'pruned' });
      deleted += 1;
      if (isGoneAtOnce(child) && deleted < mostDeletions) continue;
      return { type: 'waiting', waitsFor: `${show(ref)} is being deleted` };
    }
    // What was deleted has to be seen to be gone, for a webhook may have given it a finalizer.
    return deleted === 0 ? { type: 'ended' } : { type: 'waiting', waitsFor: `${deleted} children are being deleted` };
  }

  /** The API server took the delete of just that object, or had it no more. */
  removed(key: string, child: KubeObject): void {
    this.#sightings.went(key, refOf(child), child.metadata.uid);
  }

  forget(key: string): void {
    this.#sightings.track(key, []);
  }

  /** `cr` as the store has it by now. */
  #latest(key: string, cr: KubeObject): KubeObject {
    const now = this.options.custom.get(...splitKey(key));
    return now?.metadata.uid === cr.metadata.uid ? now : cr;
  }

  /** What has a child's name in the store, whoever it belongs to. */
  #stored(key: string, cr: KubeObject, ref: ObjectRef): KubeObject | undefined {
    const { operator, kindOf } = this.options;
    const resource = this.#isHidden(ref) ? undefined : kindAmong(operator.owns, ref);
    const object = resource && kindOf(resource).get(ref.namespace, ref.name);
    if (object) this.#sightings.saw(key, ownerOf(cr), object);
    return object;
  }

  /** True for a child of a kind that is not served: its store shows what was, and nothing can be done to it. */
  #isHidden(ref: ObjectRef): boolean {
    const owned = kindAmong(this.options.operator.owns, ref);
    return owned !== undefined && !this.options.kindOf(owned).isServed;
  }

  /**
   * The child, or undefined when there is none, also for want of its kind where that is optional. The server is asked for what
   * the store does not show unless we deleted it, since the store may be late, and a call without an answer may have made it;
   * and for what it shows without our label.
   *
   * Throws `OperatorError` for a kind that the operator does not own any more, and may not look for.
   */
  async #find(key: string, cr: KubeObject, ref: ObjectRef, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { operator } = this.options;
    const resource = kindAmong(operator.owns, ref);
    if (!resource) {
      throw new OperatorError(`${show(ref)} cannot be pruned: the operator does not own ${ref.kind} any more`, {
        hint: `let it own ${ref.kind} until all of them are gone`,
      });
    }
    const stored = this.#stored(key, cr, ref);
    if (stored && belongsTo(ownerOf(cr), stored)) return stored;
    if (!stored && this.#sightings.isGone(key, ref) && !this.#isHidden(ref)) return undefined;
    return this.#ask(key, cr, ref, resource, signal);
  }

  /** True for a child that is there, and that no owner reference reaches, by the server where a store says otherwise: it may be late. */
  async #isFar(key: string, cr: KubeObject, ref: ObjectRef, signal: AbortSignal): Promise<boolean> {
    const found = await this.#find(key, cr, ref, signal);
    const resource = kindAmong(this.options.operator.owns, ref);
    const child = found && resource && controllerOf(found) ? await this.#ask(key, cr, ref, resource, signal) : found;
    return child !== undefined && !controllerOf(child);
  }

  /** The child as the server has it. */
  async #ask(
    key: string,
    cr: KubeObject,
    ref: ObjectRef,
    resource: OwnedKind,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const { cluster, clock } = this.options;
    const place = ref.namespace === undefined ? {} : { namespace: ref.namespace };
    const named = { ...place, fieldSelector: withName(ref.name), signal };
    const before = this.#stored(key, cr, ref)?.metadata.uid;
    const list = () =>
      cluster.list(resource, named).catch((error: unknown) => {
        if (!resource.optional || !(error instanceof KindNotServedError)) throw error;
        return undefined;
      });
    const oursIn = (all?: ObjectList) => all?.items.find((object) => belongsTo(ownerOf(cr), object));
    const asked = clock.monotonic();
    let listed = await list();
    // It may have been made since it was asked for, by a call that was given up, and a watch may be begun anew for that call.
    if (!oursIn(listed) && clock.monotonic() - asked >= slowMilliseconds) listed = await list();
    const ours = oursIn(listed);
    if (ours) return ours;
    // Or since then.
    const shown = this.#stored(key, cr, ref);
    if (shown && shown.metadata.uid !== before && belongsTo(ownerOf(cr), shown)) return shown;
    if (listed) this.#sightings.went(key, ref);
    return undefined;
  }

  async #write(key: string, cr: KubeObject, inventory: Inventory, signal: AbortSignal): Promise<KubeObject> {
    const { operator, cluster } = this.options;
    const { resource } = operator;
    // A manager of its own, so that neither has to repeat what the other says.
    const write = { fieldManager: `${operator.name}-inventory`, subresource: 'status', signal } as const;
    const written = await cluster.apply(resource, ofStatus(cr, { inventory }), { ...write, force: true });
    if (isSameInventory(inventoryOf(written), inventoryOf(ofStatus(cr, { inventory }) as KubeObject)))
      return this.#took(key, written);
    // An apply leaves what another is noted for: the operator by its former name, or nobody after somebody reset the fields.
    const { resourceVersion } = written.metadata;
    const body = {
      metadata: { resourceVersion },
      status: { inventory: { entries: null, packed: null, ...inventory } },
    };
    return this.#took(key, await cluster.patch(resource, placeOf(written.metadata), { type: 'merge', body }, write));
  }

  /** The API server took a write of the very version that is known here. */
  #took(key: string, written: KubeObject): KubeObject {
    this.options.writes.wrote(key, this.options.custom, written);
    this.options.writes.vouch(key);
    return written;
  }
}

/** An answer that took so long says what was so a while ago. */
const slowMilliseconds = 1000;

/** In one round, so that others have their turn. */
const mostDeletions = 100;

/** True for what is gone when it was deleted: nothing holds it, and its kind takes no time to end. */
function isGoneAtOnce({ kind, apiVersion, metadata: { finalizers = [] } }: KubeObject): boolean {
  return finalizers.length === 0 && !(apiVersion === 'v1' && (kind === 'Pod' || kind === 'Namespace'));
}
