import type { PolicyRule } from './policy-rule.js';

/**
 * A rule in one line: `verbs groups resources [names]`, or `verbs urls`, each a list with commas. `-` is the core group:
 * `get,list - pods,pods/log`, `get /healthz,/livez`.
 */
export type RuleLine = string;
export type RuleLines = readonly RuleLine[];

export function ruleOf(line: RuleLine): PolicyRule {
  const [verbs = [], groupsOrUrls = [], resources, resourceNames] = line
    .split(' ')
    .map((list) => list.split(',').map((name) => (name === '-' ? '' : name)));
  if (resources === undefined) return { verbs, nonResourceURLs: groupsOrUrls };
  return { apiGroups: groupsOrUrls, resources, ...(resourceNames ? { resourceNames } : {}), verbs };
}
