import type { JsonPatchOperation } from '../../client/cluster.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { problem } from '../../schema/field-problem.js';
import { goJson } from '../../schema/go-format.js';
import type { Address, PatchRequest, UnreadPatch, WriteRequest, Written } from '../api-server.js';
import { ConversionError } from '../built-in/conversion-fault.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind, Shape } from '../kinds/served-kind.js';
import { goValue } from '../patch/go-value.js';
import { JsonPatchError, jsonPatch } from '../patch/json-patch.js';
import { mergePatch } from '../patch/merge-patch.js';
import { strategicMergePatch } from '../patch/strategic-merge-patch.js';
import { badRequest, conflict, invalid, notFound, StatusError, unsupportedMediaType } from '../status-error.js';
import { applyPatch } from './apply.js';
import { decodingFault, unregistered } from './body-head.js';
import { change } from './change.js';
import { checkName } from './check-name.js';
import { aboutResource, apiVersionOf, judge, withTextProblems } from './decode.js';
import { dropDoubleOwners } from './double-owners.js';
import { isObject } from './json-object.js';
import { own } from './own.js';
import { settleNamespace } from './settle-namespace.js';
import type { Writing } from './writing.js';

/** Lays a patch over the object of the address, or creates it by server-side apply. */
export function patch(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  body: PatchRequest | UnreadPatch,
  request: Writing,
): Written {
  return change(
    engine,
    kind,
    address,
    {
      creates: creates(kind, body, request),
      next(live) {
        if (!live && !isApply(body)) throw notFound(aboutResource(kind), address.name);
        const draft = patchedBy(engine, kind, live, body, request);
        if (!live && draft.metadata.uid) {
          const because = `uid mismatch: the provided object specified uid ${draft.metadata.uid}, and no existing object was found`;
          throw conflict(aboutResource(kind), address.name, because);
        }
        settleNamespace(kind, draft, address.namespace);
        checkName(draft, address);
        dropDoubleOwners(draft, request, ' after mutating admission happens');
        return draft;
      },
    },
    request,
  );
}

/** Only an apply creates, and through a subresource only where an update would, too. */
function creates(kind: ServedKind, body: PatchRequest | UnreadPatch, { subresource }: WriteRequest): boolean {
  return (isApply(body) && subresource === undefined) || kind.rules.allowsCreateOnUpdate === true;
}

function isApply(body: PatchRequest | UnreadPatch): boolean {
  return 'read' in body ? body.isApply : body.type === 'apply';
}

/** What `body` makes of `live`, and who owns what then. Nothing can be patched that is not there. */
export function patchedBy(
  engine: Engine,
  kind: ServedKind,
  live: KubeObject | undefined,
  body: PatchRequest | UnreadPatch,
  request: Writing,
): Draft {
  const { patch, strict } = 'read' in body ? body.read() : { patch: body, strict: request.strictProblems ?? [] };
  const read = { ...request, strictProblems: strict };
  if (patch.type === 'apply') return applyPatch(engine, kind, live, patch.body, read);
  return patched(engine, kind, live as KubeObject, patch, read);
}

function patched(
  engine: Engine,
  kind: ServedKind,
  live: KubeObject,
  body: Exclude<PatchRequest, { type: 'apply' }>,
  request: Writing,
): Draft {
  const result = laidOver(kind, live as unknown as Json, body);
  if (!isObject(result)) throw refusedPatch(shown(result), 'unexpected end of JSON input');
  const asked = () => (body.type === 'strategic' ? goValue(body.body as Json) : shown(result));
  const decoded = read(kind, result, body.type, asked);
  const { object: draft } = decoded;
  const strict = withTextProblems(request, decoded.strict);
  const warnings = judge(strict, request.fieldValidation, () =>
    refusedPatch(asked(), `strict decoding error: ${strict.join(', ')}`),
  );
  request.warnings.push(...warnings);
  kind.rules.default?.(draft);
  own(engine, kind, draft, live, request);
  return draft;
}

/** The result of a strategic patch is converted, whatever kind it says it is of; that of others is decoded. */
function read(
  kind: ServedKind,
  result: { readonly [field: string]: Json },
  type: 'json' | 'merge' | 'strategic',
  asked: () => string,
): ReturnType<Shape['decode']> {
  const { shape } = kind;
  try {
    if (type === 'strategic' && shape.convert) return shape.convert(result);
    const stranger = shape.patchType && strangeKind(kind, result);
    if (stranger) throw refusedPatch(asked(), stranger);
    return shape.decode(result);
  } catch (error) {
    if (error instanceof ConversionError) throw refusedPatch(asked(), error.message);
    if (error instanceof StatusError && error.status.code === 400) throw refusedPatch(asked(), decodingFault(error));
    throw error;
  }
}

function laidOver(kind: ServedKind, live: Json, body: Exclude<PatchRequest, { type: 'apply' }>): Json {
  switch (body.type) {
    case 'json':
      return byOperations(live, body.operations);
    case 'merge':
      if (!isObject(body.body as Json)) throw badRequest('error decoding patch: json: cannot unmarshal into Go value');
      return mergePatch(live, body.body as Json);
    case 'strategic': {
      const { patchType } = kind.shape;
      if (!patchType) {
        throw unsupportedMediaType(
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        );
      }
      return strategicMergePatch(live, body.body as Json, patchType);
    }
  }
}

function byOperations(live: Json, operations: readonly JsonPatchOperation[]): Json {
  try {
    return jsonPatch(live, operations);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new StatusError({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
  }
}

/** How the server says that what a patch makes of an object is no object of its kind. */
function refusedPatch(value: string, because: string): StatusError {
  return invalid({ group: '', name: '' }, '', [problem('FieldValueInvalid', 'patch', value, because)]);
}

const shown = (value: Json) => goJson(value);

/** Why the result of a patch is of no kind of this server, or of another one than before. */
function strangeKind(
  kind: ServedKind,
  { apiVersion, kind: said }: { readonly [field: string]: Json },
): string | undefined {
  if (apiVersion === apiVersionOf(kind) && said === kind.kind) return undefined;
  return unregistered(String(said ?? ''), String(apiVersion ?? ''));
}
