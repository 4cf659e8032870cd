import type { PodTemplateSpec, StatefulSetObject, StatefulSetSpec, Volume } from '../../../../imports/k8s.js';
import { dns1123LabelName } from '../../../schema/name-formats.js';
import { labelProblems } from '../../../schema/object-meta.js';
import type { Rules } from '../../kinds/served-kind.js';
import { claimSpecWarnings } from '../fraction-warnings.js';
import { isEmptySelector, selectorProblems } from '../label-selector.js';
import { annotationProblems } from '../pod-template/annotation-problems.js';
import { claimSpecProblems } from '../pod-template/claim-problems.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { defaultClaimSpec } from '../pod-template/default-volume.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { internalJson } from '../pod-template/internal-json.js';
import { podAnnotationProblems } from '../pod-template/pod-annotation-problems.js';
import { podTemplateProblems, runsForEver, selectedProblems } from '../pod-template/pod-template-problems.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { goSelector, Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { atMostAll, isNone, numberOrShare } from './int-or-percent.js';
import { isSame, requiredSelector, selectorIn } from './selector-of-workload.js';
import { atMost, collisionsKept, nonNegativeCounts, specAndStatusApart, statusOf } from './status-fields.js';

type Spec = Unchecked<StatefulSetSpec>;

const { prepareForCreate, prepareForUpdate } = statusApart({ availableReplicas: 0, replicas: 0 });
/** What may change of a StatefulSet that is there. */
const mutable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
].concat(['persistentVolumeClaimRetentionPolicy']);

/** https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/ */
export const statefulSetRules: Rules = {
  ...specAndStatusApart,
  default(object) {
    const set = unchecked<StatefulSetObject>(object);
    set.spec ??= {};
    const { spec } = set;
    spec.podManagementPolicy ||= 'OrderedReady';
    spec.template ??= {};
    defaultPodTemplate(spec.template);
    spec.updateStrategy ??= {};
    if (!spec.updateStrategy.type) {
      spec.updateStrategy.type = 'RollingUpdate';
      spec.updateStrategy.rollingUpdate ??= {};
    }
    const { rollingUpdate } = spec.updateStrategy;
    if (spec.updateStrategy.type === 'RollingUpdate' && rollingUpdate) rollingUpdate.partition ??= 0;
    spec.persistentVolumeClaimRetentionPolicy ??= {};
    spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
    spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    for (const claim of spec.volumeClaimTemplates ?? []) {
      claim.apiVersion = 'v1';
      claim.kind = 'PersistentVolumeClaim';
      claim.metadata ??= {};
      claim.spec ??= {};
      defaultClaimSpec(claim.spec);
      claim.status ??= {};
      claim.status.phase ||= 'Pending';
    }
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    dropClosed(unchecked<StatefulSetObject>(object).spec);
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    dropClosed(unchecked<StatefulSetObject>(object).spec);
  },
  prepareForStatusUpdate: keepSpec,
  validate(object) {
    const found = new Problems();
    specProblems(found, unchecked<StatefulSetObject>(object).spec ?? {}, { isNew: true });
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    const { spec = {} } = unchecked<StatefulSetObject>(object);
    specProblems(found, spec, { isNew: false });
    const before = (unchecked<StatefulSetObject>(old).spec ?? {}) as Readonly<Record<string, unknown>>;
    const now = spec as Readonly<Record<string, unknown>>;
    const fields = new Set([...Object.keys(now), ...Object.keys(before)]);
    for (const field of mutable) fields.delete(field);
    if ([...fields].some((field) => !isSame(now[field], before[field]))) {
      found.forbidden(
        'spec',
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      );
    }
    return found.all;
  },
  validateStatusUpdate(object, old) {
    const found = new Problems();
    const status = statusOf(object);
    nonNegativeCounts(found, status, 'replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas');
    nonNegativeCounts(found, status, 'availableReplicas', 'observedGeneration', 'collisionCount');
    const detail = 'cannot be greater than status.replicas';
    atMost(found, status, 'replicas', detail, 'readyReplicas', 'currentReplicas', 'updatedReplicas');
    atMost(found, status, 'replicas', detail, 'availableReplicas');
    atMost(found, status, 'readyReplicas', 'cannot be greater than status.readyReplicas', 'availableReplicas');
    collisionsKept(found, status, statusOf(old));
    return found.all;
  },
  nameProblems: dns1123LabelName,
  generation: 'spec',
  warnings(object, old) {
    const { spec = {} } = unchecked<StatefulSetObject>(object);
    const { template = {}, revisionHistoryLimit: limit, volumeClaimTemplates = [] } = spec;
    const isQuiet = old !== undefined && object.metadata.generation === old.metadata.generation;
    const warnings = isQuiet ? [] : [...podTemplateWarnings('spec.template', template)];
    volumeClaimTemplates.forEach((claim, index) => {
      const at = `spec.volumeClaimTemplates[${index}]${old === undefined ? '' : '.Spec'}`;
      warnings.push(...claimSpecWarnings(at, claim.spec));
    });
    if (limit !== undefined && limit < 0) {
      warnings.push(
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      );
    }
    return warnings;
  },
};

