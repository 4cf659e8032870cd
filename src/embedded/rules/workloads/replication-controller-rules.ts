import type { ReplicationControllerObject, ReplicationControllerSpec } from '../../../../imports/k8s.js';
import type { Rules } from '../../kinds/served-kind.js';
import { matches } from '../label-selector.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { podTemplateProblems, runsForEver, shownLabels } from '../pod-template/pod-template-problems.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { replicaCountProblems } from './replica-set-rules.js';
import { specAndStatusApart, statusOf } from './status-fields.js';
import { nameOfPodsWarnings } from './workload-warnings.js';

const { prepareForCreate, prepareForUpdate } = statusApart({ replicas: 0 });

/** https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller/ */
export const replicationControllerRules: Rules = {
  ...specAndStatusApart,
  default(object) {
    const controller = unchecked<ReplicationControllerObject>(object);
    controller.spec ??= {};
    const { spec } = controller;
    spec.replicas ??= 1;
    if (spec.template) defaultPodTemplate(spec.template);
    const labels = spec.template?.metadata?.labels;
    if (labels === undefined) return;
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(object.metadata.labels ?? {}).length === 0) {
      object.metadata.labels = { ...labels } as Record<string, string>;
    }
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    dropClosedFields(unchecked<ReplicationControllerObject>(object).spec?.template?.spec);
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    dropClosedFields(unchecked<ReplicationControllerObject>(object).spec?.template?.spec);
  },
  prepareForStatusUpdate: keepSpec,
  validate(object) {
    const found = new Problems();
    specProblems(found, unchecked<ReplicationControllerObject>(object).spec ?? {});
    return found.all;
  },
  validateStatusUpdate(object) {
    const found = new Problems();
    replicaCountProblems(found, statusOf(object));
    return found.all;
  },
  generation: 'spec',
  defaultPropagation: 'Orphan',
  warnings(object, old) {
    const template = unchecked<ReplicationControllerObject>(object).spec?.template ?? {};
    if (old === undefined) {
      return [...nameOfPodsWarnings(object), ...podTemplateWarnings('spec.template', template)];
    }
    if (object.metadata.generation === old.metadata.generation) return [];
    // The server passes the two the other way round.
    const before = unchecked<ReplicationControllerObject>(old).spec?.template ?? {};
    return podTemplateWarnings('spec.template', before);
  },
};

function specProblems(found: Problems, spec: Unchecked<ReplicationControllerSpec>): void {
  found.nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  const selector = (spec.selector ?? {}) as Readonly<Record<string, string>>;
  if (Object.keys(selector).length === 0) found.required('spec.selector');
  found.nonNegative('spec.replicas', spec.replicas);
  const { template } = spec;
  if (template === undefined) {
    found.required('spec.template');
    return;
  }
  const labels = template.metadata?.labels as Record<string, string> | undefined;
  if (!matches({ matchLabels: selector }, labels)) {
    const detail = '`selector` does not match template `labels`';
    found.invalidShown('spec.template.metadata.labels', shownLabels(template.metadata), detail);
  }
  podTemplateProblems(found, 'spec.template', template);
  runsForEver(found, 'spec.template', template, 'ReplicationController');
}
