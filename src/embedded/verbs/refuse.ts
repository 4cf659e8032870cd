import type { FieldProblem } from '../../schema/field-problem.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { invalid } from '../status-error.js';
import { aboutKind } from './decode.js';

/** Throws a `StatusError` (422) when there are problems. */
export function refuse(kind: ServedKind, name: string, problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid(aboutKind(kind), name, problems);
}
