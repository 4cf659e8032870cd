import { combinationProblems } from './combinations.js';
import { type FieldProblem, problem, problemWithoutValue } from './field-problem.js';
import { isKnownFormat, isOfFormat } from './formats.js';
import { goNumber, goQuote, isGoInteger } from './go-format.js';
import { go } from './pattern.js';
import { type Correlation, correlatedField, correlatedItem, isUnchanged } from './ratchet.js';
import { isSameJson } from './same-json.js';
import { propertyOf, type StructuralSchema } from './structural.js';

/**
 * What the API server's schema validation says about `value`: types, limits, patterns, formats, required fields.
 *
 * Given what an update replaces, what it leaves as it was is not held against it.
 * The order of checks and the words follow the server, oddities included; the differential test holds both together.
 */
export function validateValue(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  before?: Correlation,
): FieldProblem[] {
  const found: FieldProblem[] = [];
  collect(schema, value, path, before, found);
  return found;
}

/** Adds to `found`, which may get more than one call can take for arguments: what a list of the wrong items gives is a problem each. */
function collect(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  before: Correlation | undefined,
  found: FieldProblem[],
): void {
  const sofar = found.length;
  problemsOf(schema, value, path, before, found);
  if (found.length > sofar && before !== undefined && isUnchanged(schema, value, before.old)) found.length = sofar;
}

function problemsOf(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  before: Correlation | undefined,
  found: FieldProblem[],
): void {
  const wrongType = typeProblem(schema, value, path);
  if (wrongType !== undefined) found.push(wrongType);
  if (value !== null && value !== undefined) {
    if (schema.allOf || schema.anyOf || schema.oneOf || schema.not) {
      for (const each of combinationProblems(schema, value, path, before)) found.push(each);
    }
    if (typeof value === 'string') stringProblems(schema, value, path, found);
    else if (typeof value === 'number') found.push(...numberProblems(schema, value, path));
    else if (Array.isArray(value)) listProblems(schema, value, path, before, found);
  }
  if (schema.enum !== undefined) found.push(...enumProblems(schema, value, path));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    objectProblems(schema, value as Readonly<Record<string, unknown>>, path, before, found);
  }
}

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** The type that Go's decoder finds: a whole number beyond 64 bits is a float there. */
function jsonTypeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isGoInteger(value) ? 'integer' : 'number';
  if (typeof value === 'bigint') return 'integer';
  return typeof value as JsonType;
}

const goFormat: Partial<Record<JsonType, string>> = { integer: 'int64', number: 'float64' };

function typeProblem(schema: StructuralSchema, value: unknown, path: string): FieldProblem | undefined {
  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = isKnownFormat(schema) ? schema.format : undefined;
  if (types.length === 0 && format === undefined) return undefined;
  const found = jsonTypeOf(value);
  if (found === 'null') {
    return types.length > 0 && !schema.nullable ? typeFailure(types.join(','), 'null', path) : undefined;
  }
  const fits = types.includes(found) || (found === 'integer' && types.includes('number'));
  const isPlain = found !== 'string' && found !== 'array';
  if (format !== undefined && isPlain && !fits && goFormat[found] !== format) {
    return typeFailure(format, goFormat[found] ?? '', path);
  }
  const isNumeric = types.includes('number') || types.includes('integer');
  if (format !== undefined && !isNumeric && !isPlain) return undefined;
  return fits ? undefined : typeFailure(types.join(','), found, path);
}

function typeFailure(type: string, found: string, path: string): FieldProblem {
  return problem('FieldValueTypeInvalid', path, found, `${path} in body must be of type ${type}: ${goQuote(found)}`);
}

function stringProblems(schema: StructuralSchema, value: string, path: string, found: FieldProblem[]): void {
  const isCounted = schema.maxLength !== undefined || schema.minLength !== undefined;
  const length = isCounted ? charactersOf(value) : 0;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    const detail = `may not be more than ${schema.maxLength} ${schema.maxLength === 1 ? 'byte' : 'bytes'}`;
    found.push(problemWithoutValue('FieldValueTooLong', path, detail));
  } else if (schema.minLength !== undefined && length < schema.minLength) {
    found.push(invalid(path, value, `should be at least ${schema.minLength} chars long`));
  } else if (schema.pattern !== undefined && schema.pattern !== '' && !go(schema.pattern).matches(value)) {
    found.push(invalid(path, value, `should match '${schema.pattern}'`));
  }
  if (schema.type === 'string' && isKnownFormat(schema) && schema.format && !isOfFormat(schema.format, value)) {
    const detail = `${path} in body must be of type ${schema.format}: ${goQuote(value)}`;
    found.push(problem('FieldValueTypeInvalid', path, value, detail));
  }
}

