import type { HorizontalPodAutoscalerObject, HPAScalingRules } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { goQuote } from '../../schema/go-format.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { isSaidEmpty } from '../said-more.js';
import { negativeProblems } from './amounts.js';
import { metricsProblems } from './metric-problems.js';
import { Problems } from './problems.js';
import { scaleReferenceProblems, versionFault } from './scale-reference-problems.js';
import { statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Autoscaler = Unchecked<HorizontalPodAutoscalerObject>;
type ScalingRules = Unchecked<HPAScalingRules>;

const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/ */
export const horizontalPodAutoscalerRules: Rules = {
  ...statusApart({ desiredReplicas: 0, currentMetrics: null }),
  default: (object) => defaultAutoscaler(object as unknown as Autoscaler),
  validate: (object) => autoscalerProblems(object),
  validateUpdate: autoscalerProblems,
  validateStatusUpdate(object) {
    const { status = {} } = object as unknown as Autoscaler;
    const found = new Problems();
    found.nonNegative('status.currentReplicas', status.currentReplicas);
    found.nonNegative('status.desiredReplicas', status.desiredReplicas);
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
};

function defaultAutoscaler(autoscaler: Autoscaler): void {
  autoscaler.spec ??= {};
  const { spec } = autoscaler;
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) {
    const target = { type: 'Utilization', averageUtilization: 80 };
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  if (spec.behavior === undefined) return;
  const { scaleUp = {}, scaleDown = {} } = spec.behavior;
  spec.behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
    ...scaleUp,
    ...saidPolicies(scaleUp),
  };
  spec.behavior.scaleDown = {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    ...scaleDown,
    ...saidPolicies(scaleDown),
  };
}

/** Who says that there are no policies does not mean those of the server. */
function saidPolicies(rules: ScalingRules): Pick<ScalingRules, 'policies'> {
  return isSaidEmpty(rules, 'policies') ? { policies: [] } : {};
}

function autoscalerProblems(object: KubeObject, old?: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Autoscaler;
  const before = (old as unknown as Autoscaler | undefined)?.spec;
  const { minReplicas, maxReplicas = 0, scaleTargetRef: target = {}, metrics = [], behavior } = spec;
  const found = new Problems();
  const lowest = before?.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < lowest) {
    found.invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowest}`);
  }
  if (maxReplicas === 0) found.required('spec.maxReplicas', 'must be set and greater than 0');
  else if (maxReplicas < 0) found.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    found.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  const was = before?.scaleTargetRef;
  const isKept = before !== undefined && was?.apiVersion === target.apiVersion && was?.kind === target.kind;
  scaleReferenceProblems(found, 'spec.scaleTargetRef', target, {
    takesAnyVersion: isKept,
    takesCoreGroup: target.kind === 'ReplicationController',
  });
  const hadBadMetric = (before?.metrics ?? []).some(
    ({ type, object: each }) =>
      type === 'Object' &&
      each !== undefined &&
      versionFault(each.describedObject?.apiVersion ?? '', true) !== undefined,
  );
  metricsProblems(found, 'spec.metrics', metrics, minReplicas, hadBadMetric);
  if (behavior === undefined) return found.all;
  for (const direction of ['scaleUp', 'scaleDown'] as const) {
    const rules = behavior[direction];
    if (rules !== undefined) scalingProblems(found, `spec.behavior.${direction}`, rules);
  }
  return found.all;
}

function scalingProblems(found: Problems, path: string, rules: ScalingRules): void {
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules;
  if (seconds !== undefined && seconds < 0) {
    found.invalid(`${path}.stabilizationWindowSeconds`, seconds, 'must be greater than or equal to zero');
  }
  if (seconds !== undefined && seconds > 3600) {
    found.invalid(`${path}.stabilizationWindowSeconds`, seconds, 'must be less than or equal to 3600');
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    found.notSupportedShown(`${path}.selectPolicy`, goQuote(selectPolicy), selectPolicies);
  }
  if (policies.length === 0) found.required(`${path}.policies`, 'must specify at least one Policy');
  policies.forEach(({ type = '', value = 0, periodSeconds = 0 }, index) => {
    const at = `${path}.policies[${index}]`;
    if (!policyTypes.includes(type)) found.notSupported(`${at}.type`, type, policyTypes);
    if (value <= 0) found.invalid(`${at}.value`, value, 'must be greater than zero');
    if (periodSeconds <= 0) found.invalid(`${at}.periodSeconds`, periodSeconds, 'must be greater than zero');
    if (periodSeconds > 1800) {
      found.invalid(`${at}.periodSeconds`, periodSeconds, 'must be less than or equal to 1800');
    }
  });
  if (tolerance !== undefined) found.add(negativeProblems(`${path}.tolerance`, tolerance));
}
