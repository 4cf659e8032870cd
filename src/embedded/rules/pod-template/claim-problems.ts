import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from '../../../../imports/k8s.js';
import { dns1123Label, dns1123Subdomain } from '../../../schema/name-formats.js';
import { labelProblems } from '../../../schema/object-meta.js';
import { notPositiveProblems } from '../amounts.js';
import { selectorProblems } from '../label-selector.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { annotationProblems } from './annotation-problems.js';

type ClaimSpec = Unchecked<PersistentVolumeClaimSpec>;

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

/** A claim that is made along with a Pod. */
export function claimTemplateProblems(
  found: Problems,
  path: string,
  { metadata = {}, spec = {} }: Unchecked<PersistentVolumeClaimTemplate>,
): void {
  annotationProblems(found, `${path}.metadata.annotations`, metadata.annotations);
  found.add(labelProblems(metadata.labels as Record<string, string> | undefined, `${path}.metadata.labels`));
  for (const field of Object.keys(metadata)) {
    const isAllowed = field === 'annotations' || field === 'labels' || field === 'creationTimestamp';
    if (!isAllowed) found.forbidden(`${path}.metadata.${field}`, 'cannot be set');
  }
  claimSpecProblems(found, `${path}.spec`, spec);
}

/** https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-claim-v1/ */
export function claimSpecProblems(found: Problems, path: string, spec: ClaimSpec): void {
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) found.required(`${path}.accessModes`, 'at least 1 access mode is required');
  found.add(selectorProblems(spec.selector as Parameters<typeof selectorProblems>[0], `${path}.selector`));
  for (const mode of modes) {
    if (!accessModes.includes(mode)) found.notSupported(`${path}.accessModes`, mode, accessModes);
  }
  const isForOnePod = modes.includes('ReadWriteOncePod');
  if (isForOnePod && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    found.forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes');
  }
  const storage = spec.resources?.requests?.storage;
  if (storage === undefined) found.required(`${path}.resources[storage]`);
  else found.add(notPositiveProblems(`${path}.resources[storage]`, storage));
  if (spec.storageClassName) found.subdomain(`${path}.storageClassName`, spec.storageClassName);
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    found.notSupported(`${path}.volumeMode`, spec.volumeMode, volumeModes);
  }
  if (spec.dataSource) sourceProblems(found, `${path}.dataSource`, spec.dataSource);
  if (spec.dataSourceRef) {
    sourceProblems(found, `${path}.dataSourceRef`, spec.dataSourceRef);
    const { namespace } = spec.dataSourceRef;
    if (namespace) found.format(`${path}.dataSourceRef.namespace`, namespace, dns1123Label);
  }
  bothSources(found, path, spec);
  if (spec.volumeAttributesClassName) {
    found.subdomain(`${path}.volumeAttributesClassName`, spec.volumeAttributesClassName);
  }
}

function sourceProblems(found: Problems, path: string, source: NonNullable<ClaimSpec['dataSource']>): void {
  const { name = '', kind = '' } = source;
  // Where there is none, null stands for it.
  const apiGroup = source.apiGroup ?? '';
  if (name === '') found.required(`${path}.name`);
  if (kind === '') found.required(`${path}.kind`);
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    found.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup !== '') found.format(`${path}.apiGroup`, apiGroup, dns1123Subdomain);
}

function bothSources(found: Problems, path: string, { dataSource, dataSourceRef }: ClaimSpec): void {
  if (dataSource === undefined || dataSourceRef === undefined) return;
  if (dataSourceRef.namespace) {
    found.invalidShown(path, '{}', 'may not be specified when dataSourceRef.namespace is specified');
  } else if ((['apiGroup', 'kind', 'name'] as const).some((field) => dataSource[field] !== dataSourceRef[field])) {
    // What the server shows here is an empty struct of its own.
    found.invalidShown(path, '{}', 'must match dataSourceRef');
  }
}
