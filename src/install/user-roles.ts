import type { Manifest } from '../kube/manifest.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import type { InstalledOperator } from './installed-operator.js';

/** A ClusterRole for people, which Kubernetes adds to the role of its own that `aggregateTo` names; bound by hand without. */
export interface UserRole {
  readonly role: 'admin' | 'editor' | 'viewer';
  readonly aggregateTo: 'admin' | 'edit' | 'view' | undefined;
  readonly rules: readonly PolicyRule[];
}

const read = ['get', 'list', 'watch'];
const write = [...read, 'create', 'update', 'patch', 'delete'];

/**
 * The three roles for the custom resources of one kind.
 *
 * Nobody may write `status`, which is the controller's; scaling is editing. Whoever is bound to `edit` in a namespace of his may
 * not write what reaches beyond it: whoever writes that does whatever the operator composes, everywhere.
 */
export function userRoles({ resource, reach }: InstalledOperator): readonly UserRole[] {
  const { group, plural } = resource;
  const rule = (name: string, verbs: readonly string[]): PolicyRule => ({
    apiGroups: [group],
    resources: [name],
    verbs,
  });
  const roleFor = (verbs: readonly string[], scaleVerbs: readonly string[]): readonly PolicyRule[] => [
    rule(plural, verbs),
    rule(`${plural}/status`, ['get']),
    ...(isScalable(resource.crd()) ? [rule(`${plural}/scale`, scaleVerbs)] : []),
  ];
  const scaleWrite = ['get', 'update', 'patch'];
  const isEverywhere = reach === 'cluster' || !resource.namespaced;
  const part = <Role extends string>(role: Role): Role | undefined => (isEverywhere ? undefined : role);
  return [
    { role: 'admin', aggregateTo: part('admin'), rules: roleFor([...write, 'deletecollection'], scaleWrite) },
    { role: 'editor', aggregateTo: part('edit'), rules: roleFor(write, scaleWrite) },
    { role: 'viewer', aggregateTo: 'view', rules: roleFor(read, ['get']) },
  ];
}

function isScalable(crd: Manifest): boolean {
  const { versions } = crd['spec'] as { readonly versions: readonly { readonly subresources?: object }[] };
  return versions.some(({ subresources }) => subresources !== undefined && 'scale' in subresources);
}
