import type { KubeObject } from '../../../kube/manifest.js';
import { dns1123Label } from '../../../schema/name-formats.js';

/** Names of workloads become names of Pods, which become names of hosts. */
export function nameOfPodsWarnings(
  { metadata: { name } }: KubeObject,
  use = 'Pod names and hostnames',
): readonly string[] {
  const problems = dns1123Label(name);
  if (problems.length === 0) return [];
  const advice = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
  return [`metadata.name: ${advice}: [${problems.join(' ')}]`];
}
