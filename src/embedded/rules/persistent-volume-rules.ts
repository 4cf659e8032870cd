/** Longer than most files: a volume has a rule for each kind of source, and they are judged together. */
import type { PersistentVolumeObject, Volume } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { timestamp } from '../../kube/timestamp.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123Label, dns1123Subdomain, dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { compareAmounts, notPositiveProblems, sortedNames, wholeAmount } from './amounts.js';
import { volumeWarnings } from './persistent-volume-warnings.js';
import { affinityProblems } from './pod-template/affinity-problems.js';
import { noBacksteps } from './pod-template/path-problems.js';
import { rareSources } from './pod-template/rare-volume-sources.js';
import { goStruct, Problems } from './problems.js';
import { protectFromDeletion } from './protect-from-deletion.js';
import { keepSpec, keepStatus, statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';
import { volumeSourceDifference, volumeSources } from './volume-source-difference.js';

type PersistentVolume = Unchecked<PersistentVolumeObject>;
type Spec = NonNullable<PersistentVolume['spec']>;

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const volumeModes = ['Block', 'Filesystem'];
const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate'].concat([
  'File',
  'FileOrCreate',
  'Socket',
]);
const mountOptions = 'volume.beta.kubernetes.io/mount-options';
/** Whose mount options are taken from an annotation, as they were of old. */
const mountable = ['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi'].concat([
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
]);

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/ */
export const persistentVolumeRules: Rules = {
  default(object) {
    const volume = object as unknown as PersistentVolume;
    volume.spec ??= {};
    volume.status ??= {};
    volume.status.phase ||= 'Pending';
    volume.spec.persistentVolumeReclaimPolicy ||= 'Retain';
    volume.spec.volumeMode ??= 'Filesystem';
    if (volume.spec.hostPath) volume.spec.hostPath.type ??= '';
  },
  prepareForCreate(object, world) {
    object.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(world.now()) };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate(object, old, world) {
    keepSpec(object, old);
    const volume = object as unknown as PersistentVolume;
    volume.status ??= {};
    const { status } = volume;
    const before = (old as unknown as PersistentVolume).status;
    const isSaid = status.lastPhaseTransitionTime !== undefined;
    if (status.phase !== before?.phase) {
      const isNew = isSaid && status.lastPhaseTransitionTime !== before?.lastPhaseTransitionTime;
      if (!isNew) status.lastPhaseTransitionTime = timestamp(world.now());
    } else if (!isSaid && before?.lastPhaseTransitionTime !== undefined) {
      status.lastPhaseTransitionTime = before.lastPhaseTransitionTime;
    }
  },
  validate: (object) => [...volumeProblems(object), ...mountOptionProblems(object)],
  validateUpdate(object, old) {
    const found = new Problems();
    found.add(volumeProblems(object));
    found.add(mountOptionProblems(object));
    // The server judges it twice, and says the same things once.
    changeProblems(found, object, old);
    return found.all;
  },
  validateStatusUpdate: () => [],
  admit(object, operation) {
    if (operation === 'CREATE') protectFromDeletion(object, 'kubernetes.io/pv-protection');
  },
  nameProblems: dns1123SubdomainName,
  resetFields: statusApart({}).resetFields,
  warnings: volumeWarnings,
};

function volumeProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as PersistentVolume;
  const found = new Problems();
  modeProblems(found, spec.accessModes ?? []);
  capacityProblems(found, spec);
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy && !reclaimPolicies.includes(policy)) {
    found.notSupported('spec.persistentVolumeReclaimPolicy', policy, reclaimPolicies);
  }
  nodeAffinityProblems(found, spec);
  sourceProblems(found, spec, object.metadata.name);
  const isRoot = spec.hostPath?.path !== undefined && /^(\/|\/+\.?)+$/.test(spec.hostPath.path);
  if (isRoot && policy === 'Recycle') {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    found.forbidden('spec.persistentVolumeReclaimPolicy', detail);
  }
  if (spec.storageClassName) found.subdomain('spec.storageClassName', spec.storageClassName);
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    found.notSupported('spec.volumeMode', spec.volumeMode, volumeModes);
  }
  const { volumeAttributesClassName: attributes } = spec;
  if (attributes === undefined) return found.all;
  if (attributes === '') found.required('spec.volumeAttributesClassName', 'an empty string is disallowed');
  else found.subdomain('spec.volumeAttributesClassName', attributes);
  if (spec.csi === undefined) found.required('spec.csi', 'has to be specified when using volumeAttributesClassName');
  return found.all;
}

