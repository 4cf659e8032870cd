import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { type Engine, timeOf, uuid } from './engine.js';

/**
 * Stores what the API server itself puts into every cluster, as a create of its own would store it, where it is not there.
 * It costs less than a create, for there are more than a hundred such objects, and every test starts a server.
 */
export function storeAtStart(engine: Engine, storage: string, manifest: Manifest, fieldsV1: FieldsV1): void {
  const { name, namespace, labels, annotations, generation } = manifest.metadata as KubeObject['metadata'];
  if (engine.store.get(storage, namespace, name)) return;
  const now = timeOf(engine);
  const entry: ManagedFieldsEntry = {
    manager: 'kube-apiserver',
    operation: 'Update',
    apiVersion: manifest.apiVersion,
    time: now,
    fieldsType: 'FieldsV1',
    fieldsV1,
  };
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(generation === undefined ? {} : { generation }),
    managedFields: [entry],
    creationTimestamp: now,
    uid: uuid(engine.random),
    resourceVersion: '',
  };
  engine.store.put(storage, { ...manifest, metadata });
}
