import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import type { RawSchema } from '../custom-definition.js';
import { isSet, propertiesOf, propertyOf, schemaAt, typeOf } from './raw-schema.js';

const mostFields = 8;
const selectableTypes = new Set(['string', 'boolean', 'integer']);

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#crd-selectable-fields */
export function selectableFieldProblems(
  fields: readonly { readonly jsonPath?: string }[],
  schema: RawSchema,
  path: string,
): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    const invalid = (detail: string) => found.push(problem('FieldValueInvalid', at, jsonPath, detail));
    if (jsonPath === '') {
      found.push(problemWithoutValue('FieldValueRequired', at));
      continue;
    }
    const leads = follow(jsonPath, schema);
    if (typeof leads === 'string') {
      invalid(`is an invalid path: ${leads}`);
      continue;
    }
    if (leads.names[0] === 'metadata') invalid('must not point to fields in metadata');
    if (!leads.schema || !selectableTypes.has(typeOf(leads.schema))) {
      invalid(
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      );
    }
    const shown = leads.names.join('.');
    if (seen.has(shown)) found.push(problem('FieldValueDuplicate', at, jsonPath));
    seen.add(shown);
  }
  if (seen.size > mostFields) {
    found.push(problem('FieldValueTooMany', path, seen.size, `must have at most ${mostFields} items`));
  }
  return found;
}

interface Lead {
  readonly names: readonly string[];
  readonly schema: RawSchema | undefined;
}

/** Where a path leads, or why it leads nowhere. */
function follow(path: string, root: RawSchema): Lead | string {
  const names: string[] = [];
  let schema: RawSchema | undefined = root;
  const tokens = path.match(/[.[\]]|[^.[\]]+/g) ?? [];
  for (let at = 0; at < tokens.length; at += 2) {
    const token = tokens[at];
    if (token === '[') return 'array notation is not allowed';
    if (token !== '.') return `expected [ or . but got: ${token}`;
    const name = tokens[at + 1];
    if (name === undefined) return 'unexpected end of JSON path';
    if (!schema) return 'does not refer to a valid field';
    if (propertiesOf(schema).length > 0) {
      schema = propertyOf(schema, name);
      if (!schema) return 'does not refer to a valid field';
    } else if (isSet(schema, 'additionalProperties')) schema = schemaAt(schema, 'additionalProperties');
    else return 'does not refer to a valid field';
    names.push(name);
  }
  return { names, schema };
}
