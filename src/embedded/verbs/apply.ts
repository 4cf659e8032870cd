import type { Json, KubeObject } from '../../kube/manifest.js';
import { problemWithoutValue } from '../../schema/field-problem.js';
import { goQuote } from '../../schema/go-format.js';
import type { WriteRequest } from '../api-server.js';
import { ConversionError } from '../built-in/conversion-fault.js';
import type { Draft } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import { UntypedError } from '../fields/compare.js';
import { clashesOfOthers, lastAppliedBy, lastAppliedOf, setLastApplied } from '../fields/last-applied.js';
import { applyManagedFields, writerOf } from '../fields/managed-fields.js';
import { ClashError, type FieldClash } from '../fields/ownership.js';
import { showPath } from '../fields/show-path.js';
import { typedProblems } from '../fields/typed-problems.js';
import type { ServedKind, Shape } from '../kinds/served-kind.js';
import { badRequest, invalid, StatusError, unexplained } from '../status-error.js';
import { apiVersionOf } from './decode.js';
import { isObject, type JsonObject } from './json-object.js';
import { emptyOf, ignoredFields } from './write.js';

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
  request: WriteRequest,
): { readonly draft: Draft; readonly warnings: readonly string[] } {
  if (!request.fieldManager) {
    const problem = problemWithoutValue('FieldValueRequired', 'fieldManager', 'is required for apply patch');
    throw invalid({ group: 'meta.k8s.io', name: 'PatchOptions' }, '', [problem]);
  }
  if (!isObject(body))
    throw badRequest('error decoding YAML: json: cannot unmarshal into Go value of type map[string]interface {}');
  checkType(kind, body);
  const type = kind.shape.fieldType;
  const problems = typedProblems(body, type);
  if (problems.length > 0) throw notTyped(kind, body, problems);
  const now = timeOf(engine);
  const exists = live !== undefined;
  const lastApplied = request.fieldManager === 'kubectl' ? lastAppliedOf(live) : undefined;
  const apply = (force: boolean) =>
    applyManagedFields(
      (live === undefined ? emptyOf(kind) : withoutManagedFields(live)) as Json,
      body,
      live?.metadata.managedFields,
      {
        manager: request.fieldManager ?? '',
        operation: 'Apply',
        apiVersion: apiVersionOf(kind),
        subresource: request.subresource,
      },
      { type, ignored: ignoredFields(kind, request.subresource) },
      { force, now, exists },
    );
  try {
    const { object, managedFields } = passingOver(
      () => apply(request.force === true),
      (clashes) => {
        const others = live && lastApplied !== undefined ? clashesOfOthers(clashes, live, type) : clashes;
        if (others.length > 0) throw clash(others);
        return apply(true);
      },
    );
    const { object: draft } = read(kind, object as JsonObject);
    kind.rules.default?.(draft);
    if (managedFields) draft.metadata.managedFields = managedFields;
    else delete draft.metadata.managedFields;
    if (lastApplied !== undefined) {
      draft.metadata.annotations = setLastApplied(draft.metadata.annotations, lastAppliedBy(body));
    }
    return { draft, warnings: [] };
  } catch (error) {
    if (error instanceof UntypedError) throw unexplained(500, `failed to create typed live object: ${error.message}`);
    if (error instanceof ConversionError) throw unexplained(500, notConverted(kind, body, error.message));
    throw error;
  }
}

function passingOver<T>(act: () => T, onClash: (clashes: readonly FieldClash[]) => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ClashError) return onClash(error.clashes);
    throw error;
  }
}

function read({ shape }: ServedKind, merged: JsonObject): ReturnType<Shape['decode']> {
  return shape.convert ? shape.convert(merged) : shape.decode(merged);
}

function notConverted(kind: ServedKind, body: JsonObject, because: string): string {
  const type = `${kind.group}/${kind.version}, Kind=${kind.kind}`;
  return `failed to convert new object (${subject(kind, body)}) to proper version: unable to convert unstructured object to ${type}: ${because}`;
}

function withoutManagedFields(live: KubeObject): unknown {
  const { managedFields: _, ...metadata } = live.metadata;
  return { ...live, metadata };
}

function checkType(kind: ServedKind, body: JsonObject): void {
  const { metadata } = body;
  const apiVersion = textOr(body['apiVersion']);
  const said = textOr(body['kind']);
  const expected = apiVersionOf(kind);
  if (said === '' && apiVersion === '' && Object.keys(body).length === 0)
    throw badRequest('invalid object type: /, Kind=');
  if (apiVersion !== expected || said !== kind.kind) {
    const [version, group] = apiVersion.split('/').reverse();
    throw badRequest(`invalid object type: ${group ?? ''}/${version}, Kind=${said}`);
  }
  if (isObject(metadata) && Array.isArray(metadata['managedFields'])) {
    throw badRequest('metadata.managedFields must be nil');
  }
}

function textOr(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** These come with code 500, though the same request can never succeed. */
function notTyped(kind: ServedKind, body: JsonObject, problems: readonly string[]): StatusError {
  const all = problems.length === 1 ? problems[0] : `errors:\n${problems.map((each) => `  ${each}`).join('\n')}`;
  return unexplained(500, `failed to create typed patch object (${subject(kind, body)}): ${all}`);
}

function subject({ group, version, kind }: ServedKind, { metadata }: JsonObject): string {
  const { name, namespace } = isObject(metadata) ? metadata : {};
  return `${textOr(namespace)}/${textOr(name)}; ${group}/${version}, Kind=${kind}`;
}

export function clash(clashes: readonly FieldClash[]): StatusError {
  const each = clashes.flatMap(({ manager, fields }) =>
    fields.paths().map((path) => ({ manager: showManager(manager), field: showPath(path) })),
  );
  each.sort((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0));
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: clashMessage(each),
    details: {
      causes: each.map(({ manager, field }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${manager}`,
        field,
      })),
    },
  });
}

function clashMessage(clashes: readonly { readonly manager: string; readonly field: string }[]): string {
  const [first] = clashes;
  if (clashes.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  const managers = [...new Set(clashes.map(({ manager }) => manager))];
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...clashes.filter((each) => each.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${clashes.length} conflicts: ${lines.join('\n')}`;
}

function showManager(id: string): string {
  const { manager, operation, apiVersion, subresource } = writerOf(id);
  const through = subresource === undefined ? '' : ` with subresource ${goQuote(subresource)}`;
  const how = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${goQuote(manager)}${through}${how}`;
}
