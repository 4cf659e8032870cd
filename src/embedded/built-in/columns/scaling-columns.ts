import type {
  HorizontalPodAutoscalerObject,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  PodDisruptionBudgetObject,
  ResourceQuotaObject,
} from '../../../../imports/k8s.js';
import { type Columns, column, few, integer } from './column.js';

export const disruptionBudgetColumns: Columns = {
  columns: [
    column<PodDisruptionBudgetObject>('Min Available', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
    column<PodDisruptionBudgetObject>('Max Unavailable', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
    column<PodDisruptionBudgetObject>('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed ?? 0, integer),
  ],
};

type Autoscaler = HorizontalPodAutoscalerObject;
export const autoscalerColumns: Columns = {
  columns: [
    column<Autoscaler>('Reference', ({ spec }) => `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`),
    column<Autoscaler>('Targets', ({ spec, status }) =>
      few(
        (spec?.metrics ?? []).map((metric, index) => metricText(metric, status?.currentMetrics?.[index])),
        2,
        '<none>',
        ', ',
      ),
    ),
    column<Autoscaler>('MinPods', ({ spec }) => String(spec?.minReplicas ?? '<unset>')),
    column<Autoscaler>('MaxPods', ({ spec }) => spec?.maxReplicas ?? 0),
    column<Autoscaler>('Replicas', ({ status }) => status?.currentReplicas ?? 0),
  ],
};

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, status?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? '<unknown>'}/${metric.pods?.target.averageValue}`;
    case 'Resource':
      return `${metric.resource?.name}: ${usageText(metric.resource?.target, status?.resource?.current)}`;
    case 'ContainerResource': {
      const { name, target } = metric.containerResource ?? {};
      return `${name}: ${usageText(target, status?.containerResource?.current)}`;
    }
    default:
      return '<unknown type>';
  }
}

function valueText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) {
    return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
  }
  return `${current?.value ?? '<unknown>'}/${target?.value}`;
}

function usageText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue}`;
  const percent = (value: number | undefined) => (value === undefined ? undefined : `${value}%`);
  const used = percent(current?.averageUtilization) ?? '<unknown>';
  return `${used}/${percent(target?.averageUtilization) ?? '<auto>'}`;
}

export const resourceQuotaColumns: Columns = {
  columns: [
    column<ResourceQuotaObject>('Request', (quota) => usage(quota, (resource) => !resource.startsWith('limits.'))),
    column<ResourceQuotaObject>('Limit', (quota) => usage(quota, (resource) => resource.startsWith('limits.'))),
  ],
};

function usage({ status }: ResourceQuotaObject, isWanted: (resource: string) => boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([resource]) => isWanted(resource))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${status?.used?.[resource] ?? '0'}/${hard}`)
    .join(', ');
}
