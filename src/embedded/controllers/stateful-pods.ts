import type { PersistentVolumeClaimObject, PodTemplateSpec, StatefulSetObject } from '../../../imports/k8s.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { StatusError } from '../status-error.js';
import { claims, type Live, pods } from './built-in.js';
import type { Desk } from './controller.js';
import { revisionHash } from './controller-revisions.js';
import { isOfTerminatingNamespace, podFrom } from './pod-from-template.js';
import type { Pod } from './pod-state.js';

export type StatefulSet = Live<StatefulSetObject>;

const indexLabel = 'apps.kubernetes.io/pod-index';
export const nameLabel = 'statefulset.kubernetes.io/pod-name';

/** Undefined for a Pod whose name is not one that `set` gives. */
export function ordinalOf(set: StatefulSet, { metadata: { name } }: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const rest = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d{1,9}$/.test(rest) ? Number(rest) : undefined;
}

/** Creates the Pod with its claims, which come first: a Pod without them could not start. */
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
    createClaims(desk, set, name);
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
    if (error instanceof StatusError) {
      const message = `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${error.message}`;
      desk.events.warning(set, 'FailedCreate', message);
    }
    throw error;
  }
}

export function deleteStatefulPod(desk: Desk, set: StatefulSet, pod: Pod): void {
  desk.writer.delete(pod);
  say(desk, set, 'Delete', pod.metadata.name);
}

/** Creates the claims of a Pod that are not there. */
export function createClaims(desk: Desk, set: StatefulSet, pod: string): void {
  for (const template of set.spec!.volumeClaimTemplates ?? []) {
    const name = `${template.metadata?.name ?? ''}-${pod}`;
    if (desk.index.get(claims, set.metadata.namespace, name)) continue;
    const { metadata, spec } = template;
    desk.writer.create(claims, set.metadata.namespace, {
      metadata: {
        name,
        labels: { ...metadata?.labels, ...set.spec!.selector.matchLabels },
        ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
        ...ownersOfClaims(set),
      },
      spec,
    });
    const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
    desk.events.normal(set, 'SuccessfulCreate', message);
  }
}

/** The claims of `set`, for each Pod by its name. */
export function claimsOf(desk: Desk, set: StatefulSet, pod: string): readonly Live<PersistentVolumeClaimObject>[] {
  const names = (set.spec!.volumeClaimTemplates ?? []).map(({ metadata }) => `${metadata?.name ?? ''}-${pod}`);
  return names.flatMap((name) => desk.index.get(claims, set.metadata.namespace, name) ?? []);
}

/** Where a StatefulSet says that its claims go with it, it owns them. */
function ownersOfClaims(set: StatefulSet) {
  if (set.spec!.persistentVolumeClaimRetentionPolicy?.whenDeleted !== 'Delete') return {};
  return { ownerReferences: [controllerReferenceTo(set)] };
}

function say(desk: Desk, set: StatefulSet, verb: 'Create' | 'Delete', pod: string): void {
  const reason = verb === 'Create' ? 'SuccessfulCreate' : 'SuccessfulDelete';
  desk.events.normal(set, reason, `${verb} Pod ${pod} in StatefulSet ${set.metadata.name} successful`);
}
