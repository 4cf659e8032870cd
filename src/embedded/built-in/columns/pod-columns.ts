import type { PodObject, PodTemplateObject } from '../../../../imports/k8s.js';
import { type Columns, column, since, wide } from './column.js';
import { containerColumns } from './container-columns.js';
import { labelsText } from './labels-text.js';
import { podState } from './pod-state.js';

export const podColumns: Columns = {
  columns: [
    column<PodObject>('Ready', (pod) => {
      const { ready, total } = podState(pod);
      return `${ready}/${total}`;
    }),
    column<PodObject>('Status', (pod) => podState(pod).reason),
    column<PodObject>('Restarts', (pod, now) => {
      const { restarts, lastRestart } = podState(pod);
      return restarts === 0 || lastRestart === undefined
        ? `${restarts}`
        : `${restarts} (${since(lastRestart, now)} ago)`;
    }),
    column<PodObject>('IP', ({ status }) => status?.podIPs?.[0]?.ip || '<none>', wide),
    column<PodObject>('Node', ({ spec }) => spec?.nodeName || '<none>', wide),
    column<PodObject>('Nominated Node', ({ status }) => status?.nominatedNodeName || '<none>', wide),
    column<PodObject>('Readiness Gates', readinessGates, wide),
  ],
};

function readinessGates({ spec, status }: PodObject): string {
  const gates = spec?.readinessGates ?? [];
  const isTrue = (type: string) => status?.conditions?.find((each) => each.type === type)?.status === 'True';
  return gates.length === 0
    ? '<none>'
    : `${gates.filter(({ conditionType }) => isTrue(conditionType)).length}/${gates.length}`;
}

const [containers, images] = containerColumns<PodTemplateObject>(({ template }) => template?.spec?.containers);

export const podTemplateColumns: Columns = {
  columns: [
    { ...containers!, priority: 0 },
    { ...images!, priority: 0 },
    column<PodTemplateObject>('Pod Labels', ({ template }) => labelsText(template?.metadata?.labels)),
  ],
  addsAge: false,
};
