import { type ApiResource, groupKindOf, versionOf } from '../kube/api-resource.js';
import { TerminalError } from '../kube/errors.js';
import type { Json, Manifest, OwnerReference } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { canonicalQuantities } from './canonical-quantities.js';
import { encodedBytes } from './encoded-bytes.js';

/** What a child is held against: the custom resource that it belongs to, and what its operator may create. */
export interface Household {
  readonly resource: ApiResource;
  readonly namespace: string | undefined;
  readonly owns: readonly ApiResource[];
  readonly owner: OwnerReference | undefined;
}

/**
 * What was rendered, in the form in which it is applied: owned, of a kind in `owns`, within reach, and with nothing in it
 * that the server would store otherwise and so show as changed by each apply.
 *
 * A null in a map is left out. Under server-side apply it would claim a field for us, where the server then keeps a
 * default, an empty string or nothing; leaving it out says all that can be said.
 */
export function child(rendered: Manifest, household: Household): Manifest {
  const { resource, owns, owner } = household;
  const kind = owns.find((owned) => groupKindOf(owned) === groupKindOf(rendered));
  if (kind?.apiVersion !== rendered.apiVersion) {
    refuse(household, rendered, `but does not own ${rendered.kind} (${rendered.apiVersion})`, {
      hint: kind ? `owns has it as ${versionOf(kind.apiVersion)}: use one version for both` : 'add it to owns',
    });
  }
  refuseOutOfReach(rendered, household, kind);
  refuseForeignFields(rendered, resource);

  const { name, namespace, ...metadata } = rendered.metadata;
  const meant = withoutNulls({
    ...rendered,
    metadata: {
      name,
      ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
      ...lean(metadata),
      ...(owner ? { ownerReferences: [owner] } : {}),
    },
  } as unknown as Json);
  return canonicalQuantities(encodedBytes(meant as unknown as Manifest));
}

function refuseOutOfReach(rendered: Manifest, household: Household, kind: ApiResource): void {
  const { resource, namespace: own } = household;
  const { namespace } = rendered.metadata;
  if (resource.namespaced && !kind.namespaced) {
    refuse(household, rendered, `but ${kind.kind} is cluster-scoped and out of its reach`, {
      hint: 'a custom resource in a namespace has children in its namespace only',
    });
  }
  if (resource.namespaced && namespace !== own) {
    refuse(household, rendered, `in namespace "${namespace}", but may only in its own${own ? `, "${own}"` : ''}`, {
      hint: 'leave metadata.namespace out',
    });
  }
  if (!resource.namespaced && kind.namespaced && namespace === undefined) {
    refuse(household, rendered, 'but does not say in which namespace', {
      hint: `${resource.kind} is cluster-scoped and has no namespace to pass on: set metadata.namespace`,
    });
  }
}

/** Written by the server, or by the controller for the author. */
const foreignMetadata = [
  'uid',
  'resourceVersion',
  'generation',
  'generateName',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'ownerReferences',
  'selfLink',
];

function refuseForeignFields({ kind, metadata, ...rendered }: Manifest, { kind: parent }: ApiResource): void {
  const foreign =
    rendered['status'] === undefined
      ? foreignMetadata.filter((field) => metadata[field] !== undefined).map((field) => `metadata.${field}`)[0]
      : 'status';
  if (foreign === undefined) return;
  throw new TerminalError(
    `${parent} composes ${show({ kind, name: metadata.name })} with ${foreign}, which is not an author's to write`,
    { hint: `leave ${foreign} out` },
  );
}

/** `Service/cache-service`: the namespace is the custom resource's, and would only lengthen the message. */
function refuse({ resource }: Household, { kind, metadata }: Manifest, why: string, options: { hint: string }): never {
  const where = why.startsWith('in ') ? ' ' : ', ';
  throw new TerminalError(`${resource.kind} composes ${show({ kind, name: metadata.name })}${where}${why}`, options);
}

/** Without empty maps and lists, which the server would count as a change on every apply. */
function lean(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata).filter(
      ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
    ),
  );
}

/** Lists keep theirs: an item has a place. */
function withoutNulls(value: Json): Json {
  if (!holdsNull(value)) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutNulls(item));
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    entries.filter(([, child]) => child !== null).map(([key, child]) => [key, withoutNulls(child)]),
  );
}

/** Hardly any object does, and a look costs less than a copy. */
function holdsNull(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const child of Object.values(value) as Json[]) if (child === null || holdsNull(child)) return true;
  return false;
}
