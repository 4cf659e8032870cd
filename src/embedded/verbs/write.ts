import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import type { Address, WriteRequest, Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import { type Engine, generatedName, timeOf, uuid } from '../engine.js';
import { FieldSet } from '../fields/field-set.js';
import { equal } from '../fields/field-type.js';
import { updateManagedFields } from '../fields/managed-fields.js';
import type { ServedKind } from '../kinds/served-kind.js';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  StatusError,
  unexplained,
} from '../status-error.js';
import { aboutKind, aboutResource, apiVersionOf } from './decode.js';
import { withoutDoubleOwners } from './double-owners.js';
import { isDone } from './finalization.js';
import { metadataProblems, metadataUpdateProblems } from './metadata-rules.js';

/** A draft becomes of the namespace of the request, unless it says another one. */
export function settleNamespace(kind: ServedKind, draft: Draft, namespace: string | undefined): void {
  const { metadata } = draft;
  if (!kind.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (!metadata.namespace) metadata.namespace = namespace ?? '';
  else if (metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Stores a new object. `draft` carries its managedFields already. */
export function insert(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  warnings: readonly string[],
  request: WriteRequest,
): Written {
  const { metadata } = draft;
  kind.shape.settle?.(draft);
  checkNamespace(engine, kind, draft);
  engine.guard(kind, request.caller, draft, undefined);
  kind.rules.admit?.(draft, 'CREATE', engine.world);
  if (metadata.generateName && !metadata.name) metadata.name = generatedName(metadata.generateName, engine.random);
  metadata.creationTimestamp = timeOf(engine);
  metadata.uid = uuid(engine.random);
  kind.rules.prepareForCreate?.(draft, engine.world);
  if (kind.rules.generation !== undefined) metadata.generation = 1;

  const name = metadata.name ?? '';
  refuse(kind, name, [
    ...metadataProblems(kind, metadata),
    ...(kind.rules.validate?.(draft as unknown as KubeObject, engine.world) ?? []),
  ]);
  const existing = engine.store.get(kind.storage, metadata.namespace, name);
  if (existing) throw exists(kind, existing, metadata.generateName !== undefined);
  // A dry run answers what would be stored, without a resourceVersion of its own.
  const next = draft as unknown as KubeObject;
  const advice = kind.rules.warnings?.(next) ?? [];
  const object = request.dryRun ? next : store(engine, kind, draft);
  return { object, created: true, warnings: [...warnings, ...advice] };
}

/** Replaces `live` by what `draft` says, by the rules of the main resource or of the status. */
export function replace(
  engine: Engine,
  kind: ServedKind,
  live: KubeObject,
  draft: Draft,
  warnings: readonly string[],
  request: WriteRequest,
): Written {
  const { metadata } = draft;
  // Nobody keeps links any longer.
  delete metadata.selfLink;
  kind.shape.settle?.(draft);
  engine.guard(kind, request.caller, draft, live);
  const name = live.metadata.name;
  const { rules } = kind;
  if (!metadata.resourceVersion) {
    if (rules.allowsUnconditionalUpdate === false) {
      const problem = {
        path: 'metadata.resourceVersion',
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 0: must be specified for an update',
      } as const;
      throw invalid({ group: kind.group, name: kind.plural }, name, [problem]);
    }
    metadata.resourceVersion = live.metadata.resourceVersion;
  } else if (!/^\d+$/.test(metadata.resourceVersion)) {
    throw unexplained(500, `strconv.ParseUint: parsing ${JSON.stringify(metadata.resourceVersion)}: invalid syntax`);
  } else if (metadata.resourceVersion !== live.metadata.resourceVersion) {
    throw conflict(aboutResource(kind), name, optimisticLock);
  }

  if (live.metadata.generation === undefined) delete metadata.generation;
  else metadata.generation = live.metadata.generation;
  if (request.subresource === 'status') {
    if (rules.prepareForStatusUpdate) rules.prepareForStatusUpdate(draft, live);
    else onlyStatus(draft, live);
  } else {
    rules.admit?.(draft, 'UPDATE', engine.world);
    rules.prepareForUpdate?.(draft, live, engine.world);
    if (grows(kind, draft, live)) metadata.generation = (live.metadata.generation ?? 0) + 1;
  }
  metadata.uid ||= live.metadata.uid;
  if (live.metadata.creationTimestamp !== undefined) metadata.creationTimestamp = live.metadata.creationTimestamp;
  const { deletionTimestamp, deletionGracePeriodSeconds } = live.metadata;
  if (deletionTimestamp !== undefined) metadata.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= deletionGracePeriodSeconds;

  const next = draft as unknown as KubeObject;
  const problems =
    request.subresource === 'status'
      ? rules.validateStatusUpdate?.(next, live)
      : rules.validateUpdate
        ? rules.validateUpdate(next, live, engine.world)
        : rules.validate?.(next, engine.world);
  refuse(kind, name, [...metadataUpdateProblems(kind, metadata, live.metadata), ...(problems ?? [])]);

  const all = [...warnings, ...(rules.warnings?.(next, live) ?? [])];
  if (isUnchanged(draft, live)) return { object: live, created: false, warnings: all };
  if (request.dryRun) return { object: next, created: false, warnings: all };
  if (isDone(kind, next, live)) {
    removeStored(engine, kind, live);
    return { object: next, created: false, warnings: all };
  }
  return { object: store(engine, kind, draft), created: false, warnings: all };
}

export const optimisticLock =
  'the object has been modified; please apply your changes to the latest version and try again';

/** The object of an address, in the version of `kind`, or a 404. */
export function found(engine: Engine, kind: ServedKind, address: Address): KubeObject {
  const object = lookUp(engine, kind, address);
  if (!object) throw notFound(aboutResource(kind), address.name);
  return object;
}

export function lookUp(engine: Engine, kind: ServedKind, { namespace, name }: Address): KubeObject | undefined {
  const object = engine.store.get(kind.storage, kind.namespaced ? namespace : undefined, name);
  return object && toVersion(kind, object);
}

/** A stored object in the version of `kind`. Without a conversion, versions differ in their name alone. */
export function toVersion(kind: ServedKind, object: KubeObject): KubeObject {
  if (kind.conversion) return kind.conversion.fromStored(object);
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : Object.freeze({ ...object, apiVersion });
}

/** Stores a draft of this version, and answers what was stored. */
export function store(engine: Engine, kind: ServedKind, draft: Draft): KubeObject {
  const stored = kind.conversion ? kind.conversion.toStored(draft) : draft;
  return toVersion(kind, engine.store.put(kind.storage, stored as unknown as KubeObject));
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

/** Sets the draft's managedFields after an update of any kind; nothing for an object that is not tracked. */
export function own(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  live: KubeObject | undefined,
  request: WriteRequest,
): void {
  const requested = request.subresource === undefined ? draft.metadata.managedFields : undefined;
  delete draft.metadata.managedFields;
  const managed = updateManagedFields(
    (live ?? emptyOf(kind)) as unknown as Json,
    draft as unknown as Json,
    { live: live?.metadata.managedFields, requested, exists: live !== undefined },
    {
      manager: request.fieldManager ?? 'unknown',
      operation: 'Update',
      apiVersion: apiVersionOf(kind),
      subresource: request.subresource,
    },
    { type: kind.shape.fieldType, ignored: ignoredFields(kind, request.subresource) },
    timeOf(engine),
  );
  if (managed) draft.metadata.managedFields = managed;
}

/** What stands before an object that is created: what all objects of the kind have, whoever writes them. */
export function emptyOf(kind: ServedKind): Json {
  return kind.shape.empty ?? { apiVersion: apiVersionOf(kind), kind: kind.kind };
}

const ignored = new WeakMap<ServedKind, { readonly main: FieldSet; readonly status: FieldSet }>();

/** Fields that are reset when they are written through this (sub)resource, so that nobody owns them by it. */
export function ignoredFields(kind: ServedKind, subresource: string | undefined): FieldSet {
  let sets = ignored.get(kind);
  if (!sets) {
    const { main = [], status = [] } = kind.rules.resetFields ?? {};
    sets = { main: FieldSet.of(...main), status: FieldSet.of(...status) };
    ignored.set(kind, sets);
  }
  return subresource === 'status' ? sets.status : sets.main;
}

export function dropDoubleOwners(draft: Draft, warnings: readonly string[]): readonly string[] {
  return [...warnings, ...withoutDoubleOwners(draft)];
}

function refuse(kind: ServedKind, name: string, problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(aboutKind(kind), name, problems);
}

/** New objects need a namespace that is there and stays. */
function checkNamespace(engine: Engine, kind: ServedKind, { metadata }: Draft): void {
  if (!kind.namespaced || !metadata.namespace) return;
  const namespace = engine.store.get('namespaces', undefined, metadata.namespace);
  if (!namespace) throw notFound({ group: '', name: 'namespaces' }, metadata.namespace);
  if ((namespace['status'] as { phase?: string } | undefined)?.phase !== 'Terminating') return;
  const because = `unable to create new content in namespace ${metadata.namespace} because it is being terminated`;
  const { status } = forbidden(aboutResource(kind), metadata.name ?? '', because);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${metadata.namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
}

function exists(kind: ServedKind, existing: KubeObject, wasGenerated: boolean): StatusError {
  const { name, deletionTimestamp } = existing.metadata;
  const error = alreadyExists(aboutResource(kind), name);
  if (wasGenerated) {
    const { status } = error;
    const message = `${status.message}, the server was not able to generate a unique name for the object`;
    return new StatusError({ ...status, message, details: { ...status.details, retryAfterSeconds: 1 } });
  }
  if (deletionTimestamp === undefined) return error;
  return new StatusError({ ...error.status, message: `object is being deleted: ${error.status.message}` });
}

/** Through the status subresource nothing else changes, but for what belongs to ownership. */
function onlyStatus(draft: Draft, live: KubeObject): void {
  const { status } = draft;
  const { managedFields, resourceVersion } = draft.metadata;
  for (const field of Object.keys(draft)) delete draft[field];
  Object.assign(draft, live, {
    metadata: { ...live.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  });
  if (managedFields) draft.metadata.managedFields = managedFields;
  else delete draft.metadata.managedFields;
  if (status === undefined) delete draft['status'];
  else draft['status'] = status;
}

function grows({ rules }: ServedKind, draft: Draft, live: KubeObject): boolean {
  const { generation } = rules;
  if (generation === undefined) return false;
  if (generation !== 'spec') return generation(draft as unknown as KubeObject, live);
  const fields = new Set([...Object.keys(draft), ...Object.keys(live)]);
  for (const outside of ['metadata', 'status', 'apiVersion', 'kind']) fields.delete(outside);
  return [...fields].some((field) => !equal(draft[field] as Json | undefined, live[field] as Json | undefined));
}

/** True when nothing would change, or nothing but the times of managedFields. */
function isUnchanged(draft: Draft, live: KubeObject): boolean {
  const [mine, theirs] = [draft.metadata.managedFields, live.metadata.managedFields];
  const same = (a: unknown, b: unknown) => equal(a as Json, b as Json);
  if (mine === undefined || theirs === undefined) return same(draft, live);
  const sameOwners =
    mine.length === theirs.length &&
    mine.every(({ time: _, ...entry }, index) => {
      const { time: __, ...other } = theirs[index]!;
      return same(entry, other);
    });
  return sameOwners && same({ ...draft, metadata: { ...draft.metadata, managedFields: theirs } }, live);
}
