import { ApiObject, App, Chart, DependencyGraph } from 'cdk8s';
import { type Construct, Node } from 'constructs';
import { type ApiResource, groupKindOf, versionOf } from '../kube/api-resource.js';
import { OperatorError, TerminalError } from '../kube/errors.js';
import type { KubeObject, Manifest, OwnerReference } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../kube/object-ref.js';
import { controllerReferenceTo } from '../kube/owner-reference.js';
import { TypedObject } from '../resource/typed-object.js';
import { canonicalQuantities } from './canonical-quantities.js';
import { childName } from './child-name.js';
import { refuseDroppedFields } from './dropped-fields.js';
import { plainData } from './plain-data.js';

/** What a custom resource is composed of. */
export interface Composition {
  /** In the order in which they are created: what depends on another comes after it. */
  readonly children: readonly Manifest[];
  /** Which child each name stands for that `compose` returned. */
  readonly returned: Readonly<Record<string, ObjectRef>>;
}

/** Whoever the children belong to. */
interface Composer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string };
}

interface ComposeInput {
  readonly operator: string;
  readonly cr: Composer;
  readonly owns: readonly ApiResource[];
  /** The author's code: creates children in `scope`, and may return some of them by name. */
  build(scope: Construct): Readonly<Record<string, unknown>> | undefined;
}

/**
 * The children of a custom resource.
 *
 * **Guarantees.** Pure: the same custom resource gives the same children, to the order of their keys. All children are
 * plain data, of kinds in `owns`, in the custom resource's namespace, each there once.
 *
 * Throws `TerminalError` that names the construct, the child and the field that is at fault.
 */
export function composition({ operator, cr, owns, build }: ComposeInput): Composition {
  const chart = new CompositionChart(new App(), operator, cr);
  const returned = build(chart) ?? {};
  const owner = cr.metadata.uid === undefined ? undefined : controllerReferenceTo(cr as KubeObject);

  const children = new Map<string, { readonly manifest: Manifest; readonly path: string }>();
  for (const object of inOrder(chart)) {
    const manifest = childOf(object, cr, owns, owner);
    const path = object.node.path.slice(chart.node.path.length + 1);
    const twin = children.get(keyOf(refOf(manifest)));
    if (twin) {
      throw new TerminalError(`${cr.kind} composes ${showShort(manifest)} twice: by ${twin.path} and by ${path}`, {
        hint: 'give one of the constructs another id, or another metadata.name',
      });
    }
    children.set(keyOf(refOf(manifest)), { manifest, path });
  }
  return {
    children: [...children.values()].map(({ manifest }) => manifest),
    returned: returnedRefs(cr, returned),
  };
}

/** Names children after the custom resource instead of after the chart. */
class CompositionChart extends Chart {
  constructor(
    scope: Construct,
    operator: string,
    private readonly cr: Composer,
  ) {
    super(scope, 'composition', {
      ...(cr.metadata.namespace === undefined ? {} : { namespace: cr.metadata.namespace }),
      labels: {
        'app.kubernetes.io/name': cr.kind.toLowerCase(),
        'app.kubernetes.io/managed-by': operator,
        'app.kubernetes.io/created-by': 'kilter',
      },
    });
  }

  override generateObjectName(object: ApiObject): string {
    const depth = Node.of(this).scopes.length;
    return childName(
      this.cr.metadata.name,
      object.node.scopes.slice(depth).map(({ node }) => node.id),
      object.kind,
    );
  }
}

/** The order of construction, or where constructs depend on each other, one that respects it. */
function inOrder(chart: Chart): ApiObject[] {
  const all = chart.node.findAll();
  const depends = all.some(({ node }) => node.dependencies.length > 0);
  const constructs = depends ? new DependencyGraph(chart.node).topology() : all;
  return constructs.filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
}

const serverFields = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink'];

function childOf(
  object: ApiObject,
  cr: Composer,
  owns: readonly ApiResource[],
  owner: OwnerReference | undefined,
): Manifest {
  const subject = `${cr.kind} child ${object.kind}/${object.name}`;
  const isLossless = object instanceof TypedObject;
  const manifest = plainData(object.toJson(), subject) as unknown as Manifest;
  if (!isLossless) refuseDroppedFields(object, manifest as never, subject);

  const kind = owns.find((owned) => groupKindOf(owned) === groupKindOf(manifest));
  if (!kind || kind.apiVersion !== manifest.apiVersion) {
    throw new TerminalError(
      `${cr.kind} composes ${showShort(manifest)}, but does not own ${manifest.kind} (${manifest.apiVersion})`,
      { hint: kind ? `owns has it as ${versionOf(kind.apiVersion)}: use one version for both` : 'add it to owns' },
    );
  }
  if (!kind.namespaced && cr.metadata.namespace !== undefined) {
    throw new TerminalError(
      `${cr.kind} composes ${showShort(manifest)}, which is cluster-scoped and out of its reach`,
      {
        hint: 'a custom resource in a namespace has children in its namespace only',
      },
    );
  }
  const { namespace, ...metadata } = manifest.metadata;
  if (kind.namespaced && namespace !== cr.metadata.namespace && cr.metadata.namespace !== undefined) {
    throw new TerminalError(
      `${cr.kind} composes ${showShort(manifest)} in namespace "${namespace}", and may only in its own, "${cr.metadata.namespace}"`,
      { hint: 'leave metadata.namespace out' },
    );
  }
  for (const field of [...serverFields, 'ownerReferences']) {
    if (metadata[field] === undefined) continue;
    throw new TerminalError(`${subject} cannot be composed: metadata.${field} is not an author's to write`);
  }
  if (manifest['status'] !== undefined) {
    throw new TerminalError(`${subject} cannot be composed: status is not an author's to write`);
  }
  return canonicalQuantities(
    withEncodedData({
      ...manifest,
      metadata: {
        ...lean(metadata),
        ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
        ...(owner ? { ownerReferences: [owner] } : {}),
      } as unknown as Manifest['metadata'],
    }),
  );
}

/** Without empty maps and lists, which the server would count as a change on every apply. */
function lean(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata).filter(
      ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
    ),
  );
}

/** A Secret's `stringData` is for writing only: the server stores `data`, and would never show what was applied. */
function withEncodedData(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret' || manifest.apiVersion !== 'v1') return manifest;
  const { stringData, data, ...rest } = manifest as Manifest & {
    readonly stringData?: Readonly<Record<string, string>>;
    readonly data?: Readonly<Record<string, string>>;
  };
  if (stringData === undefined) return manifest;
  const encoded = Object.entries(stringData).map(
    ([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')] as const,
  );
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } };
}

function returnedRefs(cr: Composer, returned: Readonly<Record<string, unknown>>): Record<string, ObjectRef> {
  const refs: Record<string, ObjectRef> = {};
  for (const [name, value] of Object.entries(returned)) {
    if (value === undefined) continue;
    if (!ApiObject.isApiObject(value)) {
      throw new OperatorError(`${cr.kind} compose returned "${name}", which is no object of Kubernetes`, {
        hint: 'return constructs that were created in scope, by name: { server }',
      });
    }
    const { apiVersion, kind, name: childsName } = value as ApiObject;
    const namespace = (value as ApiObject).metadata.namespace;
    refs[name] = { apiVersion, kind, name: childsName, ...(namespace === undefined ? {} : { namespace }) };
  }
  return refs;
}

/** `Service/cache-service`: the namespace is the custom resource's, and would only lengthen the message. */
function showShort({ kind, metadata: { name } }: Manifest): string {
  return show({ kind, name });
}
