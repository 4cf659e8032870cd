import type { Toleration } from '../../../../imports/k8s.js';
import { labelKey, labelValue } from '../../../schema/name-formats.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export function tolerationProblems(found: Problems, path: string, tolerations: readonly Unchecked<Toleration>[]): void {
  tolerations.forEach(({ key = '', operator = '', value = '', effect = '', tolerationSeconds }, index) => {
    const at = `${path}[${index}]`;
    if (key !== '') found.format(`${at}.key`, key, labelKey);
    else if (operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      found.invalid(`${at}.operator`, operator, detail);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      found.invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === 'Equal' || operator === '') {
      const problems = labelValue(value);
      if (problems.length > 0) found.invalid(`${at}.operator`, value, problems.join(';'));
    } else if (operator === 'Exists') {
      if (value !== '') found.invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'");
    } else {
      // Comparisons are behind a gate that is closed by default, though the server already knows their names.
      const known = operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'];
      found.notSupported(`${at}.operator`, operator, known);
    }
    if (effect !== '' && !effects.includes(effect)) found.notSupported(`${at}.effect`, effect, effects);
  });
}
