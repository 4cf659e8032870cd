import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { WriteRequest } from '../api-server.js';
import type { Draft } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import { UntypedError } from '../fields/compare.js';
import { FieldSet } from '../fields/field-set.js';
import { updateManagedFields } from '../fields/managed-fields.js';
import { typedProblems } from '../fields/typed-problems.js';
import type { Versions, VersionView } from '../fields/versions.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { convertedBy } from '../reviewer.js';
import { isSaidEmpty } from '../said-more.js';
import { apiVersionOf } from './decode.js';

type Subresource = WriteRequest['subresource'];

/** Sets the draft's managedFields after an update of any kind; nothing for an object that is not tracked. */
export function own(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  live: KubeObject | undefined,
  request: WriteRequest,
): void {
  // Only through the main resource a caller can say who owns what.
  const requested = request.subresource === undefined ? entriesSaid(draft) : undefined;
  delete draft.metadata.managedFields;
  // What a custom resource says that it is, it is refused for later, or not: of another kind the server owns nothing.
  if (draft.kind !== kind.kind || draft.apiVersion !== apiVersionOf(kind)) return;
  if (!isTracked(kind, draft)) return;
  const managed = updateManagedFields(
    (live ? withoutManagedFields(live) : emptyOf(kind)) as Json,
    draft as unknown as Json,
    { live: live?.metadata.managedFields, requested, exists: live !== undefined },
    {
      manager: request.fieldManager ?? 'unknown',
      operation: 'Update',
      apiVersion: apiVersionOf(kind),
      subresource: request.subresource,
    },
    versionsOf(engine, kind, request.subresource),
    timeOf(engine),
  );
  if (managed) draft.metadata.managedFields = managed;
}

/**
 * What is not of its type has no owners. A schema of a custom resource lets such through: a list where a text with a format
 * is asked for.
 */
function isTracked({ shape }: ServedKind, draft: Draft): boolean {
  return shape.patchType !== undefined || typedProblems(draft as unknown as Json, shape.fieldType, true).length === 0;
}

/** Who says that there are no entries resets them; who says nothing does not mean them. */
function entriesSaid({ metadata }: Draft): Draft['metadata']['managedFields'] {
  return isSaidEmpty(metadata, 'managedFields') ? [] : metadata.managedFields;
}

export function withoutManagedFields(live: KubeObject): unknown {
  const { managedFields: _, ...metadata } = live.metadata;
  return { ...live, metadata };
}

/** What stands before an object that is created: what all objects of the kind have, whoever writes them. */
export function emptyOf(kind: ServedKind): Json {
  return kind.shape.empty ?? { apiVersion: apiVersionOf(kind), kind: kind.kind };
}

/** The versions of a kind in which managers may own fields, seen from the one that is written to. */
export function versionsOf(engine: Engine, kind: ServedKind, subresource: Subresource): Versions {
  const current = apiVersionOf(kind);
  const own: VersionView = {
    type: kind.shape.fieldType,
    ignored: ignoredFields(kind, subresource),
    convert: (object) => inVersion(engine, kind, object),
  };
  return {
    current,
    view: (version) => (version === current ? own : otherView(engine, kind, version, subresource)),
  };
}

function otherView(
  engine: Engine,
  kind: ServedKind,
  version: string,
  subresource: Subresource,
): VersionView | undefined {
  const other = engine.kinds.defined(groupOf(version), versionOf(version), kind.kind);
  if (other?.storage === kind.storage) {
    return {
      type: other.shape.fieldType,
      // What a write to the main resource resets is known of its own version alone.
      ignored: subresource === 'status' ? ignoredFields(other, subresource) : FieldSet.empty,
      convert: (object) => inVersion(engine, other, object),
    };
  }
  if (kind.shape.patchType) return undefined;
  throw new UntypedError(`request to convert CR to an invalid group/version: ${version}`);
}

/** Custom resources that nobody converts are relabelled: what the other version does not have is found out by its type. */
function inVersion(engine: Engine, kind: ServedKind, object: Json): Json {
  const apiVersion = apiVersionOf(kind);
  const { apiVersion: is = apiVersion } = object as { readonly apiVersion?: string };
  if (is === apiVersion) return object;
  if (!kind.shape.patchType) {
    const reviewer = engine.reviewers.get(kind.storage);
    if (!reviewer) return { ...(object as object), apiVersion };
    const said = object as unknown as KubeObject;
    return convertedBy(reviewer, said, apiVersion, (words) => new UntypedError(words)) as unknown as Json;
  }
  const from = engine.kinds.defined(groupOf(is), versionOf(is), kind.kind);
  const stored = (from?.conversion?.toStored(object as unknown as Draft) ?? object) as unknown as KubeObject;
  return (kind.conversion?.fromStored(stored) ?? { ...stored, apiVersion }) as unknown as Json;
}

const ignored = new WeakMap<ServedKind, { readonly main: FieldSet; readonly status: FieldSet }>();

/** Fields that are reset when they are written through this (sub)resource, so that nobody owns them by it. */
function ignoredFields(kind: ServedKind, subresource: Subresource): FieldSet {
  let sets = ignored.get(kind);
  if (!sets) {
    const { main = [], status = [] } = kind.rules.resetFields ?? {};
    sets = { main: FieldSet.of(...main), status: FieldSet.of(...status) };
    ignored.set(kind, sets);
  }
  return subresource === 'status' ? sets.status : sets.main;
}
