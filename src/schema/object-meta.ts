import { type FieldProblem, problem, problemWithoutValue } from './field-problem.js';
import { labelKey, labelValue, qualifiedName } from './name-formats.js';

type Texts = Readonly<Record<string, string>>;

const annotationBytes = 256 * 1024;

/** What is wrong with labels, at the path of the whole map, as the server has it. */
export function labelProblems(labels: Texts | undefined, path: string): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const key in labels) {
    for (const message of labelKey(key)) problems.push(problem('FieldValueInvalid', path, key, message));
    for (const message of labelValue(labels[key]!)) {
      problems.push(problem('FieldValueInvalid', path, labels[key], message));
    }
  }
  return problems;
}

/** What is wrong with annotations, as the server has it. */
export function annotationProblems(annotations: Readonly<Record<string, string>>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const message of qualifiedName(key.toLowerCase())) {
      problems.push(problem('FieldValueInvalid', 'metadata.annotations', key, message));
    }
    size += key.length + value.length;
    // Characters are at most three bytes; counting exactly is only worth it near the limit.
    if (size * 3 > annotationBytes) size += Buffer.byteLength(value) - value.length;
  }
  if (size > annotationBytes) {
    const detail = `may not be more than ${annotationBytes} bytes`;
    problems.push(problemWithoutValue('FieldValueTooLong', 'metadata.annotations', detail));
  }
  return problems;
}

/** What is wrong with finalizers, as the server has it. */
export function finalizerProblems(finalizers: readonly string[]): FieldProblem[] {
  const path = 'metadata.finalizers';
  const problems = finalizers.flatMap((name) =>
    qualifiedName(name).map((message) => problem('FieldValueInvalid', path, name, message)),
  );
  if (finalizers.includes('foregroundDeletion') && finalizers.includes('orphan')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    problems.push(problem('FieldValueInvalid', path, finalizers, detail));
  }
  return problems;
}
