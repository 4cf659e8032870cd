import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Json, KubeObject } from '../../src/kube/manifest.js';

const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** What a child was made from, its owner's uid and name included. */
const hash = 'kilter.dev/applied-hash';

/** Fields that no two runs have in common: versions and times. */
const passing = new Set(['resourceVersion', 'creationTimestamp', 'lastTransitionTime', 'lastSyncTime', 'time']);

/** Whose work is compared, and under which name it was done. */
export interface Comparison {
  readonly name: string;
  /** The kind of the custom resources. */
  readonly resource: ApiResource;
  readonly manager: string;
}

/**
 * Objects as they are compared between two runs: sorted, under the name `$name` in place of the run's, without what
 * differs between any two runs, and without the status of other kinds, which their own controllers keep. A uid is told as
 * what it is the uid of, so that a child of an owner that is gone is not taken for a child of the one that is there.
 */
export function comparable(objects: readonly KubeObject[], { name, resource, manager }: Comparison): readonly Json[] {
  const living = new Map(objects.map(({ kind, metadata }) => [metadata.uid, `$uid of ${kind}/${metadata.name}`]));
  const told = (text: string) => text.replace(uids, (uid) => living.get(uid) ?? '$gone').replaceAll(name, '$name');
  const all = objects.map((object) => {
    const { status, ...rest } = object as KubeObject & { status?: unknown };
    // Controllers of Kubernetes take part too, when they please.
    const managedFields = object.metadata.managedFields?.filter(
      (each) => each.manager === manager && !each.subresource,
    );
    // How many steps a child took to get here depends on which of the states in between were seen.
    const child = { ...object.metadata, managedFields, generation: undefined };
    const metadata = object.kind === resource.kind ? { ...object.metadata, managedFields: undefined } : child;
    return stripped(object.kind === resource.kind ? { ...rest, status, metadata } : { ...rest, metadata }, told);
  });
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function stripped(value: unknown, told: (text: string) => string): Json {
  if (typeof value === 'string') return told(value);
  if (Array.isArray(value)) return value.map((item) => stripped(item, told));
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !passing.has(key) && item !== undefined && key !== 'deployment.kubernetes.io/revision')
      .map(([key, item]) => [told(key), key === hash ? '$hash' : stripped(item, told)]),
  );
}
