import { type FieldProblem, type ProblemReason, problem, problemWithoutValue } from '../../schema/field-problem.js';

/** The refusals of fields that rules are made of, each in the words that the server has for it. */
export const refuse = {
  invalid(path: string, value: unknown, detail: string): FieldProblem {
    return problem('FieldValueInvalid', path, value, detail);
  },
  /** One for each thing that is wrong with a value, as formats list them. */
  each(path: string, value: unknown, details: readonly string[]): readonly FieldProblem[] {
    return details.map((detail) => problem('FieldValueInvalid', path, value, detail));
  },
  /** For what the server shows as its own struct, whose fields have other names and another order than the API's. */
  shown(reason: 'FieldValueInvalid' | 'FieldValueDuplicate', path: string, shown: string, detail = ''): FieldProblem {
    const word: Partial<Record<ProblemReason, string>> = {
      FieldValueInvalid: 'Invalid value',
      FieldValueDuplicate: 'Duplicate value',
    };
    return { reason, path, message: `${word[reason]}: ${shown}${detail === '' ? '' : `: ${detail}`}` };
  },
  required(path: string, detail = ''): FieldProblem {
    return problemWithoutValue('FieldValueRequired', path, detail);
  },
  forbidden(path: string, detail: string): FieldProblem {
    return problemWithoutValue('FieldValueForbidden', path, detail);
  },
  duplicate(path: string, value: unknown): FieldProblem {
    return problem('FieldValueDuplicate', path, value);
  },
  notSupported(path: string, value: unknown, supported: readonly string[]): FieldProblem {
    const detail = `supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`;
    return problem('FieldValueNotSupported', path, value, detail);
  },
  tooLong(path: string, bytes: number): FieldProblem {
    return problemWithoutValue('FieldValueTooLong', path, `may not be more than ${bytes} bytes`);
  },
  tooMany(path: string, count: number, most: number): FieldProblem {
    return problem('FieldValueTooMany', path, count, `must have at most ${most} items`);
  },
  /** For what may not change once it is there; `equals` when it did not. */
  changed(path: string, value: unknown): FieldProblem {
    return problem('FieldValueInvalid', path, value, 'field is immutable');
  },
} as const;
