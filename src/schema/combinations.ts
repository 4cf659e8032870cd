import { type FieldProblem, problem, showProblem } from './field-problem.js';
import { isKnownFormat } from './formats.js';
import { goQuote } from './go-format.js';
import type { Correlation } from './ratchet.js';
import { propertyOf, type StructuralSchema } from './structural.js';
import { validateValue } from './validate-value.js';

/**
 * What `allOf`, `anyOf`, `oneOf` and `not` say about a value.
 *
 * When no alternative fits, the server shows, beside that, what is wrong with the one of which it looked at most.
 */
export function combinationProblems(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  before?: Correlation,
): FieldProblem[] {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  const found: FieldProblem[] = [];
  if (anyOf.length > 0) {
    const results = resultsOf(anyOf, value, path, before);
    if (results.every(isBad)) {
      found.push(of(path, 'must validate at least one schema (anyOf)'));
      for (const each of closest(anyOf, value, results)) found.push(each);
    }
  }
  if (oneOf.length > 0) {
    const results = resultsOf(oneOf, value, path, before);
    const fitting = results.filter((result) => !isBad(result)).length;
    if (fitting === 0) {
      const words = 'must validate one and only one schema (oneOf). Found none valid';
      found.push(of(path, words));
      for (const each of closest(oneOf, value, results)) found.push(each);
    } else if (fitting > 1) {
      found.push(of(path, `must validate one and only one schema (oneOf). Found ${fitting} valid alternatives`));
    }
  }
  if (allOf.length > 0) {
    const results = resultsOf(allOf, value, path, before);
    for (const each of results.flat()) found.push(each);
    if (results.some(isBad)) {
      const none = results.every(isBad) ? '. None validated' : '';
      found.push(of(path, `must validate all the schemas (allOf)${none}`));
    }
  }
  if (not !== undefined && validateValue(not, value, path, before).length === 0) {
    found.push(of(path, 'must not validate the schema (not)'));
  }
  return distinct(found);
}

/** The server says every problem once, however many schemas find it. */
export function distinct(problems: readonly FieldProblem[]): FieldProblem[] {
  return [...new Map(problems.map((each) => [showProblem(each), each])).values()];
}

/** About no field, though the words name one: that is how the server puts it. */
export const noField = '<nil>';

function of(path: string, words: string): FieldProblem {
  return problem('FieldValueInvalid', noField, '', `${goQuote(path)} ${words}`);
}

function resultsOf(schemas: readonly StructuralSchema[], value: unknown, path: string, before?: Correlation) {
  return schemas.map((schema) => validateValue(schema, value, path, before));
}

function isBad(problems: readonly FieldProblem[]): boolean {
  return problems.length > 0;
}

function closest(
  schemas: readonly StructuralSchema[],
  value: unknown,
  results: readonly (readonly FieldProblem[])[],
): readonly FieldProblem[] {
  let best = 0;
  for (const [index, schema] of schemas.entries()) {
    if (checksOf(schema, value) > checksOf(schemas[best]!, value)) best = index;
  }
  return results[best] ?? [];
}

/** How many checks of a schema apply to a value, whether it passes them or not. */
function checksOf(schema: StructuralSchema, value: unknown): number {
  let count = 0;
  if (schema.type !== undefined || isKnownFormat(schema)) count += 2;
  if (value === null || value === undefined) return count;
  // What combines schemas, and what compares with an enum, look at everything.
  count += 4;
  for (const each of [...(schema.anyOf ?? []).slice(0, 1), ...(schema.allOf ?? [])]) count += checksOf(each, value);
  if (typeof value === 'string') count += isKnownFormat(schema) ? 2 : 1;
  if (typeof value === 'number') count += 2;
  if (Array.isArray(value)) {
    count += 2;
    for (const item of schema.items ? value : []) count += checksOf(schema.items!, item);
  } else if (typeof value === 'object') {
    count += 1;
    for (const [name, child] of Object.entries(value)) {
      const below = propertyOf(schema, name) ?? schema.additionalProperties;
      if (below) count += checksOf(below, child);
    }
  }
  return count;
}
