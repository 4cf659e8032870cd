import { timestamp } from '../../../kube/timestamp.js';
import type { DefinitionCondition } from '../custom-definition.js';

/** What the server says of the state of a definition: https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/#CustomResourceDefinitionStatus */

export const notAccepted: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
export const installing: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
};
export const established: DefinitionCondition = { ...installing, status: 'True', reason: 'InitialNamesAccepted' };
export const inProgress: DefinitionCondition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
export const completed: DefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};
export const neverEstablished: DefinitionCondition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};

export function isEquivalent(a: DefinitionCondition, b: DefinitionCondition): boolean {
  return a.status === b.status && a.reason === b.reason && a.message === b.message;
}

/** The time is that of the latest change of the condition's status. */
export function withCondition(
  conditions: readonly DefinitionCondition[] | null | undefined,
  condition: DefinitionCondition,
  milliseconds: number,
): readonly DefinitionCondition[] {
  const now = timestamp(milliseconds);
  const before = conditions?.find(({ type }) => type === condition.type);
  if (!conditions || !before) return [...(conditions ?? []), { ...condition, lastTransitionTime: now }];
  const since = before.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  return conditions.map((each) => (each === before ? { ...each, ...condition, lastTransitionTime: since } : each));
}