/** Updates of more than one Pod at a time are behind a gate that is closed by default. */
function dropClosed(spec: Spec | undefined): void {
  delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
  dropClosedFields(spec?.template?.spec);
}

function specProblems(found: Problems, spec: Spec, { isNew }: { readonly isNew: boolean }): void {
  const { podManagementPolicy: management = '' } = spec;
  if (management === '') found.required('spec.podManagementPolicy');
  else if (management !== 'OrderedReady' && management !== 'Parallel') {
    found.invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'");
  }
  strategyProblems(found, 'spec.updateStrategy', spec.updateStrategy ?? {});
  for (const when of ['whenDeleted', 'whenScaled'] as const) {
    const policy = spec.persistentVolumeClaimRetentionPolicy?.[when] ?? '';
    if (policy !== 'Retain' && policy !== 'Delete') {
      found.notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, policy, ['Retain', 'Delete']);
    }
  }
  // What cannot change any more is not judged again.
  if (isNew) {
    spec.volumeClaimTemplates?.forEach((claim, index) => {
      claimSpecProblems(found, `spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {});
    });
  }
  found.nonNegative('spec.replicas', spec.replicas);
  found.nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  found.nonNegative('spec.ordinals.start', spec.ordinals?.start);
  if (isNew && spec.serviceName) found.label('spec.serviceName', spec.serviceName);
  const selector = selectorIn(spec);
  requiredSelector(found, 'spec.selector', selector, 'statefulset');
  const template = spec.template ?? {};
  if (selectorProblems(selector, '').length > 0) found.invalidShown('spec.selector', goSelector(selector), '');
  else {
    if (selector === undefined || !isEmptySelector(selector))
      selectedProblems(found, 'spec.template', template, selector);
    templateProblems(found, 'spec.template', withClaims(template, spec.volumeClaimTemplates));
  }
  runsForEver(found, 'spec.template', template, 'StatefulSet');
}

/** The server looks twice at the metadata of a template. */
function templateProblems(found: Problems, path: string, template: Unchecked<PodTemplateSpec>): void {
  podTemplateProblems(found, path, template);
  const { metadata = {}, spec = {} } = template;
  found.add(labelProblems(metadata.labels as Record<string, string> | undefined, `${path}.labels`));
  annotationProblems(found, `${path}.annotations`, metadata.annotations);
  podAnnotationProblems(found, `${path}.annotations`, metadata.annotations, spec);
}

/** The template as Pods will have it: with a volume for each claim, and with names that the set gives them. */
function withClaims(
  template: Unchecked<PodTemplateSpec>,
  claims: Spec['volumeClaimTemplates'] = [],
): Unchecked<PodTemplateSpec> {
  const { hostname: _, subdomain: __, ...spec } = template.spec ?? {};
  if (claims.length === 0) return { ...template, spec };
  const added = new Map<string, Unchecked<Volume>>();
  for (const { metadata } of claims) {
    const name = metadata?.name ?? '';
    added.set(name, { name, persistentVolumeClaim: { claimName: name } });
  }
  const own = (spec.volumes ?? []).filter(({ name = '' }) => !added.has(name));
  return { ...template, spec: { ...spec, volumes: [...added.values(), ...own] } };
}

function strategyProblems(found: Problems, path: string, strategy: NonNullable<Spec['updateStrategy']>): void {
  const { type = '', rollingUpdate } = strategy;
  if (type === '') {
    found.required(path);
    return;
  }
  if (type === 'OnDelete') {
    if (!rollingUpdate) return;
    const shown = `{"Partition":${rollingUpdate.partition ?? 0},"MaxUnavailable":null}`;
    found.invalidShown(`${path}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'");
    return;
  }
  if (type !== 'RollingUpdate') {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    found.invalidShown(path, internalJson('StatefulSetUpdateStrategy', strategy), detail);
    return;
  }
  if (!rollingUpdate) return;
  found.nonNegative(`${path}.rollingUpdate.partition`, rollingUpdate.partition);
  const { maxUnavailable } = rollingUpdate;
  if (maxUnavailable === undefined) return;
  const at = `${path}.rollingUpdate.maxUnavailable`;
  numberOrShare(found, at, maxUnavailable);
  if (isNone(maxUnavailable)) found.invalid(at, maxUnavailable, 'cannot be 0');
  atMostAll(found, at, maxUnavailable);
}
