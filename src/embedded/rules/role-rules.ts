import type { ClusterRoleObject, PolicyRule, RoleObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { pathSegment } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { hasBadValue, type LabelSelector, selectorProblems } from './label-selector.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#role-and-clusterrole */
export const roleRules: Rules = {
  validate(object) {
    const found = new Problems();
    (object as unknown as Unchecked<RoleObject>).rules?.forEach((rule, index) => {
      ruleProblems(found, `rules[${index}]`, rule, true);
    });
    return found.all;
  },
  nameProblems: pathSegment,
  allowsCreateOnUpdate: true,
};

export const clusterRoleRules: Rules = {
  validate: (object) => clusterRoleProblems(object, false).all,
  validateUpdate(object, old) {
    return clusterRoleProblems(object, selectorsOf(old).some(hasBadValue)).all;
  },
  nameProblems: pathSegment,
  allowsCreateOnUpdate: true,
};

function clusterRoleProblems(object: KubeObject, takesBadValues: boolean): Problems {
  const { rules, aggregationRule } = object as unknown as Unchecked<ClusterRoleObject>;
  const found = new Problems();
  rules?.forEach((rule, index) => {
    ruleProblems(found, `rules[${index}]`, rule, false);
  });
  if (aggregationRule === undefined) return found;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = selectorsOf(object);
  if (selectors.length === 0) {
    found.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  }
  selectors.forEach((selector, index) => {
    const problems = selectorProblems(selector, `${path}[${index}]`, { takesBadValues });
    found.add(problems);
    // The server then fails to make use of it, and shows the nothing that it got.
    if (problems.length > 0) found.invalid(`${path}[${index}]`, null, 'invalid label selector.');
  });
  return found;
}

function ruleProblems(found: Problems, path: string, rule: Unchecked<PolicyRule>, isNamespaced: boolean): void {
  const { nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (!rule.verbs?.length) found.required(`${path}.verbs`, 'verbs must contain at least one value');
  if (nonResourceURLs.length > 0) {
    const at = `${path}.nonResourceURLs`;
    if (isNamespaced) found.invalid(at, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      found.invalid(at, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (apiGroups.length === 0) {
    found.required(`${path}.apiGroups`, 'resource rules must supply at least one api group');
  }
  if (resources.length === 0) found.required(`${path}.resources`, 'resource rules must supply at least one resource');
}

function selectorsOf(object: KubeObject): readonly LabelSelector[] {
  const { aggregationRule } = object as unknown as ClusterRoleObject;
  return (aggregationRule?.clusterRoleSelectors ?? []) as readonly LabelSelector[];
}
