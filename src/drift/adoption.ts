import type { AdoptMode } from '../kube/adopt.js';
import type { FieldsV1, KubeObject, ManagedFieldsEntry } from '../kube/manifest.js';
import { labelledOwner } from '../kube/owner-labels.js';
import { controllerOf } from '../kube/owner-reference.js';
import type { Owner } from './belonging.js';
import { subtreeAt } from './claimed.js';
import { appliedHash } from './hash.js';
import { entriesOf, unite, without } from './ownership.js';
import type { Remembered } from './remembered.js';

export interface Adoption {
  readonly mode: AdoptMode;
  /** True for the uid of a custom resource of this operator that there is. */
  isAlive(uid: string): boolean;
}

/**
 * True when an object that is not a child of `owner` may be made one by an operator that is, or was, called one of `names`.
 *
 * The label of a former owner is of its group, in which there may be other kinds. Of those nobody here knows who is alive.
 */
export function isAdoptable(
  object: KubeObject,
  { uidLabel }: Owner,
  { mode, isAlive }: Adoption,
  names: readonly string[],
): boolean {
  if (mode === 'never' || controllerOf(object)) return false;
  if (labelledOwner(object) === undefined) return true;
  const uid = uidLabel === undefined ? undefined : object.metadata.labels?.[uidLabel];
  return mode === 'always' && uid !== undefined && !isAlive(uid) && isMadeBy(names, object);
}

/** By its label, which a backup keeps, or, where an author gave it another, by its managed fields. */
function isMadeBy(names: readonly string[], object: KubeObject): boolean {
  const writers = entriesOf(object).filter(({ subresource }) => !subresource);
  return [object.metadata.labels?.[managedBy], ...writers.map(({ manager }) => manager)].some(
    (name) => name !== undefined && names.includes(name),
  );
}

const managedBy = 'app.kubernetes.io/managed-by';

/** Who wrote whole objects for people, and has nothing to say any more once an operator has taken over. */
const tools =
  /^(before-first-apply|helm|Helm|kubectl|kubectl-(client-side-apply|create|run|expose|autoscale|replace|edit|patch|set|label|annotate)|argocd-(application-)?controller|(kustomize|helm)-controller)$/;

/** True for a manager whose fields an adopted object's new operator inherits. */
export function isTool(manager: string): boolean {
  return tools.test(manager);
}

/**
 * `object` as if we had written what the managers wrote whom `isHeired` means, but for what lies at `kept`. Undefined when
 * they wrote nothing.
 *
 * As long as another manager owns a field, an apply that does not say it leaves it there for ever. This is what
 * `kubectl apply --server-side` does when it takes over from its older self:
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#upgrading-from-client-side-apply-to-server-side-apply
 */
export function inheriting(
  object: KubeObject,
  manager: string,
  isHeired: (manager: string) => boolean,
  kept: readonly (readonly string[])[],
): KubeObject | undefined {
  const entries = entriesOf(object);
  const isMeant = (entry: ManagedFieldsEntry) =>
    entry.manager !== manager && !entry.subresource && isHeired(entry.manager ?? '');
  const heired = entries.filter(isMeant);
  if (heired.length === 0) return undefined;
  const isOurs = (entry: ManagedFieldsEntry) =>
    entry.manager === manager && entry.operation === 'Update' && !entry.subresource;
  const ours = entries.find(isOurs) ?? { ...heired[0]!, manager, operation: 'Update', apiVersion: object.apiVersion };
  const keptOf = ({ fieldsV1 = {} }: ManagedFieldsEntry): FieldsV1 =>
    kept.map((trail) => subtreeAt(fieldsV1, trail)).reduce(unite, {});
  const inherited = heired.map((entry) => without(entry.fieldsV1 ?? {}, keptOf(entry))).reduce(unite, {});
  const fields = isOurs(ours) && entries.includes(ours) ? unite(ours.fieldsV1 ?? {}, inherited) : inherited;
  const managedFields = [
    ...entries
      .filter((entry) => !isOurs(entry))
      .map((entry) => (isMeant(entry) ? { ...entry, fieldsV1: keptOf(entry) } : entry))
      .filter(({ fieldsV1 = {} }) => Object.keys(fieldsV1).length > 0),
    { ...ours, fieldsV1: fields },
  ];
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** It is nobody else's by now, and we saw it as our own, or it says that it was made for this owner. */
export function wasOurs(
  observed: KubeObject,
  hash: string,
  last: Remembered | undefined,
  { uidLabel = '' }: Owner,
  { mode, isAlive }: Adoption,
): boolean {
  const uid = observed.metadata.labels?.[uidLabel];
  const isAnothers = mode !== 'never' && uid !== undefined && isAlive(uid);
  if (controllerOf(observed) || isAnothers) return false;
  return last !== undefined || observed.metadata.annotations?.[appliedHash] === hash;
}
