import type { Container } from '../../../../imports/k8s.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

const policies = ['Always', 'Never', 'OnFailure'];
const operators = ['In', 'NotIn'];
const actions = ['Restart', 'RestartAllContainers'];

/** https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restart-rules */
export function restartPolicyProblems(
  found: Problems,
  path: string,
  container: Unchecked<Container>,
  kind: 'app' | 'init',
): void {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  if (restartPolicy === undefined) {
    if (rules.length === 0) return;
    found.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
    if (kind === 'init') return;
  } else if (!policies.includes(restartPolicy)) {
    found.notSupported(`${path}.restartPolicy`, restartPolicy, policies);
  }
  if (rules.length > 20) found.tooMany(`${path}.restartPolicyRules`, rules.length, 20);
  rules.forEach(({ action = '', exitCodes }, index) => {
    const at = `${path}.restartPolicyRules[${index}]`;
    if (!actions.includes(action)) found.notSupported(`${at}.action`, action, actions);
    if (exitCodes === undefined) {
      found.required(`${at}.exitCodes`, 'must be specified');
      return;
    }
    const { operator = '', values = [] } = exitCodes;
    if (!operators.includes(operator)) found.notSupported(`${at}.exitCodes.operator`, operator, operators);
    if (values.length > 255) found.tooMany(`${at}.exitCodes.values`, values.length, 255);
  });
}
