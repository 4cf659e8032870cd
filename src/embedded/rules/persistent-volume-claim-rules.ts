import type { PersistentVolumeClaimObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import { equal } from '../fields/field-type.js';
import type { Rules, World } from '../kinds/served-kind.js';
import { isSaidEmpty, withMoreOf } from '../said-more.js';
import { forbidden } from '../status-error.js';
import { compareAmounts } from './amounts.js';
import { claimStatusProblems } from './claim-status-problems.js';
import { defaultClass } from './default-class.js';
import { claimSpecWarnings } from './fraction-warnings.js';
import { unifiedDiff } from './go-diff.js';
import { claimSpecProblems } from './pod-template/claim-problems.js';
import { defaultResourceList } from './pod-template/default-resources.js';
import { Problems } from './problems.js';
import { protectFromDeletion } from './protect-from-deletion.js';
import { shownClaimSpec } from './shown-claim-spec.js';
import { keepSpec, keepStatus, statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Claim = Unchecked<PersistentVolumeClaimObject>;
type ClaimSpec = NonNullable<Claim['spec']>;

const storageClasses = 'storageclasses.storage.k8s.io';
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** https://kubernetes.io/docs/concepts/storage/persistent-volumes/#persistentvolumeclaims */
export const persistentVolumeClaimRules: Rules = {
  default(object) {
    const claim = object as unknown as Claim;
    claim.spec ??= {};
    claim.spec.volumeMode ??= 'Filesystem';
    claim.status ??= {};
    claim.status.phase ||= 'Pending';
    const { resources } = claim.spec;
    const { capacity, allocatedResources } = claim.status;
    for (const amounts of [resources?.limits, resources?.requests, capacity, allocatedResources]) {
      defaultResourceList(amounts);
    }
  },
  prepareForCreate(object) {
    const claim = object as unknown as Claim;
    claim.status = {};
    settleSources(claim.spec ?? {}, undefined);
  },
  prepareForUpdate(object, old) {
    keepStatus(object, old);
    settleSources((object as unknown as Claim).spec ?? {}, specOf(old));
  },
  prepareForStatusUpdate: keepSpec,
  completeWhenRead(object) {
    const claim = object as unknown as Claim;
    claim.status ??= {};
    if (claim.status.phase) return false;
    claim.status.phase = 'Pending';
    return true;
  },
  validate: claimProblems,
  validateUpdate(object, old) {
    const found = new Problems();
    found.add(claimProblems(object));
    changeProblems(found, object, old);
    return found.all;
  },
  validateStatusUpdate: claimStatusProblems,
  admit(object, operation, world) {
    if (operation !== 'CREATE') return;
    chooseClass(object, world);
    protectFromDeletion(object, 'kubernetes.io/pvc-protection');
  },
  admitValid: refuseGrowth,
  nameProblems: dns1123SubdomainName,
  resetFields: statusApart({}).resetFields,
  warnings(object) {
    const isOldWay = object.metadata.annotations?.[classAnnotation] !== undefined;
    const advice = `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`;
    return [...(isOldWay ? [advice] : []), ...claimSpecWarnings('spec', specOf(object))];
  },
};

function specOf(object: KubeObject): ClaimSpec {
  return (object as unknown as Claim).spec ?? {};
}

function claimProblems(object: KubeObject): readonly FieldProblem[] {
  const found = new Problems();
  claimSpecProblems(found, 'spec', specOf(object));
  return found.all;
}

/** What a volume is filled from stands in two fields, of which the older takes claims and snapshots only. */
function settleSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  // Sources in other namespaces are behind a gate that is closed by default.
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const { dataSource, dataSourceRef } = spec;
  const wasThere = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!wasThere && dataSource !== undefined && dataSourceRef === undefined) {
    const { kind } = dataSource;
    const apiGroup = dataSource.apiGroup ?? '';
    const isClaim = kind === 'PersistentVolumeClaim' && apiGroup === '';
    const isSnapshot = kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
    if (!isClaim && !isSnapshot) delete spec.dataSource;
  }
  if (spec.dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...spec.dataSource };
  else if (dataSource === undefined && dataSourceRef !== undefined && !dataSourceRef.namespace) {
    const { namespace: _, ...same } = dataSourceRef;
    spec.dataSource = same;
  }
}

