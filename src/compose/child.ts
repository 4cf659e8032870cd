import { type ApiResource, kindAmong, versionOf } from '../kube/api-resource.js';
import { isDns1123Label } from '../kube/dns-names.js';
import { TerminalError } from '../kube/errors.js';
import type { Json, Manifest, OwnerReference } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { ownerLabels } from '../kube/owner-labels.js';
import type { Reach } from '../kube/reach.js';
import { removal, removalOf, removals } from '../kube/removal.js';
import { canonicalQuantities } from './canonical-quantities.js';
import { encodedBytes } from './encoded-bytes.js';
import { labelValue } from './label-value.js';
import { refuseDoubles } from './refuse-doubles.js';
import { schemaOfKind } from './schema-of-kind.js';
import { withoutNulls } from './without-nulls.js';

/** What a child is held against: the custom resource that it belongs to, and what its operator may create. */
export interface Household {
  readonly resource: ApiResource;
  readonly namespace: string | undefined;
  readonly owns: readonly ApiResource[];
  readonly reach: Reach;
  readonly owner: OwnerReference | undefined;
  /** True where children outlive their owner, and so cannot have a reference to it. */
  readonly isOutlived?: boolean;
}

/**
 * What was rendered, in the form in which it is applied: owned, of a kind in `owns`, within reach, and with nothing in it
 * that the server would store otherwise and so show as changed by each apply.
 */
export function child(rendered: Manifest, household: Household): Manifest {
  const { resource, owns, owner } = household;
  const kind = kindAmong(owns, rendered);
  if (kind?.apiVersion !== rendered.apiVersion) {
    refuse(household, rendered, `but does not own ${rendered.kind} (${rendered.apiVersion})`, {
      hint: kind ? `owns has it as ${versionOf(kind.apiVersion)}: use one version for both` : 'add it to owns',
    });
  }
  refuseOutOfReach(rendered, household, kind);
  refuseForeignFields(rendered, resource);
  refuseUnknownRemoval(rendered, resource);
  refuseDoubles(rendered, resource.kind);

  const { name, namespace, ...given } = rendered.metadata;
  const isOutside =
    isFar(rendered, household, kind) || removalOf(rendered) === 'orphan' || household.isOutlived === true;
  const metadata = isOutside ? { ...given, labels: { ...given.labels, ...labelsOf(household) } } : given;
  const bound = {
    ...rendered,
    metadata: {
      name,
      ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
      ...lean(metadata),
      ...(owner && !isOutside ? { ownerReferences: [owner] } : {}),
    },
  };
  const meant = withoutNulls(bound as unknown as Json, schemaOfKind(kind));
  return canonicalQuantities(encodedBytes(meant as unknown as Manifest));
}

/** True for what an owner reference cannot reach: https://kubernetes.io/docs/concepts/architecture/garbage-collection/ */
function isFar({ metadata }: Manifest, { resource, namespace }: Household, kind: ApiResource): boolean {
  return resource.namespaced && (!kind.namespaced || metadata.namespace !== namespace);
}

/** What says whose a child is that has no owner reference. Before the cluster knows its owner, nothing does. */
export function labelsOf({
  resource,
  namespace,
  owner,
}: Pick<Household, 'resource' | 'namespace' | 'owner'>): Readonly<Record<string, string>> {
  if (!owner) return {};
  const labels = ownerLabels(resource);
  return {
    [labels.name]: labelValue(owner.name),
    ...(namespace === undefined ? {} : { [labels.namespace]: labelValue(namespace) }),
    [labels.uid]: owner.uid,
  };
}

function refuseOutOfReach(rendered: Manifest, household: Household, kind: ApiResource): void {
  const { resource, namespace: own, reach } = household;
  const { namespace } = rendered.metadata;
  if (resource.namespaced && !kind.namespaced && reach !== 'cluster') {
    refuse(household, rendered, `but ${kind.kind} is cluster-scoped and out of its reach`, {
      hint: 'a custom resource in a namespace has children in namespaces only, unless its operator says reach: cluster',
    });
  }
  if (resource.namespaced && kind.namespaced && namespace !== own && reach === 'namespace') {
    refuse(household, rendered, `in namespace "${namespace}", but may only in its own${own ? `, "${own}"` : ''}`, {
      hint: 'leave metadata.namespace out, or define the operator with reach: consent',
    });
  }
  if (kind.namespaced && namespace !== own && namespace !== undefined && !isDns1123Label(namespace)) {
    refuse(household, rendered, `in namespace "${namespace}", which is no name of a namespace`, {
      hint: 'use at most 63 lower-case letters, digits and dashes',
    });
  }
  if (!resource.namespaced && kind.namespaced && namespace === undefined) {
    refuse(household, rendered, 'but does not say in which namespace', {
      hint: `${resource.kind} is cluster-scoped and has no namespace to pass on: set metadata.namespace`,
    });
  }
}

function refuseUnknownRemoval({ kind, metadata }: Manifest, { kind: parent }: ApiResource): void {
  const asked = metadata.annotations?.[removal];
  if (asked === undefined || removals.some((each) => each === asked)) return;
  throw new TerminalError(
    `${parent} composes ${show({ kind, name: metadata.name })} with ${removal} "${asked}", which means nothing`,
    { hint: `write ${removals.join(', ')}` },
  );
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
