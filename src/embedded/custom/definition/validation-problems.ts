import type { Json } from '../../../kube/manifest.js';
import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import type { RawSchema } from '../custom-definition.js';
import { defaultProblems } from './default-problems.js';
import { Budget } from './expression-problems.js';
import { goSchema } from './go-definition.js';
import { isSet, propertiesOf, schemasAt, someSchema, textOf, typeOf } from './raw-schema.js';
import { schemaProblems } from './schema-problems.js';
import { structuralProblems } from './structural-problems.js';

/** What is wrong with the schema of a version. `path` is that of `schema`, without `openAPIV3Schema`. */
export function validationProblems(
  schema: RawSchema | undefined,
  path: string,
  hasStatus: boolean,
): readonly FieldProblem[] {
  if (!schema) return [];
  const at = `${path}.openAPIV3Schema`;
  const found: FieldProblem[] = hasStatus ? [...rootProblems(schema, at)] : [];
  if (schema['nullable'] === true) {
    found.push(problemWithoutValue('FieldValueForbidden', `${at}.nullable`, 'nullable cannot be true at the root'));
  }
  const unreadable = unstructured(schema);
  let budget: Budget | undefined;
  if (unreadable === undefined) {
    const structural = structuralProblems(schema, at);
    const defaults = structural.length === 0 ? defaultProblems(schema, at) : [];
    found.push(...structural, ...defaults);
    if (structural.length === 0 && defaults.length === 0) budget = new Budget();
  }
  found.push(...schemaProblems(schema, at, budget));
  if (found.length === 0 && unreadable !== undefined) found.push(problem('FieldValueInvalid', at, '', unreadable));
  return budget ? [...found, ...budget.problems(at)] : found;
}

/** What a root may say when `properties.status` has to stand for itself, in the words of Go's fields. */
const rootFields: Readonly<Record<string, string>> = {
  description: 'Description',
  type: 'Type',
  format: 'Format',
  title: 'Title',
  maximum: 'Maximum',
  exclusiveMaximum: 'ExclusiveMaximum',
  minimum: 'Minimum',
  exclusiveMinimum: 'ExclusiveMinimum',
  maxLength: 'MaxLength',
  minLength: 'MinLength',
  pattern: 'Pattern',
  maxItems: 'MaxItems',
  minItems: 'MinItems',
  uniqueItems: 'UniqueItems',
  multipleOf: 'MultipleOf',
  required: 'Required',
  items: 'Items',
  properties: 'Properties',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
};

/** What comes before the type of a schema in Go, where the first thing that is wrong is the only one to be told. */
const beforeType = new Set(['id', '$schema', '$ref']);

function rootProblems(schema: RawSchema, path: string): readonly FieldProblem[] {
  const unwanted = Object.keys(schema).filter((key) => !Object.hasOwn(rootFields, key) && !isZero(schema[key]));
  const type = typeOf(schema);
  if (type !== '' && type !== 'object' && !unwanted.some((key) => beforeType.has(key))) {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [problem('FieldValueInvalid', `${path}.type`, type, detail)];
  }
  if (unwanted.length === 0) return [];
  const allowed = `[${Object.values(rootFields).join(' ')}]`;
  const detail = `only ${allowed} fields are allowed at the root of the schema if the status subresource is enabled`;
  return [{ reason: 'FieldValueInvalid', path, message: `Invalid value: ${goSchema(schema)}: ${detail}` }];
}

function isZero(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

/** Why a schema cannot even be read as a structural one. */
function unstructured(schema: RawSchema): string | undefined {
  let fault: string | undefined;
  someSchema(schema, (each) => {
    fault ??= unreadable(each);
    return fault !== undefined;
  });
  return fault;
}

function unreadable(schema: RawSchema): string | undefined {
  for (const key of ['id', '$schema', '$ref']) {
    if (textOf(schema, key) !== '') return `OpenAPIV3Schema '${key === '$schema' ? 'schema' : key}' is not supported`;
  }
  for (const key of ['patternProperties', 'dependencies', 'definitions']) {
    if (propertiesOf(schema, key).length > 0) return `OpenAPIV3Schema '${key}' is not supported`;
  }
  if (isSet(schema, 'additionalItems')) return "OpenAPIV3Schema 'additionalItems' is not supported";
  if (schemasAt(schema, 'items').length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return undefined;
}
