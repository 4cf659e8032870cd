/**
 * A right, as a Role or a ClusterRole has it.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
 */
export interface PolicyRule {
  /** `''` is the core group. */
  readonly apiGroups: readonly string[];
  /** Plurals, in small letters: `clusterroles`, or `pods/exec`. */
  readonly resources: readonly string[];
  /** Only objects of these names; all if not given. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const lists: Readonly<Record<keyof PolicyRule, boolean>> = {
  apiGroups: true,
  resources: true,
  resourceNames: false,
  verbs: true,
};

/** What is wrong with what was written as a rule, or undefined: the API server would refuse some of it, and drop the rest. */
export function faultOfRule(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null) return 'is no rule';
  const unknown = Object.keys(rule).find((name) => !Object.hasOwn(lists, name));
  if (unknown !== undefined) return `has ${JSON.stringify(unknown)}, which means nothing`;
  for (const [name, isNeeded] of Object.entries(lists)) {
    const list = (rule as Readonly<Record<string, unknown>>)[name];
    if (list === undefined && !isNeeded) continue;
    if (!Array.isArray(list) || list.length === 0 || !list.every((each) => typeof each === 'string')) {
      return `has no ${name}`;
    }
  }
  return undefined;
}
