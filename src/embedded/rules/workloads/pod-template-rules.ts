import type { PodTemplateObject } from '../../../../imports/k8s.js';
import type { Rules } from '../../kinds/served-kind.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { podTemplateProblems } from '../pod-template/pod-template-problems.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { Problems } from '../problems.js';
import { unchecked } from '../unchecked.js';
import { isSame } from './selector-of-workload.js';

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-template-v1/ */
export const podTemplateRules: Rules = {
  default(object) {
    const template = unchecked<PodTemplateObject>(object);
    template.template ??= {};
    defaultPodTemplate(template.template);
  },
  prepareForCreate(object) {
    dropClosedFields(unchecked<PodTemplateObject>(object).template?.spec);
  },
  prepareForUpdate(object) {
    dropClosedFields(unchecked<PodTemplateObject>(object).template?.spec);
  },
  validate(object) {
    const found = new Problems();
    podTemplateProblems(found, 'template', unchecked<PodTemplateObject>(object).template ?? {});
    return found.all;
  },
  generation: (object, old) => !isSame(object.template, old.template),
  warnings(object, old) {
    const { template = {} } = unchecked<PodTemplateObject>(object);
    if (old === undefined) return podTemplateWarnings('template', template);
    if (object.metadata.generation === old.metadata.generation) return [];
    return podTemplateWarnings('template', template);
  },
};
