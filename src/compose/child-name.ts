import { createHash } from 'node:crypto';

/** Kinds whose names must fit a label, or leave room for what their controller appends. All others may have 253. */
const longest: Readonly<Record<string, number>> = { CronJob: 52, Job: 63, Namespace: 63, Service: 63, StatefulSet: 52 };

/** Ids that stand for the construct around them, as in cdk8s and the CDK. */
const silent = new Set(['default', 'Default', 'Resource']);

/**
 * The name of a child: the custom resource's, then the ids of the constructs that lead to it. The id `default` adds
 * nothing, so that a single child can have the bare name.
 *
 * A hash stands in it only when it had to be cut, and then tells apart what was cut off.
 */
export function childName(owner: string, ids: readonly string[], kind: string): string {
  const parts = ids.filter((id) => !silent.has(id)).map((id) => id.toLowerCase().replace(/[^a-z0-9-]+/g, '-'));
  const name = [owner, ...parts].join('-').replace(/-+$/, '');
  const limit = longest[kind] ?? 253;
  if (name.length <= limit) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, limit - 9).replace(/[-.]+$/, '')}-${hash}`;
}
