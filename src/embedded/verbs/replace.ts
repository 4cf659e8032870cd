import type { Json, KubeObject, ManagedFieldsEntry } from '../../kube/manifest.js';
import type { Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import { equal } from '../fields/field-type.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { conflict, invalid } from '../status-error.js';
import { aboutResource } from './decode.js';
import { isDone } from './finalization.js';
import { metadataUpdateProblems } from './metadata-rules.js';
import { refuse } from './refuse.js';
import { versionSaid } from './resource-version.js';
import { mutateByReview, validateByReview } from './review.js';
import { isStoredSo, keptForm, keptOf, preview, removeStored, storeChanged, storedForm } from './stored.js';
import type { Writing } from './writing.js';

/** Replaces `live` by what `draft` says, by the rules of the main resource or of the status. */
export function replace(engine: Engine, kind: ServedKind, live: KubeObject, draft: Draft, request: Writing): Written {
  const { rules } = kind;
  const isOfStatus = request.subresource === 'status';
  const said = { apiVersion: draft.apiVersion, kind: draft.kind };
  if (request.subresource === undefined) rules.admit?.(draft, 'UPDATE', engine.world);
  mutateByReview(engine, kind, draft, live, request);
  engine.guard(kind, request.caller, draft, live);
  checkVersion(kind, draft, live);

  if (live.metadata.generation === undefined) delete draft.metadata.generation;
  else draft.metadata.generation = live.metadata.generation;
  if (isOfStatus) {
    if (rules.prepareForStatusUpdate) rules.prepareForStatusUpdate(draft, live, engine.world);
    else onlyStatus(draft, live);
  } else {
    rules.prepareForUpdate?.(draft, live, engine.world, request.dryRun);
    if (grows(kind, draft, live)) draft.metadata.generation = (live.metadata.generation ?? 0) + 1;
  }
  const { metadata } = draft;
  metadata.uid ||= live.metadata.uid;
  if (live.metadata.creationTimestamp !== undefined) metadata.creationTimestamp = live.metadata.creationTimestamp;
  const { deletionTimestamp, deletionGracePeriodSeconds } = live.metadata;
  if (deletionTimestamp !== undefined) metadata.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= deletionGracePeriodSeconds;
  // A new time alone is no reason to write.
  if (isSameButForTimes(draft, live)) metadata.managedFields = live.metadata.managedFields as ManagedFieldsEntry[];

  const next = draft as unknown as KubeObject;
  const problems = isOfStatus
    ? rules.validateStatusUpdate?.(next, live)
    : rules.validateUpdate
      ? rules.validateUpdate(next, live, engine.world)
      : rules.validate?.(next, engine.world, []);
  refuse(kind, { ...next, ...said }, [...metadataUpdateProblems(kind, metadata, live.metadata), ...(problems ?? [])]);
  request.warnings.push(...((isOfStatus ? rules.statusWarnings?.(next, live) : rules.warnings?.(next, live)) ?? []));
  if (request.subresource === undefined) request.warnings.push(...(rules.admitValid?.(next, live, engine.world) ?? []));
  validateByReview(engine, kind, next, live, request);

  const answer = (object: KubeObject): Written => ({ object, created: false, warnings: request.warnings });
  if (isDone(kind, next, live)) {
    if (!request.dryRun) removeStored(engine, kind, live);
    return { ...answer(next), isGone: true };
  }
  const stored = storedForm(kind, draft);
  // Nobody keeps links any longer; only who stores nothing shows them.
  if (!request.dryRun) for (const each of [draft, stored]) delete each.metadata.selfLink;
  // What the store would keep unseen is compared with what is seen, and so is always a change.
  const isMore = keptForm(kind, draft) !== draft;
  // Where nothing is kept unseen, what would be dropped is no change.
  const told = kind.shape.kept ? draft : stored;
  if (!isMore && isSame(told, keptOf(engine, kind, live)) && isStoredSo(engine, kind, stored)) return answer(live);
  if (request.dryRun) return answer(preview(kind, stored));
  return answer(storeChanged(engine, kind, draft, stored, request));
}

const optimisticLock = 'the object has been modified; please apply your changes to the latest version and try again';

/** Who says no version, or 0, overwrites whatever is there, where the kind lets one. */
function checkVersion(kind: ServedKind, { metadata }: Draft, live: KubeObject): void {
  const { name, resourceVersion } = live.metadata;
  const version = versionSaid(metadata);
  if (version === 0n) {
    if (kind.rules.allowsUnconditionalUpdate === false) {
      const problem = {
        path: 'metadata.resourceVersion',
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 0: must be specified for an update',
      } as const;
      throw invalid({ group: kind.group, name: kind.plural }, name, [problem]);
    }
  } else if (version !== BigInt(resourceVersion)) throw conflict(aboutResource(kind), name, optimisticLock);
  metadata.resourceVersion = resourceVersion;
}

/** Through the status subresource nothing else changes, but for what belongs to ownership. */
function onlyStatus(draft: Draft, live: KubeObject): void {
  const { status } = draft;
  const { managedFields } = draft.metadata;
  for (const field of Object.keys(draft)) delete draft[field];
  Object.assign(draft, live, { metadata: { ...live.metadata } });
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

/** True when nothing differs but the times of managedFields, of which there are some. */
function isSameButForTimes(draft: Draft, live: KubeObject): boolean {
  const [mine, theirs] = [draft.metadata.managedFields, live.metadata.managedFields];
  if (mine === undefined || theirs === undefined || mine.length !== theirs.length) return false;
  const sameOwners = mine.every(({ time: _, ...entry }, index) => {
    const { time: __, ...other } = theirs[index]!;
    return isSame(entry, other);
  });
  return sameOwners && isSame({ ...draft, metadata: { ...draft.metadata, managedFields: theirs } }, live);
}

function isSame(a: object, b: object): boolean {
  return equal(a as Json, b as Json);
}
