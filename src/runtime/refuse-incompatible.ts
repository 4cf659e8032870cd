import type { Operator } from '../compose/operator.js';
import { groupKindOf } from '../kube/api-resource.js';
import { OperatorError } from '../kube/errors.js';

/**
 * Throws `OperatorError` where there are none, for operators that would take each other's children for their own, which are known
 * by the name of their operator as much as by their owner, and for those that cannot do with some `namespaces`.
 */
export function refuseIncompatible(operators: readonly Operator[], namespaces: readonly string[] = []): void {
  if (operators.length === 0) {
    throw new OperatorError('there is no operator to run', { hint: 'hand in what operator(...) returns' });
  }
  const owners = new Map<string, Operator>();
  for (const operator of operators) {
    const kind = groupKindOf(operator.resource);
    const other = owners.get(kind);
    if (other) {
      throw new OperatorError(`${other.name} and ${operator.name} are both for ${kind}`, {
        hint: 'make one operator of them: each would prune what the other composes',
      });
    }
    if ([...owners.values()].some(({ name }) => name === operator.name)) {
      throw new OperatorError(`two operators are named "${operator.name}"`, {
        hint: 'give one of them another name: operator(Kind, { name: ... })',
      });
    }
    owners.set(kind, operator);
    if (namespaces.length === 0) continue;
    const reason =
      operator.reach !== 'namespace'
        ? 'it reaches into all of them'
        : operator.resource.namespaced
          ? undefined
          : `a ${operator.resource.kind} is in none`;
    if (reason === undefined) continue;
    throw new OperatorError(`${operator.name} cannot be limited to namespaces: ${reason}`, {
      hint: 'leave --watch-namespaces out, or run it apart by --operators',
    });
  }
}