/** Characters and not code units, of which a text has no fewer. */
function charactersOf(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) {
    if (text.codePointAt(at)! > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}

function numberProblems(schema: StructuralSchema, value: number, path: string): FieldProblem[] {
  const found: FieldProblem[] = [];
  const { minimum, maximum, multipleOf } = schema;
  if (schema.type === 'integer' && !fitsInteger(value, schema.format)) {
    // The server names no field here (`<nil>`), though its words do; the field is of more use.
    const kind = schema.format === undefined ? 'integer (default format)' : `integer with format ${schema.format}`;
    found.push(problem('FieldValueInvalid', path, '', `Checked value must be of type ${kind} in ${path}`));
  }
  // The server compares a whole number with whole numbers, and cuts off what a limit has behind its point.
  const isWhole = isGoInteger(value);
  const limit = (given: number) => (isWhole ? Math.trunc(given) : given);
  const shown = (given: number) => goNumber(limit(given), !isWhole);
  if (multipleOf !== undefined && limit(multipleOf) <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${shown(multipleOf)}`;
    found.push(problem('FieldValueInvalid', path, limit(multipleOf), detail));
  } else if (multipleOf !== undefined && !isMultiple(value, limit(multipleOf))) {
    found.push(invalid(path, value, `should be a multiple of ${shown(multipleOf)}`));
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= limit(maximum) : value > limit(maximum))) {
    const orEqual = schema.exclusiveMaximum ? '' : 'or equal to ';
    found.push(invalid(path, value, `should be less than ${orEqual}${shown(maximum)}`));
  }
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= limit(minimum) : value < limit(minimum))) {
    const orEqual = schema.exclusiveMinimum ? '' : 'or equal to ';
    found.push(invalid(path, value, `should be greater than ${orEqual}${shown(minimum)}`));
  }
  return found;
}

function fitsInteger(value: number, format: string | undefined): boolean {
  if (!Number.isInteger(value)) return false;
  return format === 'int32' ? value >= -(2 ** 31) && value < 2 ** 31 : value >= -(2 ** 63) && value < 2 ** 63;
}

function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(factor)) return value % factor === 0;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  const nearest = Math.round(times);
  return times === nearest || Math.abs(times - nearest) / Math.max(Math.abs(times), Math.abs(nearest)) < 1e-9;
}

function listProblems(
  schema: StructuralSchema,
  value: readonly unknown[],
  path: string,
  before: Correlation | undefined,
  found: FieldProblem[],
): void {
  const { items, minItems, maxItems } = schema;
  if (items) {
    for (const [index, item] of value.entries()) {
      const was = before && correlatedItem(schema, before.old, item);
      collect(items, item, `${path}[${index}]`, was, found);
    }
  }
  if (minItems !== undefined && value.length < minItems) {
    found.push(invalid(path, value.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) found.push(tooMany(path, value.length, maxItems));
}

function objectProblems(
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  before: Correlation | undefined,
  found: FieldProblem[],
): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const count = Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties) {
      found.push(invalid(path, count, `should have at least ${minProperties} properties`));
    }
    if (maxProperties !== undefined && count > maxProperties) found.push(tooMany(path, count, maxProperties));
  }
  for (const name of Object.keys(value)) {
    const childSchema = propertyOf(schema, name) ?? schema.additionalProperties;
    if (childSchema === undefined) continue;
    const was = before && correlatedField(schema, before.old, name);
    collect(childSchema, value[name], path === '' ? name : `${path}.${name}`, was, found);
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    found.push(problemWithoutValue('FieldValueRequired', path === '' ? name : `${path}.${name}`));
  }
}

function enumProblems(schema: StructuralSchema, value: unknown, path: string): FieldProblem[] {
  if (schema.enum === undefined || schema.enum.length === 0) return [];
  // A null is in no enum for the server, not even in one that lists null.
  if (value !== null && schema.enum.some((allowed) => isAllowed(allowed, value))) return [];
  const values = schema.enum.map((allowed) => goQuote(typeof allowed === 'string' ? allowed : JSON.stringify(allowed)));
  return [problem('FieldValueNotSupported', path, value, `supported values: ${values.join(', ')}`)];
}

/** The server cuts off what a number has behind its point where an enum has whole ones. */
function isAllowed(allowed: unknown, value: unknown): boolean {
  if (typeof allowed === 'number' && typeof value === 'number' && isGoInteger(allowed)) {
    return allowed === Math.trunc(value);
  }
  return isSameJson(allowed, value);
}

function invalid(path: string, value: unknown, detail: string): FieldProblem {
  return problem('FieldValueInvalid', path, value, `${path} in body ${detail}`);
}

function tooMany(path: string, count: number, limit: number): FieldProblem {
  return problem('FieldValueTooMany', path, count, `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`);
}
