import type {
  ControllerRevisionObject,
  CronJobObject,
  DaemonSetObject,
  DeploymentObject,
  JobObject,
  ReplicaSetObject,
  ReplicationControllerObject,
  StatefulSetObject,
} from '../../../../imports/k8s.js';
import { groupKindOf } from '../../../kube/api-resource.js';
import { humanDuration } from '../../custom/human-duration.js';
import type { TableColumn } from '../../kinds/served-kind.js';
import { boolean, type Columns, column, integer, since, wide } from './column.js';
import { containerColumns, selectorColumn } from './container-columns.js';
import { labelsText } from './labels-text.js';

export const deploymentColumns: Columns = {
  columns: [
    column<DeploymentObject>('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    column<DeploymentObject>('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0),
    column<DeploymentObject>('Available', ({ status }) => status?.availableReplicas ?? 0),
    ...containerColumns<DeploymentObject>(({ spec }) => spec?.template.spec?.containers),
    selectorColumn<DeploymentObject>(({ spec }) => spec?.selector, ''),
  ],
};

type Replicated = ReplicaSetObject | ReplicationControllerObject;
const replicaColumns: readonly TableColumn[] = [
  column<Replicated>('Desired', ({ spec }) => spec?.replicas ?? 0, integer),
  column<Replicated>('Current', ({ status }) => status?.replicas ?? 0, integer),
  column<Replicated>('Ready', ({ status }) => status?.readyReplicas ?? 0, integer),
  ...containerColumns<Replicated>(({ spec }) => spec?.template?.spec?.containers),
];

export const replicaSetColumns: Columns = {
  columns: [...replicaColumns, selectorColumn<ReplicaSetObject>(({ spec }) => spec?.selector)],
};

export const replicationControllerColumns: Columns = {
  columns: [
    ...replicaColumns,
    column<ReplicationControllerObject>('Selector', ({ spec }) => labelsText(spec?.selector), wide),
  ],
};

export const statefulSetColumns: Columns = {
  columns: [
    column<StatefulSetObject>('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    ...containerColumns<StatefulSetObject>(({ spec }) => spec?.template.spec?.containers),
  ],
};

export const daemonSetColumns: Columns = {
  columns: [
    column<DaemonSetObject>('Desired', ({ status }) => status?.desiredNumberScheduled ?? 0, integer),
    column<DaemonSetObject>('Current', ({ status }) => status?.currentNumberScheduled ?? 0, integer),
    column<DaemonSetObject>('Ready', ({ status }) => status?.numberReady ?? 0, integer),
    column<DaemonSetObject>('Up-to-date', ({ status }) => status?.updatedNumberScheduled ?? 0, integer),
    column<DaemonSetObject>('Available', ({ status }) => status?.numberAvailable ?? 0, integer),
    column<DaemonSetObject>('Node Selector', ({ spec }) => labelsText(spec?.template.spec?.nodeSelector)),
    ...containerColumns<DaemonSetObject>(({ spec }) => spec?.template.spec?.containers),
    selectorColumn<DaemonSetObject>(({ spec }) => spec?.selector),
  ],
};

const jobStates: readonly (readonly [condition: string, shown: string])[] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

export const jobColumns: Columns = {
  columns: [
    column<JobObject>('Status', ({ metadata, status }) => {
      const isTrue = (type: string) => status?.conditions?.find((each) => each.type === type)?.status === 'True';
      const found = jobStates.find(([type]) => (type === '' ? Boolean(metadata?.deletionTimestamp) : isTrue(type)));
      return found?.[1] ?? 'Running';
    }),
    column<JobObject>('Completions', ({ spec, status }) => {
      const succeeded = status?.succeeded ?? 0;
      if (typeof spec?.completions === 'number') return `${succeeded}/${spec.completions}`;
      const parallelism = spec?.parallelism ?? 0;
      return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
    }),
    column<JobObject>('Duration', ({ status }, now) => {
      if (!status?.startTime) return '';
      const end = status.completionTime ? Date.parse(status.completionTime) : now;
      return humanDuration(end - Date.parse(status.startTime));
    }),
    ...containerColumns<JobObject>(({ spec }) => spec?.template.spec?.containers),
    selectorColumn<JobObject>(({ spec }) => spec?.selector),
  ],
};

export const cronJobColumns: Columns = {
  columns: [
    column<CronJobObject>('Schedule', ({ spec }) => spec?.schedule ?? ''),
    column<CronJobObject>('Timezone', ({ spec }) => spec?.timeZone ?? '<none>'),
    column<CronJobObject>('Suspend', ({ spec }) => truth(spec?.suspend), boolean),
    column<CronJobObject>('Active', ({ status }) => (status?.active ?? []).length, integer),
    column<CronJobObject>('Last Schedule', ({ status }, now) =>
      status?.lastScheduleTime ? since(status.lastScheduleTime, now) : '<none>',
    ),
    ...containerColumns<CronJobObject>(({ spec }) => spec?.jobTemplate.spec?.template.spec?.containers),
    selectorColumn<CronJobObject>(({ spec }) => spec?.jobTemplate.spec?.selector),
  ],
};

function truth(value: boolean | undefined): string {
  return value === undefined ? '<unset>' : value ? 'True' : 'False';
}

export const controllerRevisionColumns: Columns = {
  columns: [
    column<ControllerRevisionObject>('Controller', ({ metadata }) => {
      const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
      return owner ? `${groupKindOf(owner).toLowerCase()}/${owner.name}` : '<none>';
    }),
    column<ControllerRevisionObject>('Revision', ({ revision }) => revision),
  ],
};
