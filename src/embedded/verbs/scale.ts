import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { problem } from '../../schema/field-problem.js';
import type { Address, PatchRequest, UnreadPatch, Written } from '../api-server.js';
import { shapeOf } from '../built-in/built-in-shape.js';
import { ConversionError } from '../built-in/conversion-fault.js';
import { type Draft, draftOf } from '../draft.js';
import type { Engine } from '../engine.js';
import type { FieldPath } from '../fields/field-set.js';
import { ownersByScale, ownersOfScale, type ReplicasPath } from '../fields/scale-ownership.js';
import type { ScalePaths, ServedKind, Shape } from '../kinds/served-kind.js';
import { badRequest, conflict, internalError, invalid, noSuchPath, StatusError, unexplained } from '../status-error.js';
import { change } from './change.js';
import { checkName } from './check-name.js';
import { aboutResource, apiVersionOf, decode } from './decode.js';
import { metadataProblems } from './metadata-rules.js';
import { own } from './own.js';
import { patchedBy } from './patch.js';
import { labelSelectorText } from './selector-text.js';
import { settleNamespace } from './settle-namespace.js';
import type { Writing } from './writing.js';

type Field = Readonly<Record<string, unknown>>;

/**
 * An object as its scale subresource shows it. Throws a `StatusError` (500) for a custom resource that does not say how
 * many replicas it has.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/scale/
 */
export function scaleOf(kind: ServedKind, object: KubeObject): KubeObject {
  const paths = pathsOf(kind);
  if (at(object, paths.specReplicas) === undefined) {
    const because = `the spec replicas field ${JSON.stringify(shown(paths))} does not exist`;
    throw internalError(`Internal error occurred: ${because}`);
  }
  return scaleFrom(paths, object);
}

/** What a custom resource is taken to have that has no replicas, to tell whether a patch gave it some. */
const unset = -(2 ** 31);

function scaleFrom(paths: ScalePaths, object: KubeObject, replicas = at(object, paths.specReplicas)): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? undefined : labelSelectorText(at(object, paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: { replicas: Number(at(object, paths.statusReplicas) ?? 0), ...(selector ? { selector } : {}) },
  } as unknown as KubeObject;
}

/** Changes the replicas of an object through its scale subresource, by a whole Scale. */
export function updateScale(engine: Engine, kind: ServedKind, address: Address, body: Json, request: Writing): Written {
  const scaleKind = scaleKindOf(kind);
  const draft = decodeScale(scaleKind, body, request);
  settleNamespace(kind, draft, address.namespace);
  checkName(draft, address);
  return scaled(engine, kind, address, draft.metadata.uid, request, (live) => {
    own(engine, scaleKind, draft, live, request);
    return draft;
  });
}

