import { type FieldProblem, problem, problemWithoutValue, showProblem } from '../../../schema/field-problem.js';
import { patternFault } from '../../../schema/pattern.js';
import { isSameJson } from '../../../schema/same-json.js';
import type { RawSchema } from '../custom-definition.js';
import { isSet, propertiesOf, propertyOf, schemaAt, schemasAt, textOf, textsAt, typeOf } from './raw-schema.js';

type Level = 'root' | 'item' | 'field';

/**
 * What keeps a schema from being structural, in the order of the alphabet.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function structuralProblems(schema: RawSchema, path: string): readonly FieldProblem[] {
  const found = [...invariants(schema, 'root', path), ...completeness(schema, schema, path, path)];
  return found.sort((a, b) => (showProblem(a) < showProblem(b) ? -1 : 1));
}

function invariants(schema: RawSchema, level: Level, path: string): FieldProblem[] {
  const found: FieldProblem[] = [];
  const required = (at: string, detail: string) =>
    found.push(problemWithoutValue('FieldValueRequired', `${path}.${at}`, detail));
  const forbidden = (at: string, detail: string) =>
    found.push(problemWithoutValue('FieldValueForbidden', `${path}.${at}`, detail));
  const invalid = (at: string, value: unknown, detail: string) =>
    found.push(problem('FieldValueInvalid', `${path}.${at}`, value, detail));

  const type = typeOf(schema);
  const items = schemaAt(schema, 'items');
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;

  if (type === 'array' && !items) required('items', 'must be specified');
  if (items) found.push(...invariants(items, 'item', `${path}.items`));
  for (const [name, child] of propertiesOf(schema)) {
    found.push(...invariants(child, 'field', `${path}.properties[${name}]`));
  }
  if (isSet(schema, 'additionalProperties')) {
    if (level === 'root') forbidden('additionalProperties', 'must not be used at the root');
    const values = schemaAt(schema, 'additionalProperties');
    if (values) found.push(...invariants(values, 'field', `${path}.additionalProperties`));
  }

  if (isIntOrString && preserves) {
    invalid('x-kubernetes-preserve-unknown-fields', true, 'must be false if x-kubernetes-int-or-string is true');
  }
  if (isIntOrString && isEmbedded) {
    invalid('x-kubernetes-embedded-resource', true, 'must be false if x-kubernetes-int-or-string is true');
  }
  const [first] = schemasAt(schema, 'allOf');
  found.push(...valueProblems(schema, path, isIntOrStringPattern(schema), isIntOrStringPattern(first)));

  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') required('type', detail);
    else invalid('type', type, detail);
  } else if (type === '' && !isIntOrString && !preserves) {
    required('type', emptyType[level]);
  }
  if (isEmbedded && isSet(schema, 'additionalProperties')) {
    forbidden('additionalProperties', 'must not be used if x-kubernetes-embedded-resource is set');
  }
  if (level === 'root' && type !== '' && type !== 'object') invalid('type', type, 'must be object at the root');

  if (level === 'root' || isEmbedded) {
    for (const name of ['kind', 'apiVersion']) {
      const property = propertyOf(schema, name);
      if (property && typeOf(property) !== 'string') {
        invalid(`properties[${name}].type`, typeOf(property), 'must be string');
      }
    }
  }
  const metadata = propertyOf(schema, 'metadata');
  if (metadata) {
    if ((level === 'root' || isEmbedded) && typeOf(metadata) !== 'object') {
      invalid('properties[metadata].type', typeOf(metadata), 'must be object');
    }
    if (level === 'root' && !restrictsNamesAlone(metadata)) {
      forbidden(
        'properties[metadata]',
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      );
    }
  }
  if (isEmbedded && !preserves && propertiesOf(schema).length === 0) {
    required(
      'properties',
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    );
  }
  return found;
}

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function restrictsNamesAlone(metadata: RawSchema): boolean {
  const names = propertiesOf(metadata).map(([name]) => name);
  const others = Object.keys(metadata).filter(
    (key) => !['type', 'default', 'properties'].includes(key) && metadata[key] !== false && metadata[key] !== '',
  );
  return others.length === 0 && names.every((name) => name === 'name' || name === 'generateName');
}

function isIntOrStringPattern(schema: RawSchema | undefined): boolean {
  return schema !== undefined && isSameJson(schemasAt(schema, 'anyOf'), [{ type: 'integer' }, { type: 'string' }]);
}

/** What is wrong with the parts of a schema that restrict values. */
function valueProblems(schema: RawSchema, path: string, skipsAnyOf: boolean, skipsFirstAllOf: boolean): FieldProblem[] {
  const found: FieldProblem[] = [];
  for (const [index, child] of skipsAnyOf ? [] : schemasAt(schema, 'anyOf').entries()) {
    found.push(...nestedProblems(child, `${path}.anyOf[${index}]`));
  }
  for (const [index, child] of schemasAt(schema, 'allOf').entries()) {
    found.push(...nestedProblems(child, `${path}.allOf[${index}]`, skipsFirstAllOf && index === 0));
  }
  for (const [index, child] of schemasAt(schema, 'oneOf').entries()) {
    found.push(...nestedProblems(child, `${path}.oneOf[${index}]`));
  }
  const not = schemaAt(schema, 'not');
  if (not) found.push(...nestedProblems(not, `${path}.not`));
  const pattern = textOf(schema, 'pattern');
  const fault = pattern === '' ? undefined : patternFault(pattern);
  if (fault !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${fault}`;
    found.push(problem('FieldValueInvalid', `${path}.pattern`, pattern, detail));
  }
  return found;
}

/** What a schema that only restricts may not say, in the order of the server. */
const onlyStructural: readonly (readonly [key: string, detail: string, (schema: RawSchema, key: string) => boolean])[] =
  [
    ['type', 'must be empty to be structural', hasText],
    [
      'additionalProperties',
      'must be undefined to be structural',
      (schema, key) => isSet(schema, key) && schema[key] !== false,
    ],
    ['default', 'must be undefined to be structural', isSet],
    ['title', 'must be empty to be structural', hasText],
    ['description', 'must be empty to be structural', hasText],
    ['nullable', 'must be false to be structural', isTrue],
    ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural', isTrue],
    ['x-kubernetes-embedded-resource', 'must be false to be structural', isTrue],
    ['x-kubernetes-int-or-string', 'must be false to be structural', isTrue],
    ['x-kubernetes-list-map-keys', 'must be empty to be structural', hasItems],
    ['x-kubernetes-list-type', 'must be undefined to be structural', isSet],
    ['x-kubernetes-map-type', 'must be undefined to be structural', isSet],
    ['x-kubernetes-validations', 'must be empty to be structural', hasItems],
  ];

function hasText(schema: RawSchema, key: string): boolean {
  return textOf(schema, key) !== '';
}

function isTrue(schema: RawSchema, key: string): boolean {
  return schema[key] === true;
}

function hasItems(schema: RawSchema, key: string): boolean {
  return textsAt(schema, key).length > 0;
}

function nestedProblems(schema: RawSchema, path: string, skipsAnyOf = false): FieldProblem[] {
  const found = valueProblems(schema, path, skipsAnyOf, false);
  const items = schemaAt(schema, 'items');
  if (items) found.push(...nestedProblems(items, `${path}.items`));
  for (const [name, child] of propertiesOf(schema)) found.push(...nestedProblems(child, `${path}.properties[${name}]`));
  for (const [key, detail, isSaid] of onlyStructural) {
    if (isSaid(schema, key)) found.push(problemWithoutValue('FieldValueForbidden', `${path}.${key}`, detail));
  }
  if (propertyOf(schema, 'metadata')) {
    const detail = 'must not be specified in a nested context';
    found.push(problemWithoutValue('FieldValueForbidden', `${path}.properties[metadata]`, detail));
  }
  return found;
}

/** Whatever a restriction speaks of has to be declared outside of restrictions, too. */
function completeness(value: RawSchema, declared: RawSchema | undefined, path: string, at: string): FieldProblem[] {
  const found: FieldProblem[] = [];
  const below = (child: RawSchema, place: string) => found.push(...nestedCompleteness(child, declared, path, place));
  const not = schemaAt(value, 'not');
  if (not) below(not, `${at}.not`);
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, child] of schemasAt(value, key).entries()) below(child, `${at}.${key}[${index}]`);
  }
  return found;
}

function nestedCompleteness(
  value: RawSchema,
  declared: RawSchema | undefined,
  path: string,
  at: string,
): FieldProblem[] {
  if (!declared) return [problemWithoutValue('FieldValueRequired', path, `because it is defined in ${at}`)];
  const found = completeness(value, declared, path, at);
  const items = schemaAt(value, 'items');
  if (items) found.push(...nestedCompleteness(items, schemaAt(declared, 'items'), `${path}.items`, `${at}.items`));
  for (const [name, child] of propertiesOf(value)) {
    const place = `properties[${name}]`;
    found.push(...nestedCompleteness(child, propertyOf(declared, name), `${path}.${place}`, `${at}.${place}`));
  }
  return found;
}
