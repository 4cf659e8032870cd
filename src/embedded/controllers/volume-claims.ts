import type { PersistentVolumeClaimObject, PersistentVolumeObject } from '../../../imports/k8s.js';
import type { Revision } from '../object-store.js';
import { claims, type Live, pods, volumes } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isFinished, isTerminating, type Pod } from './pod-state.js';

type Claim = Live<PersistentVolumeClaimObject>;
type Volume = Live<PersistentVolumeObject>;

const bound = 'pv.kubernetes.io/bind-completed';
const byUs = 'pv.kubernetes.io/bound-by-controller';
const provisioner = 'embedded.kilter.dev/volumes';
const claimProtection = 'kubernetes.io/pvc-protection';
const volumeProtection = 'kubernetes.io/pv-protection';

/**
 * Binds every claim at once to a volume made for it, whatever its class asks for, and to the volume that it names where it
 * names one. A volume made here goes with its claim; of others the reclaim policy is kept. Claims in use are not deleted.
 *
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/
 */
export class VolumeClaims implements Controller {
  readonly name = 'volume-claims';
  readonly hears = [claims.storage, volumes.storage, pods.storage];

  constructor(private readonly desk: Desk) {}

  observe({ resource, object, type }: Revision, queue: Queue): void {
    if (resource === claims.storage) queue.add(`claim ${keyOf(object)}`);
    if (resource === volumes.storage) queue.add(`volume ${object.metadata.name}`);
    if (resource === pods.storage && (type === 'DELETED' || isFinished(object))) {
      for (const name of claimNames(object as Pod)) queue.add(`claim ${object.metadata.namespace}/${name}`);
    }
    const { claimRef } = ((object as Claim | Volume).spec ?? {}) as {
      claimRef?: { namespace?: string; name?: string };
    };
    if (claimRef) queue.add(`claim ${claimRef.namespace}/${claimRef.name}`);
    const { volumeName } = ((object as Claim).spec ?? {}) as { volumeName?: string };
    if (resource === claims.storage && volumeName) queue.add(`volume ${volumeName}`);
  }

  reconcile(key: string): void {
    const [kind = '', rest = ''] = key.split(' ');
    if (kind === 'volume') {
      const volume = this.desk.index.get(volumes, undefined, rest);
      if (volume) this.#reclaim(volume);
      return;
    }
    const { namespace, name } = addressOf(rest);
    const claim = this.desk.index.get(claims, namespace, name);
    if (!claim) return;
    if (isTerminating(claim)) this.#release(claim);
    else if (claim.status?.phase !== 'Bound') this.#bind(claim);
  }

  #bind(claim: Claim): void {
    const { namespace, name, uid } = claim.metadata;
    const { volumeName, accessModes, resources, storageClassName, volumeMode } = claim.spec!;
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: namespace!, name, uid };
    const wanted = volumeName || `pvc-${uid}`;
    let volume = this.desk.index.get(volumes, undefined, wanted);
    if (!volume) {
      // A volume that is named and not there is for others to make.
      if (volumeName) return;
      volume = this.desk.writer.create(volumes, undefined, {
        metadata: { name: wanted, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
        spec: {
          accessModes: accessModes ?? ['ReadWriteOnce'],
          capacity: { storage: resources?.requests?.['storage'] ?? '1Gi' },
          claimRef,
          hostPath: { path: `/var/lib/embedded/${wanted}` },
          persistentVolumeReclaimPolicy: 'Delete',
          ...(storageClassName === undefined ? {} : { storageClassName }),
          ...(volumeMode === undefined ? {} : { volumeMode }),
        },
      });
    } else if (volume.spec?.claimRef?.uid === undefined) {
      const { claimRef: there } = volume.spec ?? {};
      if (there && (there.namespace !== namespace || there.name !== name)) return;
      volume = this.desk.writer.update(volumes, {
        ...volume,
        spec: { ...volume.spec, claimRef: { ...there, ...claimRef } },
      });
    } else if (volume.spec.claimRef.uid !== uid) return;
    if (volume.status?.phase !== 'Bound') {
      volume = this.desk.writer.updateStatus(volumes, { ...volume, status: { ...volume.status, phase: 'Bound' } });
    }
    const annotations = { ...claim.metadata.annotations, [bound]: 'yes', ...(volumeName ? {} : { [byUs]: 'yes' }) };
    const named = this.desk.writer.update(claims, {
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: wanted },
    });
    const { capacity, accessModes: modes } = volume.spec!;
    const status = {
      phase: 'Bound',
      ...(modes === undefined ? {} : { accessModes: modes }),
      ...(capacity === undefined ? {} : { capacity }),
    };
    this.desk.writer.updateStatus(claims, { ...named, status });
  }

  /** Lets a deleted claim go once no Pod uses it. */
  #release(claim: Claim): void {
    const { namespace, name, finalizers = [] } = claim.metadata;
    if (!finalizers.includes(claimProtection)) return;
    const isUser = (pod: Pod) => !isFinished(pod) && claimNames(pod).includes(name);
    if (this.desk.index.list(pods, namespace!).some(isUser)) return;
    this.#unprotect(claim, claimProtection);
  }

  #reclaim(volume: Volume): void {
    if (isTerminating(volume)) {
      const isBound = this.desk.index.byUid(volume.spec?.claimRef?.uid ?? '') !== undefined;
      if (!isBound && volume.metadata.finalizers?.includes(volumeProtection)) this.#unprotect(volume, volumeProtection);
      return;
    }
    const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
    const phase = volume.status?.phase;
    if (claimRef?.uid === undefined) {
      if (phase === undefined || phase === 'Pending') this.#setPhase(volume, 'Available');
      return;
    }
    if (this.desk.index.byUid(claimRef.uid)) return;
    const isOurs = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === provisioner;
    if (persistentVolumeReclaimPolicy === 'Delete' && isOurs) this.desk.writer.delete(volume);
    else if (phase !== 'Released') this.#setPhase(volume, 'Released');
  }

  #setPhase(volume: Volume, phase: string): void {
    this.desk.writer.updateStatus(volumes, { ...volume, status: { ...volume.status, phase } });
  }

  #unprotect(object: Claim | Volume, finalizer: string): void {
    const left = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    this.desk.writer.patch(object, { metadata: { finalizers: left.length === 0 ? null : left } });
  }
}

/** The claims that a Pod mounts. */
function claimNames({ spec, metadata }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim ? [persistentVolumeClaim.claimName] : ephemeral ? [`${metadata.name}-${name}`] : [],
  );
}