/** Where custom resources are served the server does not know Scales well enough to say what is wrong with one. */
function decodeScale(scaleKind: ServedKind, body: Json, request: Writing): Draft {
  try {
    return decode(scaleKind, body, request);
  } catch (error) {
    const isUnread = error instanceof StatusError && error.status.code === 400;
    if (!isUnread || scaleKind.shape.patchType || error.message.startsWith('the API version')) throw error;
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

/** The same by a patch of the Scale. */
export function patchScale(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  patch: PatchRequest | UnreadPatch,
  request: Writing,
): Written {
  const scaleKind = scaleKindOf(kind);
  return scaled(engine, kind, address, undefined, request, (live) => {
    const draft = patchedBy(engine, scaleKind, live, patch, request);
    settleNamespace(kind, draft, address.namespace);
    checkName(draft, address);
    return draft;
  });
}

function scaled(
  engine: Engine,
  kind: ServedKind,
  address: Address,
  uid: string | undefined,
  request: Writing,
  nextScale: (live: KubeObject) => Draft,
): Written {
  const paths = pathsOf(kind);
  const isCustom = kind.shape.patchType === undefined;
  const pathIn = replicasPathsOf(engine, kind);
  const next = (object: KubeObject | undefined): Draft => {
    const live = object as KubeObject;
    const owners = ownersOfScale(live.metadata.managedFields, pathIn);
    const before = scaleFrom(paths, live, at(live, paths.specReplicas) ?? unset);
    const scale = nextScale({
      ...before,
      metadata: { ...before.metadata, ...(owners === undefined ? {} : { managedFields: owners }) },
    });
    const replicas = ((scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0) as number;
    if (isCustom && replicas === unset) {
      throw badRequest(`the spec replicas field ${JSON.stringify(shown(paths))} cannot be empty`);
    }
    if (!isCustom) checkScale(kind, live, scale, replicas);
    const draft = draftOf(live);
    put(draft, paths.specReplicas, replicas);
    const { resourceVersion } = scale.metadata;
    if (resourceVersion) draft.metadata.resourceVersion = resourceVersion;
    else if (!isCustom) delete draft.metadata.resourceVersion;
    const managed = ownersByScale(
      live.metadata.managedFields,
      scale.metadata.managedFields,
      apiVersionOf(kind),
      pathIn,
    );
    if (managed) draft.metadata.managedFields = managed;
    else delete draft.metadata.managedFields;
    return draft;
  };
  const written = change(engine, kind, address, { uid, creates: false, next }, { ...request, subresource: 'scale' });
  return { ...written, object: scaleFrom(paths, written.object) };
}

function checkScale(kind: ServedKind, live: KubeObject, scale: Draft, replicas: number): void {
  const { metadata } = scale;
  const { name, uid } = live.metadata;
  const problems = metadataProblems({ ...kind, rules: {} }, scale as unknown as KubeObject);
  if (replicas < 0) {
    problems.push(problem('FieldValueInvalid', 'spec.replicas', replicas, 'must be greater than or equal to 0'));
  }
  if (problems.length > 0) throw invalid({ group: 'autoscaling', name: 'Scale' }, name, problems);
  if (!metadata.uid || metadata.uid === uid) return;
  const { group, name: plural } = aboutResource(kind);
  const because = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
  throw conflict({ group, name: `${plural}/scale` }, name, because);
}

const scaleKinds = new WeakMap<ServedKind, ServedKind>();

/** How a Scale of a kind is read and owned. It is of no version but its own. */
function scaleKindOf(kind: ServedKind): ServedKind {
  let scaleKind = scaleKinds.get(kind);
  if (!scaleKind) {
    const { conversion: _, ...rest } = kind;
    const shape = shapeOf('autoscaling/v1', 'Scale') as Shape;
    const of = { group: 'autoscaling', version: 'v1', kind: 'Scale', listKind: 'ScaleList', rules: {} };
    scaleKind = { ...rest, ...of, shape: kind.shape.patchType ? shape : ofCustom(shape) };
    scaleKinds.set(kind, scaleKind);
  }
  return scaleKind;
}

/** The Scale of a custom resource takes no strategic patch, and what is applied to it cannot be converted back. */
function ofCustom(shape: Shape): Shape {
  return {
    decode: (body) => shape.decode(body),
    convert() {
      throw new ConversionError(notConverted);
    },
    fieldType: shape.fieldType,
    // Asked for when nobody is known to own anything of it.
    get empty(): Json {
      const because = `failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ${notConverted}`;
      throw unexplained(500, `failed to create manager for existing fields: ${because}`);
    },
  };
}

const notConverted = 'request to convert CR to an invalid group/version: autoscaling/v1';

function replicasPathsOf(engine: Engine, kind: ServedKind): ReplicasPath {
  const pathOf = ({ subresources: { scale } }: ServedKind): FieldPath | null =>
    scale ? scale.specReplicas.map((name) => `f:${name}`) : null;
  return (version) => {
    if (version === apiVersionOf(kind)) return pathOf(kind);
    const other = engine.kinds.defined(groupOf(version), versionOf(version), kind.kind);
    return other?.storage === kind.storage ? pathOf(other) : undefined;
  };
}

function pathsOf(kind: ServedKind): ScalePaths {
  if (!kind.subresources.scale) throw noSuchPath();
  return kind.subresources.scale;
}

function shown({ specReplicas }: ScalePaths): string {
  return `.${specReplicas.join('.')}`;
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
