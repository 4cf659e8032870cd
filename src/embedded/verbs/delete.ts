import type { DeleteOptions } from '../../client/cluster.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { timestamp } from '../../kube/timestamp.js';
import { problem } from '../../schema/field-problem.js';
import type { Address, Deleted, Listed, Selection } from '../api-server.js';
import { type Draft, draftOf } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import { equal } from '../fields/field-type.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { conflict, forbidden, invalid, StatusError } from '../status-error.js';
import { blankOf } from './blank.js';
import { aboutResource } from './decode.js';
import { finalizersFor, isHeldBySpec } from './finalization.js';
import { list } from './list.js';
import { storageError } from './storage-error.js';
import { found, removeStored, store } from './stored.js';

export interface Deletion extends DeleteOptions {
  readonly dryRun?: boolean;
  /** Asked to delete what depends on the object in the way of old clients, who learn whether it was done at once. */
  readonly isOldCascade?: boolean;
}

const immortal = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** Deletes an object, or marks it as being deleted while a finalizer or its grace period holds it. */
export function remove(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  options: Deletion,
  warnings: string[],
): Deleted {
  checkOptions(options);
  warnings.push(...(kind.rules.deletionWarnings?.(options) ?? []));
  const because = kind.rules.refuseDeletion?.(address.name);
  if (because !== undefined) throw forbidden(aboutResource(kind), address.name, because);
  const live = found(engine, kind, address);
  checkPreconditions(kind, live, options);
  if (kind.storage === 'namespaces' && immortal.has(address.name)) {
    throw forbidden(aboutResource(kind), address.name, 'this namespace may not be deleted');
  }
  return { ...removed(engine, kind, address, live, options), warnings };
}

type Outcome = Omit<Deleted, 'warnings'>;

function removed(engine: Engine, kind: ServedKind, address: Address, live: KubeObject, options: Deletion): Outcome {
  const { deletionTimestamp } = live.metadata;
  const isMarked = deletionTimestamp !== undefined;
  if (!isMarked && kind.rules.markForDeletion) return begun(engine, kind, live, options);
  if (kind.storage === 'namespaces') {
    if (!isMarked) return terminating(engine, kind, live, options);
    if (isHeldBySpec(kind, live)) return { object: live, isGone: false };
  }
  const grace = graceOf(engine, kind, live, options);
  // A grace period can only be cut short.
  if (grace === 'pending') return { object: live, isGone: false };
  const finalizers = finalizersFor(kind, live.metadata, options);
  const isHeld = finalizers.length > 0;
  if (!isHeld && !grace) {
    const losesItsLast = (live.metadata.finalizers?.length ?? 0) > 0;
    if (losesItsLast) refuseVersion(kind, address, live, options);
    // A dry run gets as far as the finalizer, and answers with the object that was to be filled with what is gone.
    if (losesItsLast && options.dryRun) return { object: blankOf(kind), isGone: true, isBlank: true };
    return gone(engine, kind, live, options);
  }

  const draft = draftOf(live);
  const { metadata } = draft;
  if (!isMarked && metadata.generation !== undefined) metadata.generation += 1;
  const now = timeOf(engine);
  if (grace) metadata.deletionTimestamp = grace.end;
  else if (!isMarked || deletionTimestamp > now) metadata.deletionTimestamp = now;
  metadata.deletionGracePeriodSeconds = grace?.seconds ?? 0;
  keepFinalizers(draft, finalizers);
  const marked = written(engine, kind, live, draft, options);
  if (isHeld || (grace && grace.seconds > 0)) return { object: marked, isGone: false };
  // Without a grace the object still says that it was being deleted before it is gone.
  return options.dryRun ? { object: marked, isGone: true } : gone(engine, kind, found(engine, kind, address), options);
}

/** Marked by the rules of its kind, which say what it waits for. */
function begun(engine: Engine, kind: ServedKind, live: KubeObject, options: Deletion): Outcome {
  const draft = draftOf(live);
  draft.metadata.deletionTimestamp = timeOf(engine);
  kind.rules.markForDeletion?.(draft, engine.world);
  return { object: written(engine, kind, live, draft, options), isGone: false };
}

/** The content of a namespace is deleted by a controller, at its own pace. */
function terminating(engine: Engine, kind: ServedKind, live: KubeObject, options: Deletion): Outcome {
  const draft = draftOf(live);
  draft.metadata.deletionTimestamp = timeOf(engine);
  draft['status'] = { ...(draft['status'] as object | undefined), phase: 'Terminating' };
  // Of a namespace the old way asks for what depends on it to go first.
  const asked = options.isOldCascade ? ({ propagationPolicy: 'Foreground' } as const) : options;
  keepFinalizers(draft, finalizersFor(kind, live.metadata, asked));
  return { object: written(engine, kind, live, draft, options), isGone: false };
}

