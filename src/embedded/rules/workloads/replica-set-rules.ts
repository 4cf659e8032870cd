import type { ReplicaSetObject, ReplicaSetSpec } from '../../../../imports/k8s.js';
import type { Rules } from '../../kinds/served-kind.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { immutableSelector, requiredSelector, selectorIn, templateOfReplicas } from './selector-of-workload.js';
import { atMost, nonNegativeCounts, specAndStatusApart, statusOf } from './status-fields.js';
import { nameOfPodsWarnings } from './workload-warnings.js';

const { prepareForCreate, prepareForUpdate } = statusApart({ replicas: 0 });

/** https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/ */
export const replicaSetRules: Rules = {
  ...specAndStatusApart,
  default(object) {
    const set = unchecked<ReplicaSetObject>(object);
    set.spec ??= {};
    set.spec.replicas ??= 1;
    set.spec.template ??= {};
    defaultPodTemplate(set.spec.template);
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    dropClosedFields(unchecked<ReplicaSetObject>(object).spec?.template?.spec);
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    dropClosedFields(unchecked<ReplicaSetObject>(object).spec?.template?.spec);
  },
  prepareForStatusUpdate: keepSpec,
  validate(object) {
    const found = new Problems();
    specProblems(found, unchecked<ReplicaSetObject>(object).spec ?? {});
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    const { spec = {} } = unchecked<ReplicaSetObject>(object);
    specProblems(found, spec);
    immutableSelector(found, 'spec.selector', selectorIn(spec), selectorIn(unchecked<ReplicaSetObject>(old).spec));
    return found.all;
  },
  validateStatusUpdate(object) {
    const found = new Problems();
    replicaCountProblems(found, statusOf(object));
    return found.all;
  },
  generation: 'spec',
  warnings(object, old) {
    const template = unchecked<ReplicaSetObject>(object).spec?.template ?? {};
    if (old === undefined) {
      return [...nameOfPodsWarnings(object), ...podTemplateWarnings('spec.template', template)];
    }
    if (object.metadata.generation === old.metadata.generation) return [];
    return podTemplateWarnings('spec.template', template);
  },
};

/** Also of a ReplicationController, which says the same of its Pods. */
export function replicaCountProblems(found: Problems, status: ReturnType<typeof statusOf>): void {
  nonNegativeCounts(found, status, 'replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas');
  nonNegativeCounts(found, status, 'observedGeneration', 'terminatingReplicas');
  const detail = 'cannot be greater than status.replicas';
  atMost(found, status, 'replicas', detail, 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas');
  atMost(found, status, 'readyReplicas', 'cannot be greater than readyReplicas', 'availableReplicas');
}

function specProblems(found: Problems, spec: Unchecked<ReplicaSetSpec>): void {
  found.nonNegative('spec.replicas', spec.replicas);
  found.nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  const selector = selectorIn(spec);
  // The server speaks of a deployment here, too.
  requiredSelector(found, 'spec.selector', selector, 'deployment');
  templateOfReplicas(found, 'spec.template', spec.template ?? {}, selector);
}
