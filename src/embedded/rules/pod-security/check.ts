import type { Container, EphemeralContainer, PodSpec, SecurityContext } from '../../../../imports/k8s.js';
import { goQuote } from '../../../schema/go-format.js';
import type { Unchecked } from '../unchecked.js';

/** What of a Pod, or of the template of one, is judged. */
export interface JudgedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Unchecked<PodSpec>;
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type Judge = (pod: JudgedPod) => Violation | undefined;

/** One rule of a Pod Security Standard, and how it was judged from which minor version of Kubernetes on, oldest first. */
export interface Check {
  readonly id: string;
  readonly versions: readonly (readonly [minor: number, judge: Judge])[];
  /** Of the restricted level: the check of the baseline level in whose place it stands. */
  readonly insteadOf?: string;
}

export type JudgedContainer = Unchecked<Container> | Unchecked<EphemeralContainer>;

export function containersOf({
  initContainers,
  containers,
  ephemeralContainers,
}: Unchecked<PodSpec>): JudgedContainer[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

/** `container "a"`, `containers "a", "b"`: those of which `isBad` holds, or undefined where there is none. */
export function badContainers(
  spec: Unchecked<PodSpec>,
  isBad: (security: Unchecked<SecurityContext>, container: JudgedContainer) => boolean,
): string | undefined {
  const names = containersOf(spec).flatMap((each) =>
    isBad(each.securityContext ?? {}, each) ? [each.name ?? ''] : [],
  );
  return names.length === 0 ? undefined : `${names.length === 1 ? 'container' : 'containers'} ${quoted(names)}`;
}

/** Who has set something bad: `pod`, containers, or both; undefined where nobody has. */
export function setters(isPodBad: boolean, containers: string | undefined): string | undefined {
  const all = [...(isPodBad ? ['pod'] : []), ...(containers === undefined ? [] : [containers])];
  return all.length === 0 ? undefined : all.join(' and ');
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

export function sortedOnce(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}

/** `a="b"` */
export function shownAnnotation(name: string, value: string): string {
  return `${name}=${goQuote(value)}`;
}

/** From 1.35 on a Pod with a user namespace of its own may do more, since its root is nobody outside of it. */
export function unlessOwnUsers(judge: Judge): Judge {
  return (pod) => (pod.spec.hostUsers === false ? undefined : judge(pod));
}

/** From 1.25 on a Pod for Windows need not say what has no meaning there. */
export function unlessWindows(judge: Judge): Judge {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : judge(pod));
}
