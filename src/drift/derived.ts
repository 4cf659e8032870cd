import { groupKindOf } from '../kube/api-resource.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { isEmptyCollection } from '../kube/plain-map.js';
import { allFieldsOf, ownershipOf, owns } from './ownership.js';
import { valuesAt } from './value-at.js';

type Trail = readonly string[];

/** A field that the server gives its value by whether another one is there. */
interface Derived {
  readonly by: Trail;
  readonly field: Trail;
}

/** The old name of the account that Pods have. Who drops the new one alone has it given back by the old one. */
const accountIn = (...path: Trail): Derived => ({
  by: [...path, 'f:serviceAccountName'],
  field: [...path, 'f:serviceAccount'],
});
const template = ['f:spec', 'f:template', 'f:spec'];

const derived: ReadonlyMap<string, Derived> = new Map([
  ...['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps', 'ReplicaSet.apps', 'ReplicationController'].map(
    (kind) => [kind, accountIn(...template)] as const,
  ),
  ['CronJob.batch', accountIn('f:spec', 'f:jobTemplate', ...template)],
  ['PodTemplate', accountIn('f:template', 'f:spec')],
  // Nobody is let out, or everybody is, who was not when the policy was made.
  ['NetworkPolicy.networking.k8s.io', { by: ['f:spec', 'f:egress'], field: ['f:spec', 'f:policyTypes'] }],
]);

/**
 * What the server made of something that an apply of `desired` adds or drops, and keeps: nobody has it, so that no apply removes
 * it. Once it is ours, the apply does, and the server makes it of what is there then.
 *
 * https://github.com/kubernetes/kubernetes/issues/108208
 */
export function derivedIn(object: KubeObject, desired: Manifest, manager: string): Trail[] {
  const found = derived.get(groupKindOf(object));
  if (!found) return [];
  const { by, field } = found;
  const isThere = (value: unknown, trail: Trail) => valuesAt(value, trail).some((each) => !isEmptyCollection(each));
  const had = ownershipOf(object, manager).fields.some((fields) => owns(fields, by)) && isThere(object, by);
  const isNobodys = isThere(object, field) && !allFieldsOf(object).some((fields) => owns(fields, field));
  return had !== isThere(desired, by) && isNobodys && !isThere(desired, field) ? [[...field]] : [];
}
