/**
 * Kinds, as `groupKindOf` names them, that hold data or a whole world of objects, all of which goes with them. They are
 * never made anew without the consent of whoever owns the data.
 */
export const dataKinds: ReadonlySet<string> = new Set([
  'CustomResourceDefinition.apiextensions.k8s.io',
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Secret',
  'StatefulSet.apps',
  'VolumeSnapshot.snapshot.storage.k8s.io',
]);
