import { goJson, goNumber, goQuote } from './go-format.js';

/** Why a field is refused: the `reason` of a cause in the API server's answer. */
export type ProblemReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'
  | 'UnknownField'
  /** Not a refusal: only the server can tell. */
  | 'UnknownOffline';

/** What is wrong with one field, in the words of the API server. */
export interface FieldProblem {
  /** `spec.size`, `spec.hosts[0]`. */
  readonly path: string;
  /** What follows the path in the server's answer: `Invalid value: 11: spec.size in body should be less than or equal to 10`. */
  readonly message: string;
  readonly reason: ProblemReason;
}

/** The problem as the API server writes it, path first. */
export function showProblem({ path, message, reason }: FieldProblem): string {
  return reason === 'UnknownField' || path === '' ? message : `${path}: ${message}`;
}

/** True for what makes the server refuse an object; false for what only the server can judge. */
export function isRefusal({ reason }: FieldProblem): boolean {
  return reason !== 'UnknownOffline';
}

const reasonsBeforeRules: ReadonlySet<ProblemReason> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** True for what the server has rules in CEL wait for: an object with such a problem may not be what they are written for. */
export function keepsFromRules({ reason }: FieldProblem): boolean {
  return reasonsBeforeRules.has(reason);
}

const word: Partial<Record<ProblemReason, string>> = {
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotFound: 'Not found',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueRequired: 'Required value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** A problem that shows the value it is about. */
export function problem(reason: ProblemReason, path: string, value: unknown, detail = ''): FieldProblem {
  return { reason, path, message: joined(`${word[reason]}: ${shown(value)}`, detail) };
}

/** A problem for which the server keeps the value to itself. */
export function problemWithoutValue(reason: ProblemReason, path: string, detail = ''): FieldProblem {
  return { reason, path, message: joined(word[reason] ?? '', detail) };
}

export function unknownField(path: string): FieldProblem {
  return { reason: 'UnknownField', path, message: `unknown field ${goQuote(path)}` };
}

function joined(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  return goJson(value);
}
