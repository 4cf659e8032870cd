import type { JsonPatchOperation } from '../../client/cluster.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { problem } from '../../schema/field-problem.js';
import { goJson, goQuote } from '../../schema/go-format.js';
import type { Address, PatchRequest, UnreadPatch, WriteRequest, Written } from '../api-server.js';
import { ConversionError } from '../built-in/conversion-fault.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind, Shape } from '../kinds/served-kind.js';
import { goValue } from '../patch/go-value.js';
import { JsonPatchError, jsonPatch } from '../patch/json-patch.js';
import { mergePatch } from '../patch/merge-patch.js';
import { spentPatch } from '../patch/spent-patch.js';
import { strategicMergePatch } from '../patch/strategic-merge-patch.js';
import { conflict, invalid, notFound, StatusError, tooLarge, unsupportedMediaType } from '../status-error.js';
import { applyPatch } from './apply.js';
import { decodingFault, isHeadless, patchedHeadFault } from './body-head.js';
import { change } from './change.js';
import { checkName } from './check-name.js';
import { aboutResource, judge, withTextProblems } from './decode.js';
import { dropDoubleOwners } from './double-owners.js';
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
    { ...request, isApply: isApply(body) },
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
  const asked = () => (body.type === 'strategic' ? spent(kind, live, body.body as Json) : shown(result));
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
  result: Json,
  type: 'json' | 'merge' | 'strategic',
  asked: () => string,
): ReturnType<Shape['decode']> {
  const { shape } = kind;
  try {
    if (type === 'strategic' && shape.convert) return shape.convert(result as JsonMap);
    const fault = patchedHeadFault(kind, result);
    if (fault !== undefined) throw refusedPatch(asked(), fault);
    if (shape.patchType && isHeadless(result)) return headless(shape, result as JsonMap);
    return inOrder(result as JsonMap, (object) => shape.decode(object));
  } catch (error) {
    if (error instanceof ConversionError) throw refusedPatch(asked(), error.message);
    if (error instanceof StatusError && error.status.code === 400) throw refusedPatch(asked(), decodingFault(error));
    throw error;
  }
}

/** What was patched is written anew with its fields in order, so that the first that is wrong is the first of them. */
function inOrder(result: JsonMap, decode: Shape['decode']): ReturnType<Shape['decode']> {
  try {
    const decoded = decode(result);
    if (decoded.strict.length < 2) return decoded;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
  return decode(sorted(result) as JsonMap);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as Json)]));
}

/** A strategic patch as the server shows it, once it has merged it. */
function spent({ shape }: ServedKind, live: unknown, patch: Json): string {
  return goValue(shape.patchType ? spentPatch(live as Json, patch, shape.patchType) : patch);
}

/** An object as the server has it within knows its fields by other names. */
function headless(shape: Shape, result: JsonMap): ReturnType<Shape['decode']> {
  const unknown = Object.keys(result).filter((field) => field !== 'apiVersion' && field !== 'kind');
  return { object: shape.decode({}).object, strict: unknown.sort().map((field) => `unknown field ${goQuote(field)}`) };
}

function laidOver(kind: ServedKind, live: Json, body: Exclude<PatchRequest, { type: 'apply' }>): Json {
  switch (body.type) {
    case 'json':
      return byOperations(live, body.operations);
    case 'merge':
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

const mostOperations = 10_000;

function byOperations(live: Json, operations: readonly JsonPatchOperation[]): Json {
  if (operations.length > mostOperations) {
    const because = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`;
    throw tooLarge(because);
  }
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