/** Nearly all of a claim's spec is fixed; what may change changes on the copy that is compared. */
function changeProblems(found: Problems, object: KubeObject, before: KubeObject): void {
  const [spec, old] = [specOf(object), specOf(before)];
  const [now, was] = [withMoreOf(structuredClone(spec), spec), structuredClone(old)];
  if (now.resources && spec.resources) withMoreOf(now.resources, spec.resources);
  const isBound = (object as unknown as Claim).status?.phase === 'Bound';
  if (!was.volumeName && now.volumeName !== undefined) was.volumeName = now.volumeName;
  const annotated = before.metadata.annotations?.[classAnnotation];
  const annotation = object.metadata.annotations?.[classAnnotation];
  const isUpgrade =
    annotated !== undefined &&
    was.storageClassName === undefined &&
    now.storageClassName === annotated &&
    (annotation ?? annotated) === annotated;
  if (isUpgrade) delete now.storageClassName;
  else {
    if ((annotation ?? '') !== (annotated ?? '')) {
      found.invalid(`metadata.annotations[${classAnnotation}]`, annotation ?? '', 'field is immutable');
    }
    if (now.storageClassName !== undefined && was.storageClassName === undefined && annotated === undefined) {
      delete now.storageClassName;
    }
  }
  if (isBound) {
    const size = was.resources?.requests?.storage;
    const { resources } = now;
    const saysRequests = resources?.requests !== undefined || isSaidEmpty(resources, 'requests');
    if (resources && saysRequests && size !== undefined) resources.requests = { ...resources.requests, storage: size };
    if (was.volumeAttributesClassName === undefined) delete now.volumeAttributesClassName;
    else now.volumeAttributesClassName = was.volumeAttributesClassName;
  }
  if (!equal(now as Json, was as Json)) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    found.forbidden('spec', `${detail}\n${unifiedDiff(shownClaimSpec(was), shownClaimSpec(now))}`);
  }
  const [size, oldSize] = [spec, old].map(({ resources }) => resources?.requests?.storage ?? 0);
  const capacity = (before as unknown as Claim).status?.capacity?.storage ?? 0;
  if (compareAmounts(size!, oldSize!) < 0 && compareAmounts(size!, capacity) <= 0) {
    found.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
  }
  if (spec.volumeMode !== old.volumeMode) found.invalid('volumeMode', spec.volumeMode ?? null, 'field is immutable');
  if (spec.volumeAttributesClassName === old.volumeAttributesClassName) return;
  if ((before as unknown as Claim).status?.currentVolumeAttributesClassName === undefined) return;
  const because = 'is forbidden when status.currentVolumeAttributesClassName is not nil';
  if (spec.volumeAttributesClassName === undefined) {
    found.forbidden('spec.volumeAttributesClassName', `update to nil ${because}`);
  } else if (spec.volumeAttributesClassName === '') {
    found.forbidden('spec.volumeAttributesClassName', `update to empty string ${because}`);
  }
}

function chooseClass(object: Draft, world: World): void {
  const claim = object as unknown as Claim;
  if (claim.spec?.storageClassName !== undefined || object.metadata.annotations?.[classAnnotation] !== undefined)
    return;
  const name = defaultClass(world.list(storageClasses), [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ]);
  if (name === undefined) return;
  claim.spec ??= {};
  claim.spec.storageClassName = name;
}

/** A claim grows only when the class of its volume says that volumes can grow. */
function refuseGrowth(object: KubeObject, before: KubeObject | undefined, world: World): readonly string[] {
  // Of a claim that is not bound the whole spec is fixed, and that is said elsewhere.
  if (before === undefined || (before as unknown as Claim).status?.phase !== 'Bound') return [];
  const [spec, old] = [specOf(object), specOf(before)];
  if (compareAmounts(spec.resources?.requests?.storage ?? 0, old.resources?.requests?.storage ?? 0) <= 0) return [];
  const about = { group: '', name: 'persistentvolumeclaims' };
  const className = object.metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? '';
  const oldClassName = before.metadata.annotations?.[classAnnotation] ?? old.storageClassName ?? '';
  const isSame = className !== '' && className === oldClassName;
  if (isSame && world.get(storageClasses, undefined, className)?.allowVolumeExpansion === true) return [];
  const because =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbidden(about, object.metadata.name, because);
}
