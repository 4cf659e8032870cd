import type { MatchCondition, MatchResources, RuleWithOperations } from '../../../imports/k8s.js';
import { pathSegment } from '../../schema/name-formats.js';
import { type LabelSelector, selectorProblems } from './label-selector.js';
import type { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Rule = Unchecked<RuleWithOperations>;

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
export const matchPolicies = ['Equivalent', 'Exact'];
export const failurePolicies = ['Fail', 'Ignore'];

export function defaultRule(rule: Rule): void {
  rule.scope ??= '*';
}

export function defaultMatchResources(match: Unchecked<MatchResources>): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) defaultRule(rule);
}

export function matchResourcesProblems(found: Problems, path: string, match: Unchecked<MatchResources>): void {
  const { matchPolicy, namespaceSelector, objectSelector } = match;
  if (matchPolicy === undefined) found.required(`${path}.matchPolicy`);
  else if (!matchPolicies.includes(matchPolicy)) found.notSupported(`${path}.matchPolicy`, matchPolicy, matchPolicies);
  found.add(selectorProblems(namespaceSelector as LabelSelector | undefined, `${path}.namespaceSelector`));
  found.add(selectorProblems(objectSelector as LabelSelector | undefined, `${path}.objectSelector`));
  for (const field of ['resourceRules', 'excludeResourceRules'] as const) {
    match[field]?.forEach(({ resourceNames = [], ...rule }, index) => {
      const at = `${path}.${field}[${index}]`;
      resourceNames.forEach((name, place) => {
        found.format(`${at}.resourceNames[${place}]`, name, pathSegment);
        if (resourceNames.indexOf(name) < place) found.duplicate(`${at}.resourceNames[${place}]`, name);
      });
      ruleProblems(found, at, rule);
    });
  }
}

/** What is wrong with a rule that says which requests a webhook or a policy is asked about. */
export function ruleProblems(found: Problems, path: string, rule: Rule): void {
  const { apiGroups = [], apiVersions = [], scope } = rule;
  const all = rule.operations ?? [];
  if (all.length === 0) found.required(`${path}.operations`);
  if (all.length > 1 && all.includes('*')) {
    found.invalid(`${path}.operations`, all, "if '*' is present, must not specify other operations");
  }
  all.forEach((operation, index) => {
    if (!operations.includes(operation)) found.notSupported(`${path}.operations[${index}]`, operation, operations);
  });
  if (apiGroups.length === 0) found.required(`${path}.apiGroups`);
  if (apiGroups.length > 1 && apiGroups.includes('*')) {
    found.invalid(`${path}.apiGroups`, apiGroups, "if '*' is present, must not specify other API groups");
  }
  if (apiVersions.length === 0) found.required(`${path}.apiVersions`);
  if (apiVersions.length > 1 && apiVersions.includes('*')) {
    found.invalid(`${path}.apiVersions`, apiVersions, "if '*' is present, must not specify other API versions");
  }
  apiVersions.forEach((version, index) => {
    if (version === '') found.required(`${path}.apiVersions[${index}]`);
  });
  resourcesProblems(found, `${path}.resources`, rule.resources ?? []);
  if (scope !== undefined && !scopes.includes(scope)) found.notSupported(`${path}.scope`, scope, scopes);
}

function resourcesProblems(found: Problems, path: string, resources: readonly string[]): void {
  if (resources.length === 0) found.required(path);
  const [allOf, ofAll] = [new Set<string>(), new Set<string>()];
  let lastIsWhole = false;
  resources.forEach((resource, index) => {
    const at = `${path}[${index}]`;
    if (resource === '') {
      found.required(at);
      return;
    }
    const slash = resource.indexOf('/');
    if (slash < 0) {
      lastIsWhole = resource !== '*';
      return;
    }
    const [whole, part] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (allOf.has(whole)) found.invalid(at, resource, `if '${whole}/*' is present, must not specify ${resource}`);
    if (ofAll.has(part)) found.invalid(at, resource, `if '*/${part}' is present, must not specify ${resource}`);
    if (part === '*') allOf.add(whole);
    if (whole === '*') ofAll.add(part);
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    found.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && lastIsWhole) {
    found.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
  }
}

/** What is wrong with conditions, apart from the expressions themselves, which are kept unread. */
export function conditionProblems(
  found: Problems,
  path: string,
  conditions: readonly Unchecked<MatchCondition>[],
): void {
  if (conditions.length > 64) found.tooMany(path, conditions.length, 64);
  const names = new Set<string>();
  conditions.forEach(({ name = '', expression = '' }, index) => {
    const at = `${path}[${index}]`;
    if (expression.trim() === '') found.required(`${at}.expression`);
    if (name === '') found.required(`${at}.name`);
    else found.qualifiedName(`${at}.name`, name);
    if (name !== '' && names.has(name)) found.duplicate(`${at}.name`, name);
    names.add(name);
  });
}
