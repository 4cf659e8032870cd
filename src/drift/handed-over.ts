import { groupKindOf } from '../kube/api-resource.js';
import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { isMap } from '../kube/plain-map.js';
import type { FieldModes } from './drift-policy.js';
import { allInOne, ancientChanges, entriesOf, ownershipOf, owns } from './ownership.js';
import { childAt, indexAt, valuesAt } from './value-at.js';

/**
 * Who scales by the scale subresource under these names is an autoscaler: that of Kubernetes, and KEDA from and to zero.
 * A person's names are others, so that a `kubectl scale` is drift as any change is.
 */
const autoscalers: ReadonlySet<string> = new Set(['kube-controller-manager', ...allInOne, 'keda', 'keda-operator']);

/** Built-in kinds that can be scaled, all of them by `spec.replicas`. */
const scalable: ReadonlySet<string> = new Set(
  ['Deployment', 'StatefulSet', 'ReplicaSet']
    .map((kind) => groupKindOf({ apiVersion: 'apps/v1', kind }))
    .concat(groupKindOf({ apiVersion: 'v1', kind: 'ReplicationController' })),
);
const replicas: readonly string[] = ['f:spec', 'f:replicas'];

interface Child {
  readonly desired: Manifest;
  readonly observed: KubeObject;
  readonly manager: string;
}

/** True when an autoscaler has the field at `trail`, and no rule takes it back. */
export function isAutoscaled(trail: readonly string[], child: Child, modes: FieldModes | undefined): boolean {
  if (modes?.modeOf(trail) === 'enforce') return false;
  return (
    scalings(child).some(({ fieldsV1 = {} }) => owns(fieldsV1, trail)) || (isReplicas(trail) && isScaledLongAgo(child))
  );
}

/** True when an autoscaler has written how many replicas there are. */
export function isScaledByAutoscaler(child: Child): boolean {
  return scalings(child).length > 0 || isScaledLongAgo(child);
}

/** What autoscalers wrote through the scale subresource: nothing but the number, which a custom kind may call what it likes. */
function scalings({ observed }: Child): readonly ManagedFieldsEntry[] {
  return entriesOf(observed).filter(
    ({ manager = '', subresource }) => subresource === 'scale' && autoscalers.has(manager),
  );
}

/**
 * True when somebody wrote it whose name the server has forgotten: but for an autoscaler it was put back before that. While
 * nothing of the child is ours, our own write may be the forgotten one, unless that was of another number.
 */
function isScaledLongAgo({ desired, observed, manager }: Child): boolean {
  const nobodys = entriesOf(observed).filter((entry) => entry.manager === ancientChanges);
  if (!nobodys.some(({ fieldsV1 = {} }) => owns(fieldsV1, replicas))) return false;
  const ours = ownershipOf(observed, manager).fields;
  if (ours.some((fields) => owns(fields, replicas))) return false;
  return ours.length > 0 || valueOfReplicas(observed) !== valueOfReplicas(desired);
}

function valueOfReplicas(child: Manifest): unknown {
  return (child as { readonly spec?: { readonly replicas?: unknown } }).spec?.replicas;
}

/** What of `desired` is applied while an autoscaler has the number, or undefined where it says none that could be scaled. */
export function withoutReplicas(desired: Manifest): Manifest | undefined {
  const { spec } = desired as { readonly spec?: Readonly<Record<string, unknown>> };
  if (!scalable.has(groupKindOf(desired)) || spec?.['replicas'] === undefined) return undefined;
  const { replicas: _, ...rest } = spec;
  return { ...desired, spec: rest } as Manifest;
}

/**
 * `desired` with those fields that it no longer says, and that are to be left to others, as they are: server-side apply
 * would reset them, for nobody else has them yet. Somebody who takes one has it from then on.
 *
 * These are the fields that a rule ignores, and how many replicas there are: who drops that number does so for an
 * autoscaler, and does not want one replica meanwhile.
 * https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling
 */
export function withHeldFields(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  modes: FieldModes | undefined,
): Manifest {
  const isScalable = scalable.has(groupKindOf(desired));
  if (!isScalable && !modes) return desired;
  const isMeant = (trail: readonly string[]) => (isScalable && isReplicas(trail)) || modes?.modeOf(trail) === 'ignore';
  const ours = ownershipOf(observed, manager).fields;
  const others = entriesOf(observed).filter((entry) => entry.manager !== manager || entry.subresource);
  const trails = (
    isScalable && !modes
      ? [replicas].filter((trail) => ours.some((fields) => owns(fields, trail)))
      : ours.flatMap((fields) => leavesOf(fields))
  ).filter((trail) => isMeant(trail) && !others.some(({ fieldsV1 = {} }) => owns(fieldsV1, trail)));
  return trails.reduce<unknown>((held, trail) => withValue(held, observed, trail), desired) as Manifest;
}

/**
 * What of `observed` those managers have whom `isMeant` means, and a rule leaves to others. An item that is not desired goes as a
 * whole, unless a rule is about all of it: what is left in it would be no item that the server takes.
 */
export function leftTo(
  isMeant: (manager: string) => boolean,
  desired: Manifest,
  observed: KubeObject,
  modes: FieldModes | undefined,
): readonly (readonly string[])[] {
  if (!modes) return [];
  const isLeft = (trail: readonly string[]) => (modes.modeOf(trail) ?? 'enforce') !== 'enforce';
  const isInItem = (trail: readonly string[]) =>
    trail.every((segment, depth) => {
      const item = trail.slice(0, depth + 1);
      return !segment.startsWith('k:') || isLeft(item) || valuesAt(desired, item).length > 0;
    });
  return entriesOf(observed)
    .filter(({ manager = '', subresource }) => !subresource && isMeant(manager))
    .flatMap(({ fieldsV1 = {} }) => leavesOf(fieldsV1))
    .filter((trail) => isLeft(trail) && isInItem(trail));
}

function isReplicas(trail: readonly string[]): boolean {
  return trail.length === 2 && trail[0] === replicas[0] && trail[1] === replicas[1];
}

function leavesOf(fields: FieldsV1, trail: readonly string[] = []): (readonly string[])[] {
  return Object.entries(fields).flatMap(([segment, node]) => {
    if (segment === '.') return [];
    const below = leavesOf(node, [...trail, segment]);
    return below.length > 0 ? below : [[...trail, segment]];
  });
}

/** `desired` with the value that `observed` has at `trail`, where it has none. In what it does not have, nothing is held. */
function withValue(desired: unknown, observed: unknown, [segment = '', ...rest]: readonly string[]): unknown {
  if (segment.startsWith('f:')) {
    const name = segment.slice(2);
    if (!isMap(observed) || !Object.hasOwn(observed, name) || !(isMap(desired) || desired === undefined))
      return desired;
    const before = desired?.[name];
    if (rest.length === 0) return before === undefined ? { ...desired, [name]: observed[name] } : desired;
    const after = withValue(before, observed[name], rest);
    return after === before ? desired : { ...desired, [name]: after };
  }
  if (!segment.startsWith('k:') || !Array.isArray(desired) || !Array.isArray(observed) || rest.length === 0)
    return desired;
  const index = indexAt(desired, segment, 'loosely');
  const item = childAt(observed, segment, 'exactly');
  if (index < 0 || item === undefined) return desired;
  const after = withValue(desired[index], item, rest);
  return after === desired[index] ? desired : desired.with(index, after);
}
