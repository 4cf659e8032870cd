import type { Attributes } from '../engine.js';

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A request for a path that is no resource, such as `/healthz`. */
export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export type Action = Attributes | PathAttributes;

export function isPath(action: Action): action is PathAttributes {
  return 'path' in action;
}

export function allows(rule: PolicyRule, action: Action): boolean {
  const { verbs } = rule;
  if (!verbs.includes('*') && !verbs.includes(action.verb)) return false;
  if (isPath(action)) return rule.nonResourceURLs?.some((url) => coversPath(url, action.path)) ?? false;
  return coversGroup(rule, action.group) && coversResource(rule, action) && coversName(rule, action.name ?? '');
}

/** True when a URL of a rule, which may end in `*`, stands for `path`. */
export function coversPath(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
}

function coversGroup({ apiGroups = [] }: PolicyRule, group: string): boolean {
  return apiGroups.includes(group) || apiGroups.includes('*');
}

function coversResource({ resources = [] }: PolicyRule, { resource, subresource = '' }: Attributes): boolean {
  if (resources.includes('*')) return true;
  if (subresource === '') return resources.includes(resource);
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function coversName({ resourceNames = [] }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}