function keepFinalizers({ metadata }: Draft, finalizers: readonly string[]): void {
  if (finalizers.length === 0) delete metadata.finalizers;
  // In the order in which they stood.
  else if (!sameNames(finalizers, metadata.finalizers)) metadata.finalizers = [...finalizers];
}

function written(engine: Engine, kind: ServedKind, live: KubeObject, draft: Draft, { dryRun }: Deletion): KubeObject {
  if (equal(draft as unknown as Json, live as unknown as Json)) return live;
  return dryRun ? (draft as unknown as KubeObject) : store(engine, kind, draft);
}

/** Deletes what a list with the same selection would show; what is gone already is passed over. */
export function removeCollection(
  engine: Engine,
  kind: ServedKind,
  selection: Selection,
  options: Deletion,
  warnings: string[],
): Listed & { readonly warnings: readonly string[] } {
  warnings.push(...(kind.rules.deletionWarnings?.(options) ?? []));
  const listed = list(engine, kind, asInPages(selection));
  for (const { metadata } of listed.items) {
    const { namespace, name } = metadata;
    try {
      remove(engine, kind, namespace === undefined ? { name } : { namespace, name }, options, []);
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
    }
  }
  return { ...listed, warnings };
}

/** The server goes through them in pages, so that a version means this very one. */
function asInPages(selection: Selection): Selection {
  const { resourceVersion = '0', resourceVersionMatch, continue: token } = selection;
  const isExact = resourceVersion !== '0' && resourceVersionMatch === undefined && token === undefined;
  return isExact ? { ...selection, resourceVersionMatch: 'Exact' } : selection;
}

interface Grace {
  readonly seconds: number;
  /** When it is over. */
  readonly end: string;
}

/** Undefined for what is not deleted gracefully; pending when it already is, and is not asked to be sooner. */
function graceOf(
  engine: Engine,
  { rules }: ServedKind,
  live: KubeObject,
  { gracePeriodSeconds }: Deletion,
): Grace | 'pending' | undefined {
  if (!rules.gracePeriodSeconds) return undefined;
  // A negative period, which only old clients send, is a short one.
  const asked = gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
  const { deletionTimestamp, deletionGracePeriodSeconds: held = 0 } = live.metadata;
  const now = engine.clock.now();
  if (deletionTimestamp === undefined) {
    const usual = rules.gracePeriodSeconds(live);
    // What needs no grace gets none.
    const seconds = usual === 0 ? 0 : (asked ?? usual);
    return { seconds, end: timestamp(now + seconds * 1000) };
  }
  if (held === 0) return undefined;
  if (asked === undefined || asked >= held) return 'pending';
  const end = Date.parse(deletionTimestamp) + (asked - held) * 1000;
  if (end >= now) return { seconds: asked, end: timestamp(end) };
  // It is over already, which whoever waits for it still has to see.
  return { seconds: Math.min(asked, 1), end: timestamp(now) };
}

function gone(engine: Engine, kind: ServedKind, live: KubeObject, { dryRun }: Deletion): Outcome {
  if (dryRun) return { object: live, isGone: true };
  return { object: removeStored(engine, kind, live), isGone: true };
}

function checkPreconditions(kind: ServedKind, { metadata }: KubeObject, { uid, resourceVersion }: Deletion): void {
  // Kinds whose deletion only begins with the request look at it themselves, and in words of their own.
  if (kind.storage === 'namespaces' || kind.rules.markForDeletion) {
    const differs = (what: string, said: string | undefined, is: string) => {
      if (said === undefined || said === is) return;
      const because = `Precondition failed: ${what} in precondition: ${said}, ${what} in object meta: ${is}`;
      throw conflict(aboutResource(kind), metadata.name, because);
    };
    differs('UID', uid, metadata.uid);
    differs('ResourceVersion', resourceVersion, metadata.resourceVersion);
    return;
  }
  const about = { group: kind.group, name: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const because = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(about, metadata.name, because);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const because = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(about, metadata.name, because);
  }
}

/**
 * The server asks for the version a second time when a deletion takes the last finalizer away, and has lost it by then:
 * such a request can never succeed.
 */
function refuseVersion(
  kind: ServedKind,
  address: Address,
  { metadata }: KubeObject,
  { resourceVersion, dryRun = false }: Deletion,
): void {
  if (resourceVersion === undefined) return;
  const because = `ResourceVersion in precondition: , ResourceVersion in object meta: ${metadata.resourceVersion}`;
  throw storageError(kind, address, because, dryRun);
}

const policies: readonly unknown[] = ['Background', 'Foreground', 'Orphan', undefined];

function checkOptions({ propagationPolicy }: Deletion): void {
  if (policies.includes(propagationPolicy)) return;
  const detail = 'supported values: "Background", "Foreground", "Orphan", "nil"';
  throw invalid({ group: 'meta.k8s.io', name: 'DeleteOptions' }, '', [
    problem('FieldValueNotSupported', 'propagationPolicy', propagationPolicy, detail),
  ]);
}

function sameNames(a: readonly string[], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
