import type { PersistentVolumeObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Revision } from '../object-store.js';
import { claims, type Live, pods, volumes } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isTerminating, type Pod } from './pod-state.js';

const claimProtection = 'kubernetes.io/pvc-protection';
const volumeProtection = 'kubernetes.io/pv-protection';

/**
 * Keeps claims that a Pod uses, and volumes that are bound to a claim, until they are free.
 *
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection
 */
export class VolumeProtection implements Controller {
  readonly name = 'volume-protection';
  readonly hears = [claims.storage, volumes.storage, pods.storage];

  constructor(private readonly desk: Desk) {}

  observe({ type, resource, object }: Revision, queue: Queue): void {
    if (resource !== pods.storage) {
      if (isTerminating(object)) queue.add(`${resource} ${keyOf(object)}`);
      const { volumeName } = (object['spec'] ?? {}) as { readonly volumeName?: string };
      if (type === 'DELETED' && volumeName) queue.add(`${volumes.storage} /${volumeName}`);
    } else if (type === 'DELETED' || isShutDown(object as Pod)) {
      const { namespace } = object.metadata;
      const all = [...claimsOf(object as Pod), ...ephemeralClaimsOf(object as Pod)];
      for (const name of all) queue.add(`${claims.storage} ${namespace}/${name}`);
    }
  }

  reconcile(key: string): void {
    const [resource = '', place = ''] = key.split(' ');
    const { namespace, name } = addressOf(place);
    const isClaim = resource === claims.storage;
    const object = isClaim
      ? this.desk.index.get(claims, namespace, name)
      : this.desk.index.get(volumes, undefined, name);
    if (!object || !isTerminating(object)) return;
    if (isClaim ? !this.#isUsed(object) : !isBound(object)) {
      this.#release(object, isClaim ? claimProtection : volumeProtection);
    }
  }

  #isUsed({ metadata: { namespace, name } }: KubeObject): boolean {
    return this.desk.index.list(pods, namespace!).some((pod) => {
      // No kubelet starts a Pod on a claim that is going. One that came to its end has it until it is deleted.
      if (!pod.spec?.nodeName) return false;
      return claimsOf(pod).includes(name) || (!isShutDown(pod) && ephemeralClaimsOf(pod).includes(name));
    });
  }

  #release(object: KubeObject, finalizer: string): void {
    const { finalizers = [] } = object.metadata;
    if (!finalizers.includes(finalizer)) return;
    const left = finalizers.filter((each) => each !== finalizer);
    this.desk.writer.patch(object, { metadata: { finalizers: left.length === 0 ? null : left } });
  }
}

function isBound(object: KubeObject): boolean {
  return (object as Live<PersistentVolumeObject>).status?.phase === 'Bound';
}

/** Its kubelet is done with it, or nobody waited for that. */
function isShutDown(pod: Pod): boolean {
  return isTerminating(pod) && ((pod.metadata['deletionGracePeriodSeconds'] as number | undefined) ?? 0) === 0;
}

/** The claims that a Pod names. */
function claimsOf({ spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

/** The claims that were made for a Pod. */
function ephemeralClaimsOf({ spec, metadata }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, ephemeral }) => (ephemeral ? `${metadata.name}-${name}` : []));
}
