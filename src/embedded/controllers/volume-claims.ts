import type { PersistentVolumeClaimObject, PersistentVolumeObject } from '../../../imports/k8s.js';
import type { Revision } from '../object-store.js';
import { claims, type Live, volumes } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isTerminating } from './pod-state.js';

type Claim = Live<PersistentVolumeClaimObject>;
type Volume = Live<PersistentVolumeObject>;

const bound = 'pv.kubernetes.io/bind-completed';
const byUs = 'pv.kubernetes.io/bound-by-controller';
const provisioner = 'embedded.kilter.dev/volumes';

/**
 * Binds every claim at once to a volume made for it, whatever its class asks for, and to the volume that it names where it
 * names one. A volume made here goes with its claim; of others the reclaim policy is kept.
 *
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/
 */
export class VolumeClaims implements Controller {
  readonly name = 'volume-claims';
  readonly hears = [claims.storage, volumes.storage];

  constructor(private readonly desk: Desk) {}

  observe({ resource, object }: Revision, queue: Queue): void {
    if (resource === claims.storage) {
      queue.add(`claim ${keyOf(object)}`);
      const { volumeName } = (object as Claim).spec ?? {};
      if (volumeName) queue.add(`volume ${volumeName}`);
      return;
    }
    queue.add(`volume ${object.metadata.name}`);
    const { claimRef } = (object as Volume).spec ?? {};
    if (claimRef) queue.add(`claim ${claimRef.namespace}/${claimRef.name}`);
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
    if (!isTerminating(claim) && claim.status?.phase !== 'Bound') this.#bind(claim);
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

  #reclaim(volume: Volume): void {
    if (isTerminating(volume)) return;
    const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
    const phase = volume.status?.phase;
    if (claimRef?.uid === undefined) {
      if (phase === undefined || phase === 'Pending') this.#setPhase(volume, 'Available');
      return;
    }
    if (this.desk.index.byUid(claimRef.uid)) return;
    const isOurs = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === provisioner;
    const released = phase === 'Released' ? volume : this.#setPhase(volume, 'Released');
    if (persistentVolumeReclaimPolicy === 'Delete' && isOurs) this.desk.writer.delete(released);
  }

  #setPhase(volume: Volume, phase: string): Volume {
    return this.desk.writer.updateStatus(volumes, { ...volume, status: { ...volume.status, phase } });
  }
}
