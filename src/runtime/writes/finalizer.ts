import { isGone } from '../../client/api-error.js';
import type { Cluster, JsonPatchOperation } from '../../client/cluster.js';
import { type ApiResource, groupOf } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { withinBytes } from '../telemetry/within-bytes.js';
import { atVersion } from './at-version.js';

interface Writer {
  readonly cluster: Cluster;
  /** The kind of the custom resource. */
  readonly resource: ApiResource;
  /** The operator. */
  readonly manager: string;
  readonly signal: AbortSignal;
}

/**
 * What keeps a custom resource from going before that has gone which no owner reference reaches.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
export function finalizerOf({ apiVersion }: { readonly apiVersion: string }): string {
  return `${groupOf(apiVersion)}/finalizer`;
}

export function hasFinalizer(cr: KubeObject): boolean {
  return cr.metadata.finalizers?.includes(finalizerOf(cr)) ?? false;
}

/** Of a word that does not count as much is told as is enough to find it. */
const longestAsked = 40;

function forceOf({ apiVersion }: { readonly apiVersion: string }): string {
  return `${groupOf(apiVersion)}/force-release`;
}

/**
 * True when a person wants a custom resource to go, whatever it leaves behind: `<group>/force-release: "true"`. What it
 * had outside its reach is then nobody's.
 */
export function isForced(cr: KubeObject): boolean {
  return cr.metadata.annotations?.[forceOf(cr)] === 'true';
}

/** What is to be said to whoever wrote another word than the one that counts, and waits for it in vain. */
export function unheededForce(cr: KubeObject): string | undefined {
  const asked = cr.metadata.annotations?.[forceOf(cr)];
  if (asked === undefined || asked === 'true' || asked === 'false') return undefined;
  return `the annotation ${forceOf(cr)} is ${JSON.stringify(withinBytes(asked, longestAsked))}, and only "true" lets it go`;
}

/**
 * Adds our finalizer, and resolves with the custom resource as it is then; unchanged where it has it.
 *
 * Throws `ConflictError` when the custom resource has changed since it was read: finalizers are a list of many writers,
 * of which no other's entry may be lost. A patch, for an apply would create anew what has gone meanwhile.
 */
export async function addFinalizer(cr: KubeObject, writer: Writer): Promise<KubeObject> {
  if (hasFinalizer(cr)) return cr;
  const { finalizers = [] } = cr.metadata;
  const mine = finalizerOf(cr);
  return patch(cr, writer, [
    finalizers.length === 0
      ? { op: 'add', path: '/metadata/finalizers', value: [mine] }
      : { op: 'add', path: '/metadata/finalizers/-', value: mine },
  ]);
}

/** Takes our finalizer away, so that the custom resource may go. Throws `ConflictError` as `addFinalizer` does. */
export async function removeFinalizer(cr: KubeObject, writer: Writer): Promise<void> {
  const index = cr.metadata.finalizers?.indexOf(finalizerOf(cr)) ?? -1;
  if (index < 0) return;
  try {
    await patch(cr, writer, [{ op: 'remove', path: `/metadata/finalizers/${index}` }]);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function patch(
  cr: KubeObject,
  { cluster, resource, manager, signal }: Writer,
  operations: readonly JsonPatchOperation[],
): Promise<KubeObject> {
  return cluster.patch(
    resource,
    placeOf(cr.metadata),
    { type: 'json', operations: [atVersion(cr), ...operations] },
    { fieldManager: `${manager}-finalizer`, signal },
  );
}
