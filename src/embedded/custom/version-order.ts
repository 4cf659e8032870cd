/**
 * Compares names of versions: `v2` > `v1` > `v1beta2` > `v1beta1` > `v1alpha1` > `foo`. More than 0 when `a` is the later.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [parsed(a), parsed(b)];
  // Names that are no versions come last, the first of the alphabet first.
  if (!left && !right) return a < b ? 1 : -1;
  if (!left) return -1;
  if (!right) return 1;
  return left.stage - right.stage || left.major - right.major || left.minor - right.minor;
}

const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1, '': 2 };

function parsed(name: string) {
  const [, major, stage = '', minor] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name) ?? [];
  return major === undefined
    ? undefined
    : { major: Number(major), stage: stages[stage] ?? 0, minor: Number(minor ?? 0) };
}
