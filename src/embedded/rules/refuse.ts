import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import { goQuote } from '../../schema/go-format.js';

/** The refusals of single fields, each in the words that the server has for it. `Problems` collects them. */
export const refuse = {
  invalid(path: string, value: unknown, detail: string): FieldProblem {
    return problem('FieldValueInvalid', path, value, detail);
  },
  /** One for each thing that is wrong with a value, as formats list them. */
  each(path: string, value: unknown, details: readonly string[]): readonly FieldProblem[] {
    return details.map((detail) => problem('FieldValueInvalid', path, value, detail));
  },
  required(path: string, detail = ''): FieldProblem {
    return problemWithoutValue('FieldValueRequired', path, detail);
  },
  forbidden(path: string, detail = ''): FieldProblem {
    return problemWithoutValue('FieldValueForbidden', path, detail);
  },
  duplicate(path: string, value: unknown): FieldProblem {
    return problem('FieldValueDuplicate', path, value);
  },
  /** For what the server prints as a struct of its own. */
  duplicateShown(path: string, shown: string, detail = ''): FieldProblem {
    const message = `Duplicate value: ${shown}${detail === '' ? '' : `: ${detail}`}`;
    return { reason: 'FieldValueDuplicate', path, message };
  },
  notSupported(path: string, value: unknown, supported: readonly string[]): FieldProblem {
    const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
    return problem('FieldValueNotSupported', path, value, detail);
  },
  tooLong(path: string, bytes: number): FieldProblem {
    const detail = `may not be more than ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
    return problemWithoutValue('FieldValueTooLong', path, detail);
  },
  tooMany(path: string, count: number, most: number): FieldProblem {
    return problem('FieldValueTooMany', path, count, `must have at most ${most} ${most === 1 ? 'item' : 'items'}`);
  },
} as const;