function modeProblems(found: Problems, modes: readonly string[]): void {
  const path = 'spec.accessModes';
  if (modes.length === 0) found.required(path);
  for (const mode of modes) if (!accessModes.includes(mode)) found.notSupported(path, mode, accessModes);
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others.length > 0) {
    found.forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

function capacityProblems(found: Problems, spec: Spec): void {
  const { capacity } = spec;
  const names = sortedNames(capacity);
  if (names.length === 0) found.required('spec.capacity');
  if (capacity?.storage === undefined || names.length > 1)
    found.notSupported('spec.capacity', capacity ?? null, ['storage']);
  for (const name of names) {
    const path = `spec.capacity[${name}]`;
    const amount = capacity?.[name] ?? 0;
    if (compareAmounts(amount, 0) < 0)
      found.invalid(path, Number(wholeAmount(amount)), 'must be a valid resource quantity');
    found.add(notPositiveProblems(path, amount));
  }
}

function nodeAffinityProblems(found: Problems, { nodeAffinity }: Spec): void {
  if (nodeAffinity === undefined) return;
  const path = 'spec.nodeAffinity.required';
  const { required } = nodeAffinity;
  if (required === undefined) {
    found.required(path, 'must specify required node constraints');
    return;
  }
  const name = 'requiredDuringSchedulingIgnoredDuringExecution';
  const ofPod = new Problems();
  affinityProblems(ofPod, 'spec', { nodeAffinity: { [name]: required } });
  found.add(ofPod.all.map((each) => ({ ...each, path: each.path.replace(`spec.nodeAffinity.${name}`, path) })));
}

function sourceProblems(found: Problems, spec: Spec, name: string): void {
  const given = volumeSources.filter((field) => spec[field] !== undefined);
  if (given.length === 0) found.required('spec', 'must specify a volume type');
  given.forEach((field, index) => {
    if (index > 0 && field !== 'flexVolume') {
      const refusedAs = field === 'cephfs' ? 'cephFS' : field;
      found.forbidden(`spec.${refusedAs}`, 'may not specify more than 1 volume type');
      return;
    }
    if (field === 'hostPath') hostPathProblems(found, spec.hostPath ?? {});
    else if (field === 'nfs') nfsProblems(found, spec.nfs ?? {});
    else if (field === 'local') localProblems(found, spec);
    else if (field === 'csi') csiProblems(found, spec.csi ?? {});
    else {
      const rule = rareSources.find((each) => each.field === field);
      rule?.check(found, 'spec', spec as Unchecked<Volume>, { isPod: false, volumeName: name });
    }
  });
}

function hostPathProblems(found: Problems, { path = '', type }: NonNullable<Spec['hostPath']>): void {
  if (path === '') {
    found.required('spec.hostPath.path');
    return;
  }
  noBacksteps(found, 'spec.hostPath.path', path);
  if (type !== undefined && !hostPathTypes.includes(type))
    found.notSupported('spec.hostPath.type', type, hostPathTypes);
}

function nfsProblems(found: Problems, { server = '', path = '' }: NonNullable<Spec['nfs']>): void {
  if (server === '') found.required('spec.nfs.server');
  if (path === '') found.required('spec.nfs.path');
  if (!path.startsWith('/')) found.invalid('spec.nfs.path', path, 'must be an absolute path');
}

function localProblems(found: Problems, { local, nodeAffinity }: Spec): void {
  if (!local?.path) found.required('spec.local.path');
  else noBacksteps(found, 'spec.local.path', local.path);
  if (nodeAffinity === undefined) found.required('spec.nodeAffinity', 'Local volume requires node affinity');
}

function csiProblems(found: Problems, csi: NonNullable<Spec['csi']>): void {
  const { driver = '', volumeHandle = '' } = csi;
  if (driver === '') found.required('spec.csi.driver');
  else {
    if (driver.length > 63) found.tooLong('spec.csi.driver', 63);
    for (const message of dns1123Subdomain(driver.toLowerCase())) found.invalid('spec.csi.driver', driver, message);
  }
  if (volumeHandle === '') found.required('spec.csi.volumeHandle');
  for (const field of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const) {
    const reference = csi[field];
    if (reference === undefined) continue;
    const path = `spec.csi.${field}`;
    if (!reference.name) found.required(`${path}.name`);
    else found.subdomain(`${path}.name`, reference.name);
    if (!reference.namespace) found.required(`${path}.namespace`);
    else found.format(`${path}.namespace`, reference.namespace, dns1123Label);
  }
}

function mountOptionProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as PersistentVolume;
  if (object.metadata.annotations?.[mountOptions] === undefined || mountable.some((field) => field in spec)) return [];
  const found = new Problems();
  found.forbidden(`metadata.annotations.${mountOptions}`, 'may not specify mount options for this volume type');
  return found.all;
}

function changeProblems(found: Problems, object: KubeObject, before: KubeObject): void {
  const [spec, old] = [object, before].map((each) => (each as unknown as PersistentVolume).spec ?? {});
  const difference = volumeSourceDifference(old ?? {}, spec ?? {});
  if (difference !== undefined) {
    const detail = 'spec.persistentvolumesource is immutable after creation';
    found.forbidden('spec.persistentvolumesource', `${detail}\n${difference}`);
  }
  if (spec?.volumeMode !== old?.volumeMode) found.invalid('volumeMode', spec?.volumeMode ?? null, 'field is immutable');
  if (old?.nodeAffinity !== undefined && JSON.stringify(old.nodeAffinity) !== JSON.stringify(spec?.nodeAffinity)) {
    found.invalidShown(
      'nodeAffinity',
      goStruct(shownAffinity(spec?.nodeAffinity), ['Required']),
      'field is immutable, except for updating from beta label to GA',
    );
  }
  if (old?.volumeAttributesClassName !== undefined && spec?.volumeAttributesClassName === undefined) {
    found.forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden');
  }
}

function shownAffinity(affinity: Spec['nodeAffinity']): Record<string, unknown> {
  const terms = affinity?.required?.nodeSelectorTerms?.map(({ matchExpressions, matchFields }) => ({
    MatchExpressions: matchExpressions?.map(shownRequirement) ?? null,
    MatchFields: matchFields?.map(shownRequirement) ?? null,
  }));
  return { Required: affinity?.required === undefined ? null : { NodeSelectorTerms: terms ?? null } };
}

function shownRequirement({
  key,
  operator,
  values,
}: {
  key?: string | undefined;
  operator?: string | undefined;
  values?: string[] | undefined;
}): object {
  return { Key: key ?? '', Operator: operator ?? '', Values: values ?? null };
}
