import type {
  ClusterRoleBindingObject,
  NamespaceObject,
  NodeObject,
  PriorityClassObject,
  RoleBindingObject,
  RuntimeClassObject,
} from '../../../../imports/k8s.js';
import { age, boolean, type Columns, column, createdAt, integer, wide } from './column.js';

/** Of kinds that have no columns of their own. */
export const plainColumns: Columns = { columns: [createdAt], addsAge: false };

export const namespaceColumns: Columns = {
  columns: [column<NamespaceObject>('Status', ({ status }) => status?.phase ?? '')],
};

export const nodeColumns: Columns = {
  columns: [
    column<NodeObject>('Status', ({ spec, status }) => {
      const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
      const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
      return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
    }),
    column<NodeObject>('Roles', ({ metadata }) => rolesOf(metadata?.labels ?? {}).join(',') || '<none>'),
    age,
    column<NodeObject>('Version', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
    column<NodeObject>('Internal-IP', (node) => addressOf(node, 'InternalIP'), wide),
    column<NodeObject>('External-IP', (node) => addressOf(node, 'ExternalIP'), wide),
    column<NodeObject>('OS-Image', ({ status }) => status?.nodeInfo?.osImage || '<unknown>', wide),
    column<NodeObject>(
      'Kernel-Version',
      ({ status }) => {
        const { kernelVersion, architecture } = status?.nodeInfo ?? {};
        return `${kernelVersion || '<unknown>'}${architecture ? ` (${architecture})` : ''}`;
      },
      wide,
    ),
    column<NodeObject>(
      'Container-Runtime',
      ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>',
      wide,
    ),
  ],
};

const rolePrefix = 'node-role.kubernetes.io/';

function rolesOf(labels: Readonly<Record<string, string>>): string[] {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles.filter(Boolean))].sort();
}

function addressOf({ status }: NodeObject, type: string): string {
  return status?.addresses?.find((each) => each.type === type)?.address ?? '<none>';
}

type Binding = RoleBindingObject | ClusterRoleBindingObject;

export const roleBindingColumns: Columns = {
  columns: [
    column<Binding>('Role', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
    column<Binding>('Users', (binding) => subjects(binding, 'User'), wide),
    column<Binding>('Groups', (binding) => subjects(binding, 'Group'), wide),
    column<Binding>('ServiceAccounts', (binding) => subjects(binding, 'ServiceAccount'), wide),
  ],
};

function subjects({ subjects: all }: Binding, wanted: string): string {
  return (all ?? [])
    .filter(({ kind }) => kind === wanted)
    .map(({ name, namespace }) => (wanted === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
    .join(', ');
}

export const priorityClassColumns: Columns = {
  columns: [
    column<PriorityClassObject>('Value', ({ value }) => value ?? 0, integer),
    column<PriorityClassObject>('Global-Default', ({ globalDefault }) => globalDefault ?? false, boolean),
    age,
    column<PriorityClassObject>('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
  ],
};

export const runtimeClassColumns: Columns = {
  columns: [column<RuntimeClassObject>('Handler', ({ handler }) => handler)],
};
