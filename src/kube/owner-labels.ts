import { groupOf } from './api-resource.js';
import type { Manifest } from './manifest.js';

/** The labels that say whose a child is, where an owner reference would be illegal: they use the group of the owner. */
export interface OwnerLabels {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

export function ownerLabels({ apiVersion }: { readonly apiVersion: string }): OwnerLabels {
  const group = groupOf(apiVersion);
  return { name: `${group}/owner-name`, namespace: `${group}/owner-namespace`, uid: `${group}/owner-uid` };
}

const suffix = '/owner-uid';

/** True for a label that says by its uid whose an object is, of whatever group that is. */
export function isOwnerUid(label: string): boolean {
  return label.endsWith(suffix);
}

/** Whose an object is by its labels, as a person is told it: `prod/cache`, or undefined where they say nothing. */
export function labelledOwner({ metadata }: Pick<Manifest, 'metadata'>): string | undefined {
  const labels = metadata.labels ?? {};
  const uid = Object.keys(labels).find(isOwnerUid);
  if (uid === undefined) return undefined;
  const group = uid.slice(0, -suffix.length);
  const { [`${group}/owner-name`]: name = labels[uid], [`${group}/owner-namespace`]: namespace } = labels;
  return ownerInWords({ name, namespace }, group);
}

/** How `labelledOwner` calls the custom resource of this name and group. */
export function ownerInWords(
  { name, namespace }: { readonly name: string | undefined; readonly namespace: string | undefined },
  group: string,
): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${name} of ${group}`;
}
