import type { FieldProblem } from '../../../schema/field-problem.js';
import { Problems } from '../problems.js';
import { baselineChecks } from './baseline-checks.js';
import type { Check, JudgedPod, Violation } from './check.js';
import { restrictedChecks } from './restricted-checks.js';

type Level = (typeof levels)[number];

/** A Pod Security Standard as it was in one version of Kubernetes. */
export interface Standard {
  readonly level: Level;
  /** `latest`, or `v1.30`. */
  readonly version: string;
}

/** What the labels of a namespace ask for; the audit log, for which there is a third, is not kept here. */
export interface Policy {
  readonly enforce: Standard;
  readonly warn: Standard;
  /** What is wrong with the labels. */
  readonly problems: readonly FieldProblem[];
}

const prefix = 'pod-security.kubernetes.io/';
/** From what allows more to what allows less. */
const levels = ['privileged', 'baseline', 'restricted'] as const;

/** https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces */
export function policyOf(labels: Readonly<Record<string, string>> = {}): Policy {
  const found = new Problems();
  const levelOf = (name: string, otherwise: Level): Level | undefined => {
    const value = labels[prefix + name];
    if (value === undefined || isLevel(value)) return value;
    found.invalid(`metadata.labels[${prefix}${name}]`, value, `must be one of ${levels.join(', ')}`);
    return otherwise;
  };
  const versionOf = (name: string): string | undefined => {
    const value = labels[prefix + name];
    if (value === undefined || /^latest$|^v1\.(\d|[1-9]\d+)$/.test(value)) return value;
    found.invalid(`metadata.labels[${prefix}${name}]`, value, 'must be "latest" or "v1.x"');
    return 'latest';
  };
  // Who cannot be understood is held to the most, but not warned of it.
  const enforced = levelOf('enforce', 'restricted');
  const enforce: Standard = { level: enforced ?? 'privileged', version: versionOf('enforce-version') ?? 'latest' };
  levelOf('audit', 'privileged');
  versionOf('audit-version');
  const warned = levelOf('warn', 'privileged');
  const warnVersion = versionOf('warn-version');
  const isUnderstood = enforced !== undefined && enforced === labels[`${prefix}enforce`];
  const warn: Standard =
    warned === undefined && isUnderstood && enforced !== 'privileged'
      ? { level: enforced, version: warnVersion ?? enforce.version }
      : { level: warned ?? 'privileged', version: warnVersion ?? 'latest' };
  return { enforce, warn, problems: found.all };
}

function isLevel(value: string): value is Level {
  return (levels as readonly string[]).includes(value);
}

export function isStricter(standard: Standard, than: Standard): boolean {
  return levels.indexOf(standard.level) > levels.indexOf(than.level);
}

/** What of a Pod goes against a standard, in the order in which the server says it. */
export function violations({ level, version }: Standard, pod: JudgedPod): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice('v1.'.length));
  const restricted = level === 'restricted' ? restrictedChecks.filter((check) => judgeIn(check, minor)) : [];
  const replaced = new Set(restricted.map(({ insteadOf }) => insteadOf));
  const baseline = baselineChecks.filter(({ id }) => !replaced.has(id));
  return [...baseline, ...restricted].flatMap((check) => judgeIn(check, minor)?.(pod) ?? []);
}

function judgeIn({ versions }: Check, minor: number) {
  return versions.findLast(([since]) => since <= minor)?.[1];
}

export function shownStandard({ level, version }: Standard): string {
  return `${level}:${version}`;
}
