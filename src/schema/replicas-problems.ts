import { type FieldProblem, problem } from './field-problem.js';

const mostReplicas = 2 ** 31 - 1;

/** What the API server says of a number of replicas at `path`, which a kind names for its scale subresource: `.spec.size`. */
export function replicasProblems(path: string, replicas: number): readonly FieldProblem[] {
  const detail =
    replicas < 0
      ? 'should be a non-negative integer'
      : replicas > mostReplicas
        ? `should be less than or equal to ${mostReplicas}`
        : undefined;
  return detail === undefined ? [] : [problem('FieldValueInvalid', path, replicas, detail)];
}
