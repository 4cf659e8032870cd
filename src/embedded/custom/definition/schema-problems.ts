// Longer than most files: one walk over a schema with every rule that the server has for a part of it.

import type { Json } from '../../../kube/manifest.js';
import { normalizedFieldPath } from '../../../schema/cel/field-path.js';
import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import type { RawSchema } from '../custom-definition.js';
import { isSchema, structuralOf } from '../structural-of.js';
import { type Budget, expressionProblems, type RulePlace, ruleScope } from './expression-problems.js';
import { isSet, propertiesOf, propertyOf, schemaAt, schemasAt, textOf, textsAt, typeOf } from './raw-schema.js';

/** What is known of the place of a schema in the whole. */
interface Place {
  readonly isRoot: boolean;
  /** Why there may be no default here. */
  readonly noDefault?: string;
  readonly isInsideMeta: boolean;
  /** The first schema above in which old and new values cannot be told apart. */
  readonly uncorrelated?: string;
  /** Absent where rules are not compiled: in what only restricts, and in a schema that is not structural. */
  readonly rules?: RulePlace;
}

interface Found {
  readonly schema: FieldProblem[];
  /** Listed after all others. */
  readonly rules: FieldProblem[];
}

/** What the server says about a schema part by part. `budget`: absent when rules are not to be compiled. */
export function schemaProblems(schema: RawSchema, path: string, budget: Budget | undefined): readonly FieldProblem[] {
  const rules = budget && ruleScope(schema, budget);
  const found = walk(schema, path, { isRoot: true, isInsideMeta: false, ...(rules ? { rules } : {}) });
  return [...found.schema, ...found.rules];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaFields = new Set(['metadata', 'kind', 'apiVersion']);

function walk(schema: RawSchema, path: string, place: Place): Found {
  const found: Found = { schema: unsupported(schema, path, place), rules: [] };
  const below = (child: RawSchema, at: string, next: Place) => {
    const inner = walk(child, `${path}.${at}`, { ...next, isRoot: false });
    found.schema.push(...inner.schema);
    found.rules.push(...inner.rules);
  };
  const { rules: _, ...unruled } = place;
  const inside = (child: RawSchema | undefined, next: Place): Place => {
    const rules = place.rules && child && place.rules.below(schema, child);
    const { rules: _above, ...rest } = next;
    return rules ? { ...rest, rules } : rest;
  };
  const forbidden = (at: string, detail: string) =>
    found.schema.push(problemWithoutValue('FieldValueForbidden', `${path}.${at}`, detail));

  if (schema['uniqueItems'] === true) {
    forbidden('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  const others = schema['additionalProperties'];
  if (others !== undefined && others !== null) {
    if (propertiesOf(schema).length > 0 && others !== true) {
      forbidden('additionalProperties', 'additionalProperties and properties are mutual exclusive');
    }
    if (isSchema(others)) {
      const next = place.isInsideMeta
        ? { ...place, noDefault: 'inside additionalProperties applying to object metadata' }
        : place;
      below(others, 'additionalProperties', inside(others, next));
    }
  }
  for (const [name, child] of propertiesOf(schema)) {
    let next = place;
    const isMeta = (place.isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.has(name);
    if (isMeta) next = { ...next, isInsideMeta: true, ...(place.isRoot ? { noDefault: `in top-level ${name}` } : {}) };
    below(child, `properties[${name}]`, inside(child, next));
  }
  const not = schemaAt(schema, 'not');
  if (not) below(not, 'not', unruled);
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, child] of schemasAt(schema, key).entries()) below(child, `${key}[${index}]`, unruled);
  }
  for (const [name, child] of propertiesOf(schema, 'definitions')) below(child, `definitions[${name}]`, unruled);
  const items = schemaAt(schema, 'items');
  if (items) {
    const isMapList = schema['x-kubernetes-list-type'] === 'map';
    below(items, 'items', inside(items, isMapList ? place : { ...place, uncorrelated: place.uncorrelated ?? path }));
  }
  for (const [index, child] of schemasAt(schema, 'items').entries()) below(child, `items[${index}]`, unruled);
  for (const [name, child] of propertiesOf(schema, 'dependencies')) {
    if (isSchema(child)) below(child, `dependencies[${name}]`, unruled);
  }

  found.schema.push(
    ...extensionProblems(schema, path),
    ...listProblems(schema, path),
    ...ruleFormProblems(schema, path),
  );
  const isSound = found.schema.length === 0 && place.rules !== undefined;
  if (isSound && schemasAt(schema, 'x-kubernetes-validations').length > 0) {
    found.rules.push(...expressionProblems(schema, path, place.rules, place.uncorrelated));
  }
  return found;
}

/** What JSON Schema has and definitions do not. */
function unsupported(schema: RawSchema, path: string, { noDefault, isInsideMeta }: Place): FieldProblem[] {
  const found: FieldProblem[] = [];
  const forbidden = (at: string, detail: string) =>
    found.push(problemWithoutValue('FieldValueForbidden', `${path}.${at}`, detail));
  const type = typeOf(schema);
  if (type !== '' && !types.includes(type)) found.push(notSupported(`${path}.type`, type, types));
  if (noDefault !== undefined && isSet(schema, 'default')) forbidden('default', `must not be set ${noDefault}`);
  if (textOf(schema, 'id') !== '') forbidden('id', 'id is not supported');
  if (isSet(schema, 'additionalItems')) forbidden('additionalItems', 'additionalItems is not supported');
  for (const key of ['patternProperties', 'definitions']) {
    if (propertiesOf(schema, key).length > 0) forbidden(key, `${key} is not supported`);
  }
  if (isSet(schema, 'dependencies')) forbidden('dependencies', 'dependencies is not supported');
  if (isSet(schema, '$ref')) forbidden('$ref', '$ref is not supported');
  if (type === 'null') forbidden('type', 'type cannot be set to null, use nullable as an alternative');
  if (schemasAt(schema, 'items').length > 0) forbidden('items', 'items must be a schema object and not an array');
  if (isInsideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    forbidden('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  }
  return found;
}

function extensionProblems(schema: RawSchema, path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const at = `${path}.x-kubernetes-preserve-unknown-fields`;
    found.push(problem('FieldValueInvalid', at, false, 'must be true or undefined'));
  }
  if (isSet(schema, 'x-kubernetes-map-type')) {
    found.push(...typeProblems(schema, path, 'object', 'x-kubernetes-map-type'));
    const mapType = textOf(schema, 'x-kubernetes-map-type');
    if (!['atomic', 'granular'].includes(mapType)) {
      found.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
    }
  }
  return found;
}

function typeProblems(schema: RawSchema, path: string, type: string, key: string): readonly FieldProblem[] {
  const detail = `must be ${type} if ${key} is specified`;
  if (typeOf(schema) === type) return [];
  if (typeOf(schema) === '') return [problemWithoutValue('FieldValueRequired', `${path}.type`, detail)];
  return [problem('FieldValueInvalid', `${path}.type`, typeOf(schema), detail)];
}

function listProblems(schema: RawSchema, path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const key = 'x-kubernetes-list-type';
  const isSaid = isSet(schema, key);
  const listType = textOf(schema, key);
  const items = schemaAt(schema, 'items');
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  if (isSaid && typeOf(schema) !== 'array') found.push(...typeProblems(schema, path, 'array', key));
  else if (listType === 'set' && items) found.push(...setProblems(items, path));
  if (isSaid && !['atomic', 'set', 'map'].includes(listType)) {
    found.push(notSupported(`${path}.${key}`, listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    found.push(
      isSaid
        ? problem('FieldValueInvalid', `${path}.${key}`, listType, detail)
        : problemWithoutValue('FieldValueRequired', `${path}.${key}`, detail),
    );
  }
  if (listType === 'map') found.push(...mapProblems(schema, keys, path));
  if (items && (listType === 'set' || listType === 'map')) {
    if (items['nullable'] === true) {
      const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
      found.push(problemWithoutValue('FieldValueForbidden', `${path}.items.nullable`, detail));
    }
    if (listType === 'map') found.push(...keyProblems(items, keys, path));
  }
  return found;
}

function setProblems(items: RawSchema, path: string): readonly FieldProblem[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'] ?? null;
  if (typeOf(items) === 'array' && listType !== null && listType !== 'atomic') {
    return [problem('FieldValueInvalid', `${path}.items.x-kubernetes-list-type`, listType, detail)];
  }
  if (typeOf(items) === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [problem('FieldValueInvalid', `${path}.items.x-kubernetes-map-type`, listType, detail)];
  }
  return [];
}

function mapProblems(schema: RawSchema, keys: readonly string[], path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const at = `${path}.x-kubernetes-list-map-keys`;
  const items = schemaAt(schema, 'items');
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    found.push(problemWithoutValue('FieldValueRequired', at, detail));
  }
  if (!isSet(schema, 'items')) {
    const detail = 'must have a schema if x-kubernetes-list-type is map';
    found.push(problemWithoutValue('FieldValueRequired', `${path}.items`, detail));
  }
  if (!items) return found;
  if (typeOf(items) !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    found.push(problem('FieldValueInvalid', `${path}.items.type`, typeOf(items), detail));
    return found;
  }
  for (const [index, key] of keys.entries()) {
    const property = propertyOf(items, key);
    if (!property) {
      found.push(problem('FieldValueInvalid', at, keys, 'entries must all be names of item properties'));
    } else if (typeOf(property) === 'array' || typeOf(property) === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      found.push(problem('FieldValueInvalid', `${path}.items.properties[${key}].type`, typeOf(items), detail));
    }
    if (keys.indexOf(key) < index) {
      found.push(problem('FieldValueInvalid', at, keys, 'must not contain duplicate entries'));
    }
  }
  return found;
}

function keyProblems(items: RawSchema, keys: readonly string[], path: string): readonly FieldProblem[] {
  const required = textsAt(items, 'required');
  return keys.flatMap((key) => {
    const property = propertyOf(items, key);
    if (!property) return [];
    const at = `${path}.items.properties[${key}]`;
    const said = 'this property is in x-kubernetes-list-map-keys, so it';
    const found: FieldProblem[] = [];
    if (!required.includes(key) && !isSet(property, 'default')) {
      const detail = `${said} must have a default or be a required property`;
      found.push(problemWithoutValue('FieldValueRequired', `${at}.default`, detail));
    }
    if (property['nullable'] === true) {
      found.push(problemWithoutValue('FieldValueForbidden', `${at}.nullable`, `${said} cannot be nullable`));
    }
    return found;
  });
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with rules before anybody compiles them. */
function ruleFormProblems(schema: RawSchema, path: string): readonly FieldProblem[] {
  return schemasAt(schema, 'x-kubernetes-validations').flatMap((rule, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    const found: FieldProblem[] = [];
    const required = (key: string, detail: string) =>
      found.push(problemWithoutValue('FieldValueRequired', `${at}.${key}`, detail));
    const invalid = (key: string, value: Json, detail: string) =>
      found.push(problem('FieldValueInvalid', `${at}.${key}`, value, detail));
    const [text, message, expression] = ['rule', 'message', 'messageExpression'].map((key) => textOf(rule, key)) as [
      string,
      string,
      string,
    ];
    const fieldPath = textOf(rule, 'fieldPath');
    if (text.trim() === '') required('rule', 'rule is not specified');
    else if (message !== '' && message.trim() === '') invalid('message', message, 'must be non-empty if specified');
    else if (hasLineBreak(message.trim())) invalid('message', message, 'must not contain line breaks');
    else if (hasLineBreak(text.trim()) && message.trim() === '') {
      required('message', 'message must be specified if rule contains line breaks');
    }
    if (expression !== '' && expression.trim() === '') {
      required('messageExpression', 'messageExpression must be non-empty if specified');
    }
    const { reason } = rule;
    if (typeof reason === 'string' && !reasons.includes(reason))
      found.push(notSupported(`${at}.reason`, reason, reasons));
    if (fieldPath !== '' && fieldPath.trim() === '') invalid('fieldPath', fieldPath, 'must be non-empty if specified');
    if (hasLineBreak(fieldPath)) invalid('fieldPath', fieldPath, 'must not contain line breaks');
    if (fieldPath !== '' && normalizedFieldPath(fieldPath, structuralOf(schema)) === undefined) {
      invalid('fieldPath', fieldPath, 'must be a valid path');
    }
    return found;
  });
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

function notSupported(path: string, value: string, supported: readonly string[]): FieldProblem {
  const detail = `supported values: ${supported.map((each) => `"${each}"`).join(', ')}`;
  return problem('FieldValueNotSupported', path, value, detail);
}
