import type { PersistentVolumeObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Revision } from '../object-store.js';
import { claims, type Live, pods, volumes } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isFinished, isTerminating, type Pod } from './pod-state.js';

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
    } else if (type === 'DELETED' || isFinished(object)) {
      const { namespace } = object.metadata;
      for (const name of claimNames(object as Pod)) queue.add(`${claims.storage} ${namespace}/${name}`);
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
    const all = this.desk.index.list(pods, namespace!);
    return all.some((pod) => !isFinished(pod) && claimNames(pod).includes(name));
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

/** The claims that a Pod mounts. */
function claimNames({ spec, metadata }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim ? [persistentVolumeClaim.claimName] : ephemeral ? [`${metadata.name}-${name}`] : [],
  );
}
