import type { Json, KubeObject } from '../../kube/manifest.js';
import { pathSegment } from '../../schema/name-formats.js';
import type { Address } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import { equal } from '../fields/field-type.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, notFound, uninitialized } from '../status-error.js';
import { aboutResource, apiVersionOf } from './decode.js';
import { withinEtcd } from './etcd-limit.js';
import type { Writing } from './writing.js';

/** The object of an address, in the version of `kind`, or a 404. */
export function found(engine: Engine, kind: ServedKind, address: Address): KubeObject {
  const object = lookUp(engine, kind, address);
  if (!object) throw notFound(aboutResource(kind), address.name);
  return object;
}

/** Throws a `StatusError` (400) for a name that no object could have. */
export function lookUp(engine: Engine, kind: ServedKind, { namespace, name }: Address): KubeObject | undefined {
  const problems = pathSegment(name);
  if (problems.length > 0) {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problems.join(';')}`);
  }
  const object = engine.store.get(kind.storage, kind.namespaced ? namespace : undefined, name);
  return object && toVersion(kind, object);
}

/** A stored object in the version of `kind`. Without a conversion, versions differ in their name alone. */
export function toVersion(kind: ServedKind, object: KubeObject): KubeObject {
  if (kind.conversion) return kind.conversion.fromStored(object);
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : Object.freeze({ ...object, apiVersion });
}

/**
 * Throws a `StatusError` (429) when an object of the kind, wherever it is, cannot be read: the server then never comes to know
 * what there is, and lists and watches nothing.
 */
export function checkAllReadable({ store }: Engine, kind: ServedKind): void {
  const { unreadable } = kind.conversion ?? {};
  if (!unreadable) return;
  for (const object of store.list(kind.storage)) {
    const because = unreadable(object);
    if (because !== undefined)
      throw uninitialized(`failed to list ${apiVersionOf(kind)}, Kind=${kind.kind}: ${because}`);
  }
}

/** A stored object as the main resource shows it. */
export function shownOf(kind: ServedKind, object: KubeObject): KubeObject {
  const whole = toVersion(kind, object);
  return kind.rules.show?.(whole) ?? whole;
}

type StoreOptions = Pick<Writing, 'isApply'>;

/** Stores a draft of this version, and answers what was stored. Throws a `StatusError` (500) for what is too large. */
export function store(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  { isApply = false }: StoreOptions = {},
): KubeObject {
  const stored = withinEtcd(kind, kind.conversion ? kind.conversion.toStored(draft) : draft, isApply);
  return toVersion(kind, engine.store.put(kind.storage, stored as unknown as KubeObject));
}

/** A draft as the store shows it. */
export function storedForm({ shape }: ServedKind, draft: Draft): Draft {
  if (shape.stored) return shape.stored(draft);
  shape.settle?.(draft);
  return draft;
}

/** What would be stored of a draft, for a dry run. */
export function preview(kind: ServedKind, draft: Draft): KubeObject {
  kind.rules.completeWhenRead?.(draft);
  if (!kind.conversion) return draft as unknown as KubeObject;
  return kind.conversion.fromStored(kind.conversion.toStored(draft) as unknown as KubeObject);
}

/** What the server's store would hold of an object, where that is something else than it shows. */
const kept = new WeakMap<KubeObject, object>();

/** Stores the draft of an object that was not there before; `shown` is what the store shows of it. */
export function storeNew(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  shown: Draft,
  options: StoreOptions,
): KubeObject {
  const isMore = kind.rules.completeWhenRead?.(shown) ?? false;
  const object = storeWhole(engine, kind, keptForm(kind, draft, true), { draft, shown }, options);
  // How it differs is nobody's business.
  if (isMore) kept.set(storedOf(engine, kind, object), {});
  return object;
}

/** Stores the draft of an object that is there already; `shown` is what the store shows of it. */
export function storeChanged(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  shown: Draft,
  options: StoreOptions,
): KubeObject {
  return storeWhole(engine, kind, keptForm(kind, draft), { draft, shown }, options);
}

/** Stores `shown`, and keeps `whole` beside it where that is something else. Of what is stored nothing more is known: it is frozen. */
function storeWhole(
  engine: Engine,
  kind: ServedKind,
  whole: Draft,
  { draft, shown }: { readonly draft: Draft; readonly shown: Draft },
  options: StoreOptions,
): KubeObject {
  const object = store(engine, kind, shown, options);
  const isConverted = kind.conversion !== undefined && whole === draft;
  const isWhole = whole === shown || isConverted || equal(whole as unknown as Json, shown as unknown as Json);
  if (!isWhole) kept.set(storedOf(engine, kind, object), whole);
  return object;
}

/** A draft as the server's store would have it, where that is more than what it shows. */
export function keptForm({ shape }: ServedKind, draft: Draft, isNew = false): Draft {
  return shape.kept?.(draft, isNew) ?? draft;
}

/** An object as the server's store would have it: only an update that leaves that as it is writes nothing. */
export function keptOf(engine: Engine, kind: ServedKind, object: KubeObject): KubeObject {
  const other = kept.get(storedOf(engine, kind, object)) as KubeObject | undefined;
  if (!other) return object;
  const { resourceVersion } = object.metadata;
  return { ...other, metadata: { ...other.metadata, resourceVersion } };
}

/**
 * Whether the store would have `draft` as it has it already. What was stored in another version, or under another schema, is
 * written anew also where it shows the same: so that objects are migrated by writes that change nothing.
 */
export function isStoredSo(engine: Engine, kind: ServedKind, draft: Draft): boolean {
  if (!kind.conversion || kind.shape.patchType) return true;
  const is = storedOf(engine, kind, draft as unknown as KubeObject);
  return equal(kind.conversion.toStored(draft) as unknown as Json, is as unknown as Json);
}

function storedOf(engine: Engine, kind: ServedKind, { metadata: { namespace, name } }: KubeObject): KubeObject {
  return engine.store.get(kind.storage, namespace, name) as KubeObject;
}

/** Removes an object, and answers its last state. */
export function removeStored(
  engine: Engine,
  kind: ServedKind,
  { metadata: { namespace, name } }: KubeObject,
): KubeObject {
  const stored = engine.store.get(kind.storage, namespace, name) as KubeObject;
  return toVersion(kind, engine.store.remove(kind.storage, stored));
}
