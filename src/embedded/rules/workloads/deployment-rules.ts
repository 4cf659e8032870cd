import type { DeploymentObject, DeploymentSpec } from '../../../../imports/k8s.js';
import type { Rules } from '../../kinds/served-kind.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { internalJson } from '../pod-template/internal-json.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { atMostAll, isNone, numberOrShare } from './int-or-percent.js';
import { immutableSelector, isSame, requiredSelector, selectorIn, templateOfReplicas } from './selector-of-workload.js';
import { atMost, collisionsKept, nonNegativeCounts, statusOf } from './status-fields.js';
import { nameOfPodsWarnings } from './workload-warnings.js';

const { prepareForCreate, prepareForUpdate } = statusApart({});

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/ */
export const deploymentRules: Rules = {
  default(object) {
    const deployment = unchecked<DeploymentObject>(object);
    deployment.spec ??= {};
    const { spec } = deployment;
    spec.replicas ??= 1;
    spec.template ??= {};
    defaultPodTemplate(spec.template);
    spec.strategy ??= {};
    spec.strategy.type ||= 'RollingUpdate';
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate ??= {};
      spec.strategy.rollingUpdate.maxUnavailable ??= '25%';
      spec.strategy.rollingUpdate.maxSurge ??= '25%';
    }
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    dropClosedFields(unchecked<DeploymentObject>(object).spec?.template?.spec);
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    dropClosedFields(unchecked<DeploymentObject>(object).spec?.template?.spec);
  },
  prepareForStatusUpdate(object, old) {
    keepSpec(object, old);
    if (old.metadata.labels === undefined) delete object.metadata.labels;
    else object.metadata.labels = old.metadata.labels;
  },
  validate(object) {
    const found = new Problems();
    specProblems(found, unchecked<DeploymentObject>(object).spec ?? {});
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    const { spec = {} } = unchecked<DeploymentObject>(object);
    specProblems(found, spec);
    immutableSelector(found, 'spec.selector', selectorIn(spec), selectorIn(unchecked<DeploymentObject>(old).spec));
    return found.all;
  },
  validateStatusUpdate(object, old) {
    const found = new Problems();
    const status = statusOf(object);
    nonNegativeCounts(found, status, 'observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas');
    nonNegativeCounts(found, status, 'availableReplicas', 'unavailableReplicas', 'terminatingReplicas');
    nonNegativeCounts(found, status, 'collisionCount');
    const detail = 'cannot be greater than status.replicas';
    atMost(found, status, 'replicas', detail, 'updatedReplicas', 'readyReplicas', 'availableReplicas');
    atMost(found, status, 'readyReplicas', 'cannot be greater than readyReplicas', 'availableReplicas');
    collisionsKept(found, status, statusOf(old));
    return found.all;
  },
  generation: (object, old) =>
    !isSame(object.spec, old.spec) || !isSame(object.metadata.annotations, old.metadata.annotations),
  resetFields: { main: [['f:status']], status: [['f:spec'], ['f:metadata', 'f:labels']] },
  warnings(object, old) {
    const template = unchecked<DeploymentObject>(object).spec?.template ?? {};
    if (old === undefined) {
      return [...nameOfPodsWarnings(object), ...podTemplateWarnings('spec.template', template)];
    }
    if (object.metadata.generation === old.metadata.generation) return [];
    return podTemplateWarnings('spec.template', template);
  },
};

function specProblems(found: Problems, spec: Unchecked<DeploymentSpec>): void {
  found.nonNegative('spec.replicas', spec.replicas);
  const selector = selectorIn(spec);
  requiredSelector(found, 'spec.selector', selector, 'deployment');
  templateOfReplicas(found, 'spec.template', spec.template ?? {}, selector);
  strategyProblems(found, 'spec.strategy', spec.strategy ?? {});
  found.nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  found.nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (deadline === undefined) return;
  found.nonNegative('spec.progressDeadlineSeconds', deadline);
  if (deadline <= minReadySeconds) {
    found.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
}

function strategyProblems(found: Problems, path: string, strategy: NonNullable<Unchecked<DeploymentSpec>['strategy']>) {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    if (rollingUpdate) {
      found.forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
    }
    return;
  }
  if (type !== 'RollingUpdate') {
    found.notSupportedShown(path, internalJson('DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate']);
    return;
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const at = `${path}.rollingUpdate`;
  numberOrShare(found, `${at}.maxUnavailable`, maxUnavailable);
  numberOrShare(found, `${at}.maxSurge`, maxSurge);
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    found.invalid(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  atMostAll(found, `${at}.maxUnavailable`, maxUnavailable);
}
