import type { Json, KubeObject } from '../../kube/manifest.js';
import { problem } from '../../schema/field-problem.js';
import type { Address, PatchRequest, WriteRequest, Written } from '../api-server.js';
import { type Draft, draftOf } from '../draft.js';
import { type Engine, timeOf } from '../engine.js';
import { FieldSet } from '../fields/field-set.js';
import { applyManagedFields } from '../fields/managed-fields.js';
import { ClashError } from '../fields/ownership.js';
import type { ScalePaths, ServedKind } from '../kinds/served-kind.js';
import { jsonPatch } from '../patch/json-patch.js';
import { mergePatch } from '../patch/merge-patch.js';
import { badRequest, conflict, invalid, noSuchPath } from '../status-error.js';
import { clash } from './apply.js';
import { aboutResource, apiVersionOf } from './decode.js';
import { isObject } from './json-object.js';
import { found, optimisticLock, own, replace } from './write.js';

type Field = Readonly<Record<string, unknown>>;

/**
 * An object as its scale subresource shows it.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/scale/
 */
export function scaleOf(kind: ServedKind, object: KubeObject): KubeObject {
  const paths = pathsOf(kind);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = at(object, paths.specReplicas);
  const selector = paths.selector === undefined ? undefined : selectorText(at(object, paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: { replicas: Number(at(object, paths.statusReplicas) ?? 0), ...(selector ? { selector } : {}) },
  } as unknown as KubeObject;
}

/** Changes the replicas of an object through its scale subresource, by a whole Scale. */
export function updateScale(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  body: Json,
  request: WriteRequest,
): Written {
  const live = found(engine, kind, address);
  return scaleTo(engine, kind, live, body, request);
}

/** The same by a patch of the Scale. */
export function patchScale(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  patch: PatchRequest,
  request: WriteRequest,
): Written {
  const live = found(engine, kind, address);
  const scale = scaleOf(kind, live) as unknown as Json;
  switch (patch.type) {
    case 'json':
      return scaleTo(engine, kind, live, jsonPatch(scale, patch.operations), request);
    case 'apply':
      return applyScale(engine, kind, live, patch.body, request);
    // A Scale has no lists, for which a strategic merge patch would be another one.
    default:
      return scaleTo(engine, kind, live, mergePatch(scale, patch.body as Json), request);
  }
}

function scaleTo(engine: Engine, kind: ServedKind, live: KubeObject, scale: Json, request: WriteRequest): Written {
  const replicas = replicasOf(scale, live.metadata.name);
  const said = (isObject(scale) && isObject(scale['metadata']) ? scale['metadata'] : {}) as Draft['metadata'];
  if (said.resourceVersion && said.resourceVersion !== live.metadata.resourceVersion) {
    throw conflict(aboutResource(kind), live.metadata.name, optimisticLock);
  }
  const draft = withReplicas(kind, live, replicas);
  own(engine, kind, draft, live, request);
  asScales(draft, request, replicas);
  const written = replace(engine, kind, live, draft, [], { ...request, subresource: 'scale' });
  return { ...written, object: scaleOf(kind, written.object) };
}

function applyScale(engine: Engine, kind: ServedKind, live: KubeObject, scale: Json, request: WriteRequest): Written {
  const replicas = replicasOf(scale, live.metadata.name);
  const draft = withReplicas(kind, live, replicas);
  const apiVersion = apiVersionOf(kind);
  const config = { apiVersion, kind: kind.kind };
  put(config, pathsOf(kind).specReplicas, replicas);
  try {
    const { managedFields } = applyManagedFields(
      live as unknown as Json,
      config as Json,
      live.metadata.managedFields,
      { manager: request.fieldManager ?? '', operation: 'Apply', apiVersion, subresource: 'scale' },
      { type: kind.shape.fieldType, ignored: FieldSet.empty },
      { force: request.force === true, now: timeOf(engine), exists: true },
    );
    if (managedFields) draft.metadata.managedFields = managedFields;
  } catch (error) {
    if (error instanceof ClashError) throw clash(error.clashes);
    throw error;
  }
  const written = replace(engine, kind, live, draft, [], { ...request, subresource: 'scale' });
  return { ...written, object: scaleOf(kind, written.object) };
}

/** In a Scale no replicas are not written, and so owned by nobody; and its entries carry no time. */
function asScales({ metadata }: Draft, { fieldManager }: WriteRequest, replicas: number): void {
  if (!metadata.managedFields) return;
  metadata.managedFields = metadata.managedFields.flatMap((entry) => {
    if (entry.subresource !== 'scale' || entry.manager !== fieldManager) return [entry];
    const { time: _, ...timeless } = entry;
    return replicas === 0 ? [] : [timeless];
  });
}

function withReplicas(kind: ServedKind, live: KubeObject, replicas: number): Draft {
  const draft = draftOf(live);
  put(draft, pathsOf(kind).specReplicas, replicas);
  return draft;
}

function replicasOf(scale: Json, name: string): number {
  if (!isObject(scale)) throw badRequest('the object provided is unrecognized (must be of type Scale)');
  const { kind, spec } = scale;
  if (kind !== undefined && kind !== 'Scale') {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: no kind ${JSON.stringify(kind)} is registered`,
    );
  }
  const replicas = isObject(spec) ? (spec['replicas'] ?? 0) : 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    const type = typeof replicas === 'number' ? `number ${replicas}` : typeof replicas;
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${type} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', name: 'Scale' }, name, [
      problem('FieldValueInvalid', 'spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  return replicas;
}

function pathsOf(kind: ServedKind): ScalePaths {
  if (!kind.subresources.scale) throw noSuchPath();
  return kind.subresources.scale;
}

function at(object: KubeObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Field | undefined)?.[name], object);
}

function put(object: object, path: readonly string[], value: unknown): void {
  let place = object as Record<string, unknown>;
  for (const name of path.slice(0, -1)) {
    place[name] = { ...(place[name] as Field | undefined) };
    place = place[name] as Record<string, unknown>;
  }
  place[path.at(-1) as string] = value;
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** A label selector as text; custom resources keep theirs as text, replication controllers as a map. */
function selectorText(selector: unknown): string | undefined {
  if (selector === undefined || typeof selector === 'string') return selector;
  const { matchLabels, matchExpressions = [], ...plain } = selector as LabelSelector;
  const labels = Object.entries({ ...plain, ...matchLabels } as Record<string, string>);
  const terms = [
    ...labels.map(([key, value]) => [key, `${key}=${value}`] as const),
    ...matchExpressions.map(({ key, operator, values = [] }) => [key, expressionText(key, operator, values)] as const),
  ];
  return terms
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  switch (operator) {
    case 'In':
      return `${key} in (${[...values].sort().join(',')})`;
    case 'NotIn':
      return `${key} notin (${[...values].sort().join(',')})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
