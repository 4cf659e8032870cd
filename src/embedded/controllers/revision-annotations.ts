import type { KubeObject } from '../../kube/manifest.js';

export const revision = 'deployment.kubernetes.io/revision';
const history = 'deployment.kubernetes.io/revision-history';
const desired = 'deployment.kubernetes.io/desired-replicas';
const most = 'deployment.kubernetes.io/max-replicas';
/** Each of a Deployment and its ReplicaSets has its own. */
const notCopied = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revision,
  history,
  desired,
  most,
];
const longestHistory = 2000;

type Annotations = Readonly<Record<string, string>>;

export function revisionOf({ metadata }: KubeObject): number {
  return Number.parseInt(metadata.annotations?.[revision] ?? '0', 10) || 0;
}

/** How many replicas the Deployment had when it last sized this ReplicaSet. */
export function desiredReplicas(set: KubeObject): number | undefined {
  return countIn(set, desired);
}

/** How many there could be then at most. */
export function mostReplicas(set: KubeObject): number | undefined {
  return countIn(set, most);
}

/** `annotations` with the sizes, or undefined when they are there already. */
export function sized(annotations: Annotations = {}, replicas: number, atMost: number): Annotations | undefined {
  if (annotations[desired] === String(replicas) && annotations[most] === String(atMost)) return undefined;
  return { ...annotations, [desired]: String(replicas), [most]: String(atMost) };
}

/** What a ReplicaSet has from its Deployment. */
export function copiedAnnotations(deployment: KubeObject): Annotations {
  const all = Object.entries(deployment.metadata.annotations ?? {});
  return Object.fromEntries(all.filter(([key]) => !notCopied.includes(key)));
}

/** The annotations of a ReplicaSet that becomes revision `next` unless it is a later one, or undefined when it has them. */
export function annotated(deployment: KubeObject, set: KubeObject, next: string): Annotations | undefined {
  const before = set.metadata.annotations ?? {};
  const after: Record<string, string> = { ...before, ...copiedAnnotations(deployment) };
  const number = before[revision];
  if (revisionOf(set) < Number(next)) {
    after[revision] = next;
    if (number !== undefined) after[history] = remembered(before[history], number);
  }
  const isSame = Object.entries(after).every(([key, value]) => before[key] === value);
  return isSame ? undefined : after;
}

/** The revisions that a ReplicaSet was before, as far back as there is room. */
function remembered(earlier: string | undefined, latest: string): string {
  const all = earlier ? [...earlier.split(','), latest] : [latest];
  while (all.join(',').length > longestHistory) all.shift();
  return all.join(',');
}

function countIn({ metadata }: KubeObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
