import type { ControllerRevisionObject } from '../../../../imports/k8s.js';
import { goJson } from '../../../schema/go-format.js';
import type { Rules } from '../../kinds/served-kind.js';
import { Problems } from '../problems.js';
import { unchecked } from '../unchecked.js';
import { isSame } from './selector-of-workload.js';

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/controller-revision-v1/ */
export const controllerRevisionRules: Rules = {
  validate(object) {
    const found = new Problems();
    const { revision, data } = unchecked<ControllerRevisionObject>(object);
    found.nonNegative('revision', revision);
    if (data === undefined || data === null) found.required('data', 'data is mandatory');
    else if (typeof data !== 'object' || Array.isArray(data)) {
      found.required('data', 'data must be a valid JSON object');
    }
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    const { revision, data } = unchecked<ControllerRevisionObject>(object);
    found.nonNegative('revision', revision);
    const before = unchecked<ControllerRevisionObject>(old).data;
    if (!isSame(data, before)) found.invalidShown('data', goJson(data), 'field is immutable');
    return found.all;
  },
};
