import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { KubeObject, OwnerReference } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';
import type { Kinds } from '../kinds/kinds.js';
import { StatusError } from '../status-error.js';
import { scaleOf } from '../verbs/scale.js';
import { deployments, replicaSets } from './built-in.js';
import type { ObjectIndex } from './object-index.js';
import type { Pod } from './pod-state.js';

/** How many Pods there should be by those who control some of them. */
export interface Expected {
  readonly count: number;
  /** Whether there are some that nobody controls, which are not in the count. */
  readonly hasUnmanaged: boolean;
}

/** Asks each controller of `pods` for its scale. Why nobody knows, where one has none. */
export function expectedPods(index: ObjectIndex, kinds: Kinds, pods: readonly Pod[]): Expected | string {
  const scales = new Map<string, number>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (!reference) hasUnmanaged = true;
    else if (!scales.has(reference.uid)) {
      const scale = scaleBy(index, kinds, reference);
      if (typeof scale === 'string') return scale;
      if (!scale) return `found no controllers for pod ${JSON.stringify(pod.metadata.name)}`;
      scales.set(scale.uid, scale.replicas);
    }
  }
  return { count: [...scales.values()].reduce((sum, each) => sum + each, 0), hasUnmanaged };
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** Undefined when the controller is gone. */
function scaleBy(
  index: ObjectIndex,
  kinds: Kinds,
  { apiVersion, kind: name, uid }: OwnerReference,
): Scale | string | undefined {
  const kind = kinds.kind(groupOf(apiVersion), versionOf(apiVersion), name);
  if (!kind) return `no matches for kind ${JSON.stringify(name)} in version ${JSON.stringify(apiVersion)}`;
  if (!kind.subresources.scale) {
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
    return `${resource} does not implement the scale subresource`;
  }
  const found = index.byUid(uid)?.object;
  if (!found) return undefined;
  const deployment = kind.storage === replicaSets.storage ? deploymentOf(index, found) : undefined;
  try {
    const { spec, metadata } = scaleOf(kind, deployment ?? found);
    return { uid: metadata.uid, replicas: (spec as { readonly replicas?: number }).replicas ?? 0 };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.message;
  }
}

/** A ReplicaSet has as many Pods as its Deployment lets it. Whoever controls anything else is not asked. */
function deploymentOf(index: ObjectIndex, set: KubeObject): KubeObject | undefined {
  const above = index.byUid(controllerOf(set)?.uid ?? '');
  return above?.storage === deployments.storage ? above.object : undefined;
}
