import { ruleProblems } from '../../../schema/cel/rule-problems.js';
import { type FieldProblem, isRefusal, problem } from '../../../schema/field-problem.js';
import { unknownFields } from '../../../schema/unknown-fields.js';
import type { RawSchema } from '../custom-definition.js';
import { schemaProblemsOf } from '../custom-validation.js';
import { embeddedProblems } from '../embedded-problems.js';
import { structuralOf } from '../structural-of.js';
import { isSet, propertiesOf, schemaAt } from './raw-schema.js';

/** Defaults that are no valid values of their schemas. Those of values of maps are not looked at. */
export function defaultProblems(schema: RawSchema, path: string, isRoot = true): readonly FieldProblem[] {
  const items = schemaAt(schema, 'items');
  return [
    ...(isSet(schema, 'default') ? ownProblems(schema, `${path}.default`, isRoot) : []),
    ...(items ? defaultProblems(items, `${path}.items`, false) : []),
    ...propertiesOf(schema).flatMap(([name, child]) => defaultProblems(child, `${path}.properties[${name}]`, false)),
  ];
}

function ownProblems(raw: RawSchema, path: string, isResourceRoot: boolean): readonly FieldProblem[] {
  const schema = structuralOf(raw);
  const value = raw['default'];
  const unknown =
    unknownFields(schema, value, path).length > 0
      ? [problem('FieldValueInvalid', path, value, 'must not have unknown fields')]
      : [];
  const embedded = embeddedProblems(schema, value, path);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const invalid = schemaProblemsOf(schema, value, path, undefined);
  if (invalid.length > 0) return [...unknown, ...invalid];
  const asWhatItWas = { path, old: value, isResourceRoot, judgesUnchanged: true };
  return [...unknown, ...ruleProblems(schema, value, asWhatItWas).filter(isRefusal)];
}
