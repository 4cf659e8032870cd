import type { Json, KubeObject } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { problemWithoutValue } from '../../schema/field-problem.js';
import { ConversionError } from '../built-in/conversion-fault.js';
import { type Draft, draftOf } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import { UntypedError } from '../fields/compare.js';
import { clashesOfOthers, lastAppliedBy, lastAppliedOf, setLastApplied } from '../fields/last-applied.js';
import { applyManagedFields } from '../fields/managed-fields.js';
import { ClashError } from '../fields/ownership.js';
import { typedProblems } from '../fields/typed-problems.js';
import { allOf } from '../fields/versions.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest, invalid, unexplained } from '../status-error.js';
import { clash } from './clash.js';
import { apiVersionOf } from './decode.js';
import { emptyOf, versionsOf, withoutManagedFields } from './own.js';
import type { Writing } from './writing.js';

/**
 * Server-side apply: what `body` says, laid over `live`, less what its manager said before and says no longer.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export function applyPatch(
  engine: Engine,
  kind: ServedKind,
  live: KubeObject | undefined,
  body: Json,
  request: Writing,
): Draft {
  if (!request.fieldManager) {
    const problem = problemWithoutValue('FieldValueRequired', 'fieldManager', 'is required for apply patch');
    throw invalid({ group: 'meta.k8s.io', name: 'PatchOptions' }, '', [problem]);
  }
  if (!isMap(body)) {
    throw badRequest('error decoding YAML: json: cannot unmarshal into Go value of type map[string]interface {}');
  }
  checkType(kind, body);
  const before = (live === undefined ? emptyOf(kind) : withoutManagedFields(live)) as JsonMap;
  if (live && isUnowned(live)) {
    // What nobody is known to own is compared with what every object has, and a Scale of a custom resource has nothing.
    emptyOf(kind);
    checkLive(kind, live, before);
  }
  checkPatch(kind, body);
  const { object, managedFields } = merged(engine, kind, before, live, body, request);
  const isSame = live !== undefined && object === (before as Json);
  const draft = isSame ? draftOf(before) : read(kind, body, object as JsonMap);
  if (!isSame) kind.rules.default?.(draft);
  if (managedFields) draft.metadata.managedFields = managedFields;
  else delete draft.metadata.managedFields;
  if (isKubectl(request) && lastAppliedOf(live) !== undefined) {
    draft.metadata.annotations = setLastApplied(draft.metadata.annotations, lastAppliedBy(body));
  }
  judgeText(request);
  return draft;
}

function merged(
  engine: Engine,
  kind: ServedKind,
  before: JsonMap,
  live: KubeObject | undefined,
  body: JsonMap,
  request: Writing,
): ReturnType<typeof applyManagedFields> {
  const { fieldManager = '', subresource, force = false } = request;
  const { fieldType: type } = kind.shape;
  const versions = versionsOf(engine, kind, subresource);
  const writer = { manager: fieldManager, operation: 'Apply', apiVersion: versions.current, subresource } as const;
  const applied = (isForced: boolean) =>
    applyManagedFields(before as Json, body as Json, live?.metadata.managedFields, writer, versions, {
      force: isForced,
      now: timeOf(engine),
      ...(live === undefined ? {} : { empty: () => emptyOf(kind) }),
    });
  try {
    return applied(force);
  } catch (error) {
    if (error instanceof ClashError) {
      const others = live && isKubectl(request) ? clashesOfOthers(error.clashes, live, type) : error.clashes;
      if (others.length > 0) throw clash(others);
      return applied(true);
    }
    if (!(error instanceof UntypedError)) throw error;
    checkLive(kind, live, before);
    throw unexplained(500, error.message);
  }
}

/** These come with code 500, though the same request can never succeed. */
function checkPatch(kind: ServedKind, body: JsonMap): void {
  const { metadata } = body;
  const managedFields = isMap(metadata) ? metadata['managedFields'] : undefined;
  // A list of anything else is not taken for owners, and refused for what it is.
  if (Array.isArray(managedFields) && managedFields.every(isEntry)) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const problems = typedProblems(body, kind.shape.fieldType);
  if (problems.length === 0) return;
  throw unexplained(500, `failed to create typed patch object (${subject(kind, body)}): ${allOf(problems)}`);
}

function isEntry(value: Json): boolean {
  if (!isMap(value)) return false;
  const texts = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'];
  const time = value['time'] ?? undefined;
  const isTime = time === undefined || (typeof time === 'string' && Number.isFinite(Date.parse(time)));
  return isTime && texts.every((field) => ['string', 'undefined'].includes(typeof (value[field] ?? undefined)));
}

/** What nobody is known to own, the server first finds an owner for. */
function checkLive(kind: ServedKind, live: KubeObject | undefined, before: JsonMap): void {
  const problems = typedProblems(before as Json, kind.shape.fieldType, true);
  if (problems.length === 0) return;
  const about = subject(kind, before);
  const failed =
    live && isUnowned(live)
      ? `failed to create manager for existing fields: failed to convert new object (${about}) to smd typed`
      : `failed to create typed live object (${about})`;
  throw unexplained(500, `${failed}: ${allOf(problems)}`);
}

function isUnowned({ metadata }: KubeObject): boolean {
  return (metadata.managedFields?.length ?? 0) === 0;
}

/** It takes over what it applied on its own side before. */
function isKubectl({ fieldManager }: Writing): boolean {
  return fieldManager === 'kubectl';
}

function read(kind: ServedKind, body: JsonMap, object: JsonMap): Draft {
  try {
    return (kind.shape.convert ? kind.shape.convert(object) : kind.shape.decode(object)).object;
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    const { message } = error;
    const into = kind.shape.patchType
      ? `unable to convert unstructured object to ${typeOf(kind)}: ${message}`
      : message;
    throw unexplained(500, `failed to convert new object (${subject(kind, body)}) to proper version: ${into}`);
  }
}

/** An apply is judged strictly by its text alone, for its fields have to be known in any case. */
function judgeText({ strictProblems = [], fieldValidation, warnings }: Writing): void {
  if (strictProblems.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation !== 'Strict') warnings.push(...strictProblems);
  else {
    const said = `yaml: unmarshal errors:\n  ${strictProblems.join('\n  ')}`;
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${said}`);
  }
}

function checkType(kind: ServedKind, body: JsonMap): void {
  const apiVersion = textOr(body['apiVersion']);
  const said = textOr(body['kind']);
  const expected = apiVersionOf(kind);
  if (said === '' && apiVersion === '' && Object.keys(body).length === 0)
    throw badRequest('invalid object type: /, Kind=');
  if (apiVersion !== expected || said !== kind.kind) {
    const [version, group] = apiVersion.split('/').reverse();
    throw badRequest(`invalid object type: ${group ?? ''}/${version}, Kind=${said}`);
  }
}

function textOr(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function subject(kind: ServedKind, { metadata }: JsonMap): string {
  const { name, namespace } = isMap(metadata) ? metadata : {};
  return `${textOr(namespace)}/${textOr(name)}; ${typeOf(kind)}`;
}

function typeOf({ group, version, kind }: ServedKind): string {
  return `${group}/${version}, Kind=${kind}`;
}
