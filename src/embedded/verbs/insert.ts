import type { KubeObject } from '../../kube/manifest.js';
import type { Written } from '../api-server.js';
import type { Draft } from '../draft.js';
import { type Engine, generatedName, timeOf, uuid } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { alreadyExists, forbidden, notFound, StatusError, unexplained } from '../status-error.js';
import { aboutResource } from './decode.js';
import { metadataProblems, pathProblems } from './metadata-rules.js';
import { refuse } from './refuse.js';
import { versionNumberOf } from './resource-version.js';
import { mutateByReview, validateByReview } from './review.js';
import { preview, storedForm, storeNew } from './stored.js';
import type { Writing } from './writing.js';

/**
 * Stores a new object. `draft` carries its managedFields already. `permit`: of a write that may turn out to be a create,
 * asks whether the caller may create, as late as the server does.
 */
export function insert(engine: Engine, kind: ServedKind, draft: Draft, request: Writing, permit?: () => void): Written {
  const { metadata } = draft;
  const { rules } = kind;
  checkNamespace(engine, kind, draft);
  rules.admit?.(draft, 'CREATE', engine.world);
  mutateByReview(engine, kind, draft, undefined, request);
  engine.guard(kind, request.caller, draft, undefined);
  const wasGenerated = metadata.generateName !== undefined && metadata.generateName !== '';
  if (wasGenerated && !metadata.name) metadata.name = generatedName(metadata.generateName as string, engine.random);
  // Rules may take for granted that there is one: without any, none of them has the last word.
  metadata.name ??= '';
  metadata.creationTimestamp = timeOf(engine);
  metadata.uid = uuid(engine.random);
  rules.prepareForCreate?.(draft, engine.world, request.dryRun);
  if (rules.generation !== undefined) metadata.generation = 1;

  const next = draft as unknown as KubeObject;
  const { name } = metadata;
  const ofMetadata = metadataProblems(kind, next);
  const ofKind = rules.validate?.(next, engine.world, ofMetadata) ?? [];
  const { judgesMetadataLast: last = false } = rules;
  const isLast = typeof last === 'function' ? last(next) : last;
  refuse(kind, next, isLast ? ofKind : [...ofMetadata, ...ofKind]);
  // What a kind leaves open must still fit into a path.
  refuse(kind, next, isLast ? ofMetadata : pathProblems(metadata));
  request.warnings.push(...(rules.warnings?.(next) ?? []));
  permit?.();
  request.warnings.push(...(rules.admitValid?.(next, undefined, engine.world) ?? []));
  validateByReview(engine, kind, next, undefined, request);

  // A dry run answers what would be stored, without a resourceVersion of its own.
  if (!request.dryRun && !permit) checkNoVersion(draft);
  const existing = engine.store.get(kind.storage, metadata.namespace, name);
  if (existing) throw exists(kind, existing, wasGenerated);
  const stored = storedForm(kind, draft);
  // Nobody keeps links any longer; only who stores nothing shows them.
  if (!request.dryRun) for (const each of [draft, stored]) delete each.metadata.selfLink;
  const object = request.dryRun ? preview(kind, stored) : storeNew(engine, kind, draft, stored, request);
  return { object, created: true, warnings: request.warnings };
}

/** One that cannot be read is nothing. */
function checkNoVersion({ metadata: { resourceVersion } }: Draft): void {
  if (resourceVersion === undefined || resourceVersion === '') return;
  const version = versionNumberOf(resourceVersion);
  if (version === undefined || version === 0n) return;
  throw unexplained(500, 'resourceVersion should not be set on objects to be created');
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
