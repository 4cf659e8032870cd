import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import type { WriteRequest } from '../api-server.js';
import { invalidOptions } from './http-status.js';
import { given, type Query } from './query.js';

type Options = Pick<WriteRequest, 'fieldManager' | 'fieldValidation' | 'dryRun' | 'force'>;

const validations = ['Ignore', 'Strict', 'Warn'] as const;

/**
 * The options of a write as its query has them. Throws a `StatusError` (422) for what cannot be.
 *
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
 */
export function writeOptionsOf(
  query: Query,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  userAgent: string | undefined,
  isApply = false,
): Options {
  const fieldManager = query.text('fieldManager') ?? '';
  const fieldValidation = query.text('fieldValidation') ?? '';
  const force = query.flag('force');
  const problems = [
    ...(kind === 'PatchOptions' ? patchProblems(isApply, fieldManager, force) : []),
    ...managerProblems(fieldManager),
    ...dryRunProblems(query.all('dryRun')),
    ...validationProblems(fieldValidation),
  ];
  if (problems.length > 0) throw invalidOptions(kind, problems);
  return {
    ...given('fieldManager', fieldManager || managerOf(userAgent)),
    ...given('fieldValidation', fieldValidationOf(fieldValidation)),
    ...(query.all('dryRun').length > 0 ? { dryRun: true } : {}),
    ...given('force', force),
  };
}

function fieldValidationOf(text: string): WriteRequest['fieldValidation'] {
  return validations.find((value) => value === text);
}

export function dryRunProblems(values: readonly string[]): FieldProblem[] {
  return values.every((value) => value === 'All')
    ? []
    : [problem('FieldValueNotSupported', 'dryRun', values, 'supported values: "All"')];
}

function patchProblems(isApply: boolean, fieldManager: string, force: boolean | undefined): FieldProblem[] {
  if (!isApply && force !== undefined) {
    return [problemWithoutValue('FieldValueForbidden', 'force', 'may not be specified for non-apply patch')];
  }
  return isApply && fieldManager === ''
    ? [problemWithoutValue('FieldValueRequired', 'fieldManager', 'is required for apply patch')]
    : [];
}

function validationProblems(text: string): FieldProblem[] {
  if (text === '' || fieldValidationOf(text)) return [];
  const detail = 'supported values: "", "Ignore", "Strict", "Warn"';
  return [problem('FieldValueNotSupported', 'fieldValidation', text, detail)];
}

const managerBytes = 128;

function managerProblems(manager: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (Buffer.byteLength(manager) > managerBytes) {
    problems.push(
      problemWithoutValue('FieldValueTooLong', 'fieldManager', `may not be more than ${managerBytes} bytes`),
    );
  }
  let position = 0;
  for (const character of manager) {
    if (unprintable.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      const detail = `invalid character U+${code} (at position ${position})`;
      problems.push(problem('FieldValueInvalid', 'fieldManager', manager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return problems;
}

const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Who does not name itself is known by the program that it runs: `kubectl/v1.36.3 (…)` is `kubectl`. */
function managerOf(userAgent: string | undefined): string | undefined {
  let manager = '';
  for (const character of (userAgent ?? '').split('/')[0] ?? '') {
    if (unprintable.test(character)) continue;
    if (Buffer.byteLength(manager + character) > managerBytes) break;
    manager += character;
  }
  return manager === '' ? undefined : manager;
}
