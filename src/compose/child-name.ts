import { shortHash } from './label-value.js';

interface Limit {
  readonly longest: number;
  /** Its name becomes part of a host name. */
  readonly dotless?: true;
  readonly startsWithLetter?: true;
}

/**
 * What a kind allows in a name, where that is less than the usual 253 characters: because it becomes a label or a host
 * name, or because its controller appends to it.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
const limits: Readonly<Record<string, Limit>> = {
  CronJob: { longest: 52 },
  // Its revisions are called like it, with a dash and ten characters, and it has no Pod without them.
  DaemonSet: { longest: 242 },
  // So are its ReplicaSets.
  Deployment: { longest: 242 },
  Job: { longest: 63 },
  Namespace: { longest: 63, dotless: true },
  Service: { longest: 63, dotless: true, startsWithLetter: true },
  StatefulSet: { longest: 52, dotless: true },
};
const usual: Limit = { longest: 253 };

/** Ids that stand for the construct around them, as in cdk8s and the CDK. */
const silent = new Set(['default', 'Default', 'Resource']);

/** The ids that say which child it is: those on the way to it, without those that say nothing. */
export function telling(ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !silent.has(id));
}

/**
 * The name of a child: the custom resource's, then the ids of the constructs that lead to it. The id `default` adds
 * nothing, so that a single child can have the bare name.
 *
 * A hash stands in it only where the name had to be changed to fit its kind, and then tells apart what was lost.
 */
export function childName(owner: string, ids: readonly string[], kind: string): string {
  const limit = Object.hasOwn(limits, kind) ? limits[kind]! : usual;
  const parts = telling(ids).map((id) =>
    id
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      // From its first dash alone: from each of very many it would take their square of time.
      .replace(/^-+|(?<!-)-+$/g, ''),
  );
  const name = [owner, ...parts.filter((part) => part !== '')].join('-');
  const fitting = fittingTo(name, limit);
  if (fitting === name && name.length <= limit.longest) return name;
  const hash = shortHash(name);
  return `${fitting.slice(0, limit.longest - hash.length - 1).replace(/[-.]+$/, '')}-${hash}`;
}

function fittingTo(name: string, { dotless, startsWithLetter }: Limit): string {
  const withoutDots = dotless ? name.replaceAll('.', '-') : name;
  return startsWithLetter && !/^[a-z]/.test(withoutDots) ? `x${withoutDots}` : withoutDots;
}
