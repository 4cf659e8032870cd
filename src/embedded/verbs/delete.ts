import type { DeleteOptions } from '../../client/cluster.js';
import type { KubeObject } from '../../kube/manifest.js';
import { problem } from '../../schema/field-problem.js';
import type { Address, Deleted, Listed, Selection } from '../api-server.js';
import { draftOf } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { conflict, forbidden, invalid, StatusError } from '../status-error.js';
import { aboutResource } from './decode.js';
import { finalizersFor, isHeldBySpec } from './finalization.js';
import { list } from './list.js';
import { found, removeStored, store } from './stored.js';

export interface Deletion extends DeleteOptions {
  readonly dryRun?: boolean;
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
  const live = found(engine, kind, address);
  checkPreconditions(kind, live, options);
  if (kind.storage === 'namespaces' && immortal.has(address.name)) {
    throw forbidden(aboutResource(kind), address.name, 'this namespace may not be deleted');
  }
  return { ...removed(engine, kind, address, live, options), warnings };
}

type Outcome = Omit<Deleted, 'warnings'>;

function removed(engine: Engine, kind: ServedKind, address: Address, live: KubeObject, options: Deletion): Outcome {
  const { rules } = kind;
  const { metadata } = live;
  const isMarked = metadata.deletionTimestamp !== undefined;
  if (!isMarked && rules.markForDeletion) return held(engine, kind, live, options);
  const finalizers = finalizersFor(kind, live.metadata, options);
  const grace = graceOf(kind, live, options);

  if (isMarked && (metadata.deletionGracePeriodSeconds ?? 0) > 0 && rules.gracePeriodSeconds) {
    const held = metadata.deletionGracePeriodSeconds as number;
    const asked = options.gracePeriodSeconds;
    // A grace period can only be cut short.
    if (asked === undefined || asked >= held) return { object: live, isGone: false };
    if (asked === 0 && finalizers.length === 0) return gone(engine, kind, live, options);
    const end = Math.max(Date.parse(metadata.deletionTimestamp as string) + (asked - held) * 1000, engine.clock.now());
    return mark(engine, kind, live, finalizers, asked, secondsOf(end), options);
  }
  if (rules.gracePeriodSeconds && !isMarked) {
    const end = secondsOf(engine.clock.now() + grace * 1000);
    const marked = mark(engine, kind, live, finalizers, grace, end, options);
    // Without a grace the object still says that it was being deleted before it is gone.
    if (grace > 0 || finalizers.length > 0) return marked;
    if (options.dryRun) return { ...marked, isGone: true };
    return gone(engine, kind, found(engine, kind, address), options);
  }
  if (finalizers.length > 0 || isHeldBySpec(kind, live)) {
    return mark(engine, kind, live, finalizers, 0, metadata.deletionTimestamp ?? timeOf(engine), options);
  }
  return gone(engine, kind, live, options);
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
  const listed = list(engine, kind, selection);
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

function graceOf({ rules }: ServedKind, live: KubeObject, { gracePeriodSeconds: asked }: Deletion): number {
  if (!rules.gracePeriodSeconds) return 0;
  const usual = rules.gracePeriodSeconds(live);
  // A negative period, which only old clients send, is a short one. What needs no grace gets none.
  if (asked === undefined || usual === 0) return usual;
  return asked < 0 ? 1 : asked;
}

function gone(engine: Engine, kind: ServedKind, live: KubeObject, { dryRun }: Deletion): Outcome {
  if (dryRun) return { object: live, isGone: true };
  return { object: removeStored(engine, kind, live), isGone: true };
}

/** Marked by the rules of its kind, which say what it waits for. */
function held(engine: Engine, kind: ServedKind, live: KubeObject, { dryRun }: Deletion): Outcome {
  const draft = draftOf(live);
  draft.metadata.deletionTimestamp = timeOf(engine);
  kind.rules.markForDeletion?.(draft, engine.world);
  return { object: dryRun ? (draft as unknown as KubeObject) : store(engine, kind, draft), isGone: false };
}

function mark(
  engine: Engine,
  kind: ServedKind,
  live: KubeObject,
  finalizers: readonly string[],
  grace: number,
  deletionTimestamp: string,
  { dryRun }: Deletion,
): Outcome {
  const { metadata: before } = live;
  const isNew = before.deletionTimestamp === undefined;
  const draft = draftOf(live);
  const { metadata } = draft;
  if (isNew && metadata.generation !== undefined) metadata.generation += 1;
  metadata.deletionTimestamp = deletionTimestamp;
  metadata.deletionGracePeriodSeconds = grace;
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
  if (kind.storage === 'namespaces') {
    draft['status'] = { ...(draft['status'] as object | undefined), phase: 'Terminating' };
    // The content is deleted by a controller, at its own pace.
    if (isNew) delete metadata.deletionGracePeriodSeconds;
  }
  const isSame = !isNew && grace === before.deletionGracePeriodSeconds && sameNames(finalizers, before.finalizers);
  if (isSame) return { object: live, isGone: false };
  if (dryRun) return { object: draft as unknown as KubeObject, isGone: false };
  return { object: store(engine, kind, draft), isGone: false };
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

function secondsOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
