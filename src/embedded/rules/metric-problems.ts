import type { MetricSpec, MetricTarget } from '../../../imports/k8s.js';
import { pathSegment } from '../../schema/name-formats.js';
import { compareAmounts, shownAmount } from './amounts.js';
import type { Problems } from './problems.js';
import { containerResourceNameProblems } from './resource-names.js';
import { scaleReferenceProblems } from './scale-reference-problems.js';
import type { Unchecked } from './unchecked.js';

type Metric = Unchecked<MetricSpec>;
type Target = Unchecked<MetricTarget>;

const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const targetTypes = ['Utilization', 'Value', 'AverageValue'];
/** In the order in which the server looks for them. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

/** What is wrong with what an autoscaler goes by. */
export function metricsProblems(
  found: Problems,
  path: string,
  metrics: readonly Metric[],
  minReplicas: number | undefined,
  takesAnyVersion: boolean,
): void {
  metrics.forEach((metric, index) => {
    metricProblems(found, `${path}[${index}]`, metric, takesAnyVersion);
  });
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    found.forbidden(path, 'must specify at least one Object or External metric to support scaling to zero replicas');
  }
}

function metricProblems(found: Problems, path: string, metric: Metric, takesAnyVersion: boolean): void {
  const { type = '' } = metric;
  if (type === '') found.required(`${path}.type`, 'must specify a metric source type');
  if (!types.includes(type)) found.notSupported(`${path}.type`, type, types);
  const given = sources.filter((field) => metric[field] !== undefined);
  if (given[0] !== undefined) sourceProblems(found, path, metric, given[0], takesAnyVersion);
  const expected = types.includes(type)
    ? (((type[0] ?? '').toLowerCase() + type.slice(1)) as (typeof sources)[number])
    : undefined;
  if (expected === undefined) found.notSupported(`${path}.type`, type, types);
  else if (metric[expected] === undefined) {
    found.required(`${path}.${expected}`, 'must populate information for the given metric source');
  }
  if (given.length === 1) return;
  for (const field of given) {
    if (field !== expected) found.forbidden(`${path}.${field}`, 'must populate the given metric source only');
  }
}

function sourceProblems(
  found: Problems,
  path: string,
  metric: Metric,
  field: (typeof sources)[number],
  takesAnyVersion: boolean,
): void {
  const at = `${path}.${field}`;
  const { object, external, pods, resource, containerResource } = metric;
  if (field === 'object' && object) {
    const reference = object.describedObject ?? {};
    scaleReferenceProblems(found, `${at}.describedObject`, reference, { takesAnyVersion, takesCoreGroup: true });
    identifierProblems(found, `${at}.metric`, object.metric?.name);
    targetProblems(found, `${at}.target`, object.target);
    if (object.target?.value === undefined && object.target?.averageValue === undefined) {
      found.required(`${at}.target.averageValue`, 'must set either a target value or averageValue');
    }
  } else if (field === 'external' && external) {
    identifierProblems(found, `${at}.metric`, external.metric?.name);
    targetProblems(found, `${at}.target`, external.target);
    const [hasValue, hasAverage] = [external.target?.value, external.target?.averageValue].map(
      (each) => each !== undefined,
    );
    if (!hasValue && !hasAverage) {
      found.required(`${at}.target.averageValue`, 'must set either a target value for metric or a per-pod target');
    }
    if (hasValue && hasAverage) {
      found.forbidden(`${at}.target.value`, 'may not set both a target value for metric and a per-pod target');
    }
  } else if (field === 'pods' && pods) {
    identifierProblems(found, `${at}.metric`, pods.metric?.name);
    targetProblems(found, `${at}.target`, pods.target);
    if (pods.target?.averageValue === undefined) {
      found.required(`${at}.target.averageValue`, 'must specify a positive target averageValue');
    }
  } else if (field === 'resource' && resource) {
    if (!resource.name) found.required(`${at}.name`, 'must specify a resource name');
    utilizationProblems(found, `${at}.target`, resource.target);
  } else if (containerResource) {
    if (!containerResource.name) found.required(`${at}.name`, 'must specify a resource name');
    else found.add(containerResourceNameProblems(`${at}.name`, containerResource.name));
    if (!containerResource.container) found.required(`${at}.container`, 'must specify a container');
    else found.label(`${at}.container`, containerResource.container);
    utilizationProblems(found, `${at}.target`, containerResource.target);
  }
}

function utilizationProblems(found: Problems, path: string, target: Target = {}): void {
  targetProblems(found, path, target);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    found.required(`${path}.averageUtilization`, 'must set either a target raw value or a target utilization');
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    found.forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization');
  }
}

function targetProblems(found: Problems, path: string, target: Target = {}): void {
  const { type = '', value, averageValue, averageUtilization } = target;
  if (type === '') found.required(`${path}.type`, 'must specify a metric target type');
  if (!targetTypes.includes(type)) {
    found.invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const [field, amount] of Object.entries({ value, averageValue })) {
    if (amount !== undefined && compareAmounts(amount, 0) <= 0) {
      found.invalid(`${path}.${field}`, shownAmount(amount), 'must be positive');
    }
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    found.invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0');
  }
}

function identifierProblems(found: Problems, path: string, name = ''): void {
  if (name === '') found.required(`${path}.name`, 'must specify a metric name');
  else found.format(`${path}.name`, name, pathSegment);
}
