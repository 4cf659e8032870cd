import type { PodTemplateSpec, StatefulSetObject } from '../../../imports/k8s.js';
import { StatusError } from '../status-error.js';
import { type Live, pods } from './built-in.js';
import type { Desk } from './controller.js';
import { revisionHash } from './controller-revisions.js';
import { isOfTerminatingNamespace, podFrom } from './pod-from-template.js';
import type { Pod } from './pod-state.js';
import { createClaims } from './stateful-claims.js';

export type StatefulSet = Live<StatefulSetObject>;

const indexLabel = 'apps.kubernetes.io/pod-index';
export const nameLabel = 'statefulset.kubernetes.io/pod-name';

/** Undefined for a Pod whose name is not one that `set` gives. */
export function ordinalOf(set: StatefulSet, { metadata: { name } }: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const rest = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d{1,9}$/.test(rest) ? Number(rest) : undefined;
}

/** Creates the Pod with its claims, which come first: a Pod without them could not start. None while a claim is about to go. */
export function createStatefulPod(
  desk: Desk,
  set: StatefulSet,
  template: PodTemplateSpec,
  revision: string,
  ordinal: number,
): Pod | undefined {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFrom(template, set);
  const templates = set.spec!.volumeClaimTemplates ?? [];
  const volumes = [
    ...templates.map((claim) => {
      const volume = claim.metadata?.name ?? '';
      return { name: volume, persistentVolumeClaim: { claimName: `${volume}-${name}` } };
    }),
    ...(pod.spec?.volumes ?? []).filter((volume) => !templates.some((each) => each.metadata?.name === volume.name)),
  ];
  const labels = { ...pod.metadata.labels, [nameLabel]: name, [indexLabel]: String(ordinal), [revisionHash]: revision };
  const { serviceName } = set.spec!;
  try {
    const fault = createClaims(desk, set, name);
    if (fault !== undefined) {
      sayFailed(desk, set, name, fault);
      return undefined;
    }
    const created = desk.writer.create(pods, set.metadata.namespace, {
      ...pod,
      metadata: { ...pod.metadata, name, generateName: `${set.metadata.name}-`, labels },
      spec: {
        ...pod.spec,
        ...(volumes.length > 0 ? { volumes } : {}),
        hostname: name,
        ...(serviceName === undefined ? {} : { subdomain: serviceName }),
      },
    });
    say(desk, set, 'Create', name);
    return created;
  } catch (error) {
    if (isOfTerminatingNamespace(error)) return undefined;
    if (error instanceof StatusError) sayFailed(desk, set, name, error.message);
    throw error;
  }
}

export function deleteStatefulPod(desk: Desk, set: StatefulSet, pod: Pod): void {
  desk.writer.delete(pod);
  say(desk, set, 'Delete', pod.metadata.name);
}

/** Tells of what was done to a Pod. */
export function say(desk: Desk, set: StatefulSet, verb: 'Create' | 'Update' | 'Delete', pod: string): void {
  const message = `${verb} Pod ${pod} in StatefulSet ${set.metadata.name} successful`;
  desk.events.normal(set, `Successful${verb}`, message);
}

function sayFailed(desk: Desk, set: StatefulSet, pod: string, because: string): void {
  const message = `Create Pod ${pod} in StatefulSet ${set.metadata.name} failed error: ${because}`;
  desk.events.warning(set, 'FailedCreate', message);
}
