import type { NamespaceObject, PodObject, PodTemplateSpec } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import type { Rules, World } from '../../kinds/served-kind.js';
import { forbidden, invalid } from '../../status-error.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import type { JudgedPod, Violation } from './check.js';
import { isStricter, type Policy, policyOf, shownStandard, violations } from './policy.js';

type Template = Unchecked<PodTemplateSpec>;

/**
 * Throws a `StatusError` (403) where a Pod goes against the standard that its namespace enforces. Returns the advice that
 * goes with one that does not: https://kubernetes.io/docs/concepts/security/pod-security-admission/
 */
export function securePod(object: KubeObject, old: KubeObject | undefined, world: World): readonly string[] {
  const policy = policyIn(object.metadata.namespace, world);
  if (policy === undefined || (old !== undefined && !hasOtherImages(object, old))) return [];
  const pod = judgedPod(object);
  const found = violations(policy.enforce, pod);
  if (found.length > 0) {
    const because = `violates PodSecurity "${shownStandard(policy.enforce)}": ${shown(found)}`;
    throw forbidden({ group: '', name: 'pods' }, object.metadata.name, because);
  }
  return advice(policy, pod);
}

/** Rules of a kind that makes Pods, which is told of those that would be refused, or advised against. */
export function tellingOfPodSecurity(
  rules: Rules,
  templateOf: (object: KubeObject) => Template | undefined = templateInSpec,
): Rules {
  return {
    ...rules,
    admitValid(object, _, world) {
      const policy = policyIn(object.metadata.namespace, world);
      const template = templateOf(object);
      if (policy === undefined || template === undefined) return [];
      return advice(policy, {
        annotations: (template.metadata?.annotations ?? {}) as never,
        spec: template.spec ?? {},
      });
    },
  };
}

function templateInSpec(object: KubeObject): Template | undefined {
  return (object['spec'] as { readonly template?: Template } | undefined)?.template;
}

/**
 * Throws a `StatusError` (422) where the labels of a namespace make no policy. Returns who of its Pods goes against a policy
 * that asks for more than the one before.
 */
export function securedNamespace(object: KubeObject, old: KubeObject | undefined, world: World): readonly string[] {
  const { name } = object.metadata;
  const [now, before] = [policyOf(labelsOf(object)), old && policyOf(labelsOf(old))];
  // What was wrong already may stay so.
  if (now.problems.length > 0 && JSON.stringify(now.problems) !== JSON.stringify(before?.problems)) {
    throw invalid({ group: '', name: 'Namespace' }, name, now.problems);
  }
  if (before === undefined || now.enforce.level === 'privileged') return [];
  const isOtherVersion = now.enforce.version !== before.enforce.version;
  if (!isOtherVersion && !isStricter(now.enforce, before.enforce)) return [];
  const podsOf = new Map<string, string[]>();
  for (const pod of world.list('pods', name)) {
    const reasons = violations(now.enforce, judgedPod(pod)).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const said = reasons.join(', ');
    podsOf.set(said, [...(podsOf.get(said) ?? []), pod.metadata.name]);
  }
  if (podsOf.size === 0) return [];
  const standard = shownStandard(now.enforce);
  const first = `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${standard}"`;
  return [first, ...[...podsOf].map(([reasons, pods]) => `${countedPods(pods)}: ${reasons}`).sort()];
}

function countedPods(names: readonly string[]): string {
  const [first = ''] = [...names].sort();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}

/** Undefined where everything is allowed. */
function policyIn(namespace: string | undefined, world: World): Policy | undefined {
  const object = namespace === undefined ? undefined : world.get('namespaces', undefined, namespace);
  if (object?.metadata.labels === undefined) return undefined;
  const policy = policyOf(labelsOf(object));
  const isOpen = policy.enforce.level === 'privileged' && policy.warn.level === 'privileged';
  return isOpen ? undefined : policy;
}

function labelsOf(object: KubeObject): Readonly<Record<string, string>> {
  return (unchecked<NamespaceObject>(object).metadata?.labels ?? {}) as Readonly<Record<string, string>>;
}

function judgedPod(object: KubeObject): JudgedPod {
  return { annotations: object.metadata.annotations ?? {}, spec: unchecked<PodObject>(object).spec ?? {} };
}

function advice({ warn }: Policy, pod: JudgedPod): readonly string[] {
  const found = violations(warn, pod);
  return found.length === 0 ? [] : [`would violate PodSecurity "${shownStandard(warn)}": ${shown(found)}`];
}

function shown(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

/** Of what may change in a Pod, only images matter. */
function hasOtherImages(object: KubeObject, old: KubeObject): boolean {
  const imagesOf = (pod: KubeObject) => {
    const { initContainers = [], containers = [] } = unchecked<PodObject>(pod).spec ?? {};
    return [initContainers, containers].map((each) => each.map(({ image = '' }) => image));
  };
  return JSON.stringify(imagesOf(object)) !== JSON.stringify(imagesOf(old));
}
